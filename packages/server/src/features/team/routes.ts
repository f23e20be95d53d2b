import {
  addDelegateOfAll,
  addDelegate as addEndpoint,
  endSafeAccess as endAccessEndpoint,
  inviteViewer as inviteEndpoint,
  listSafeAccess as listAccessEndpoint,
  listDelegates as listEndpoint,
  listIdleOwners,
  listViewers as listViewersEndpoint,
  removeDelegateOfAll,
  removeDelegate as removeEndpoint,
  removeViewer as removeViewerEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { addDelegate, listDelegates, removeDelegate } from './delegates.ts'
import { findIdleOwners } from './idle-owners.ts'
import { endSafeAccess, listSafeAccess } from './safe-access.ts'
import { inviteViewer, listViewers, removeViewer } from './viewers.ts'

export function teamRoutes(router: Router): void {
  mount(router, listEndpoint, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return { delegates: await listDelegates(ctx, input) }
  })
  mount(router, addEndpoint, (ctx, input) => addDelegate(ctx, { ...input, ...said(ctx.viewer.address, input) }))
  mount(router, addDelegateOfAll, (ctx, input) =>
    addDelegate(ctx, { ...input, safeAddress: null, ...said(ctx.viewer.address, input) }),
  )
  mount(router, removeEndpoint, (ctx, input) => removeDelegate(ctx, { ...input, signature: null }))
  mount(router, removeDelegateOfAll, (ctx, input) =>
    removeDelegate(ctx, { ...input, safeAddress: null, signature: null }),
  )
  mount(router, listIdleOwners, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findIdleOwners(ctx, input)
  })
  mount(router, listViewersEndpoint, listViewers)
  mount(router, inviteEndpoint, inviteViewer)
  mount(router, removeViewerEndpoint, removeViewer)
  mount(router, listAccessEndpoint, listSafeAccess)
  mount(router, endAccessEndpoint, endSafeAccess)
}

/** Said by who is signed in. */
function said<address>(delegator: address, { expiryDate }: { expiryDate: string | null }) {
  return { delegator, signature: null, expiryDate: expiryDate === null ? null : new Date(expiryDate) }
}
