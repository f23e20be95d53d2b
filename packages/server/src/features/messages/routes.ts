import {
  confirmMessage as confirmEndpoint,
  deleteMessage as deleteEndpoint,
  getMessage,
  listMessages,
  proposeMessage as proposeEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { findFormerConfirmations } from '../signing/former-confirmations.ts'
import { findReports } from '../signing/reports.ts'
import { requireVisibleMessage } from './access.ts'
import { confirmMessage } from './confirm.ts'
import { deleteMessage } from './delete.ts'
import { proposeMessage } from './propose.ts'
import { findMessages } from './queries.ts'

export function messageRoutes(router: Router): void {
  mount(router, listMessages, async (ctx, input) => {
    chainOf(ctx.chains, input.chainId)
    const found = await findMessages(ctx, input)
    // An account without access finds nothing; this gives the reason.
    if (found.messages.length === 0) await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return found
  })
  mount(router, getMessage, async (ctx, { chainId, safeMessageHash }) => {
    const message = await requireVisibleMessage(ctx, chainId, safeMessageHash)
    const place = { chainId, safeAddress: message.safeAddress }
    const [former, reports] = await Promise.all([
      findFormerConfirmations(ctx, 'message', { ...place, hashes: [safeMessageHash] }),
      findReports(ctx, { ...place, hash: safeMessageHash }),
    ])
    return { ...message, formerConfirmations: former.get(safeMessageHash) ?? [], reports }
  })
  mount(router, proposeEndpoint, proposeMessage)
  mount(router, confirmEndpoint, confirmMessage)
  mount(router, deleteEndpoint, deleteMessage)
}
