import {
  confirmTransaction as confirmEndpoint,
  getTransaction,
  listHistory,
  listQueue,
  proposeTransaction as proposeEndpoint,
  recordExecution as recordEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { requireListedSafe, requireOwnedSafe } from '../safes/access.ts'
import { requireVisibleTransaction } from './access.ts'
import { confirmTransaction } from './confirm.ts'
import { proposeTransaction } from './propose.ts'
import { findHistory, findOthers, findQueue } from './queries.ts'
import { recordExecution } from './record-execution.ts'

export function transactionRoutes(router: Router): void {
  mount(router, listQueue, async (ctx, input) => {
    await requireOwnedSafe(ctx, input.chainId, input.safeAddress)
    return findQueue(ctx.db, input)
  })
  mount(router, listHistory, async (ctx, input) => {
    const { isOwner } = await requireListedSafe(ctx, input.chainId, input.safeAddress)
    return findHistory(ctx.db, input, isOwner)
  })
  mount(router, getTransaction, async (ctx, { chainId, safeTxHash }) => {
    const { transaction, isOwner } = await requireVisibleTransaction(ctx, chainId, safeTxHash)
    return { transaction, others: isOwner ? await findOthers(ctx.db, transaction) : [] }
  })
  mount(router, proposeEndpoint, proposeTransaction)
  mount(router, confirmEndpoint, confirmTransaction)
  mount(router, recordEndpoint, recordExecution)
}
