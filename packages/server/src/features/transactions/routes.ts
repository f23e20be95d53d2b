import {
  acknowledgeAlarm as acknowledgeEndpoint,
  attachPack as attachEndpoint,
  confirmTransaction as confirmEndpoint,
  deleteTransaction as deleteEndpoint,
  getPack as getPackEndpoint,
  getTransaction,
  listAlarms as listAlarmsEndpoint,
  listPacks,
  listQueue,
  proposeTransaction as proposeEndpoint,
  readOtherService,
  recordExecution as recordEndpoint,
  removePack as removePackEndpoint,
  sendToOtherService as sendEndpoint,
} from '@countersign/contract'
import { mount, type Router } from '../../http/endpoint.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireSharedSafe } from '../../safes/access.ts'
import { findDeletedAfter } from '../alive/queries.ts'
import { findFormerConfirmations } from '../signing/former-confirmations.ts'
import { findReports } from '../signing/reports.ts'
import { requireVisibleTransaction } from './access.ts'
import { acknowledgeAlarm, listAlarms } from './alarms.ts'
import { confirmTransaction } from './confirm.ts'
import { findDeclaredEffects } from './declared-effects.ts'
import { deleteTransaction } from './delete.ts'
import { readPageOfOtherService } from './other-service.ts'
import { attachPack, findPacks, getPack, refusePack, removePack } from './packs.ts'
import { proposeTransaction } from './propose.ts'
import { findOthers, findQueue } from './queries.ts'
import { recordExecution } from './record-execution.ts'
import { sendToOtherService } from './send-to-other-service.ts'

export function transactionRoutes(router: Router): void {
  mount(router, readOtherService, readPageOfOtherService, 'services')
  mount(router, sendEndpoint, sendToOtherService, 'services')
  mount(router, listQueue, async (ctx, input) => {
    chainOf(ctx.chains, input.chainId)
    const found = await findQueue(ctx, input)
    // An account without access finds nothing; this gives the reason.
    if (found.transactions.length === 0) await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return found
  })
  mount(router, getTransaction, async (ctx, { chainId, safeTxHash }) => {
    const { transaction } = await requireVisibleTransaction(ctx, chainId, safeTxHash)
    const place = { chainId, safeAddress: transaction.safeAddress }
    const [others, deleted, former, reports, declaredEffects] = await Promise.all([
      findOthers(ctx, transaction),
      transaction.safeTx ? findDeletedAfter(ctx, { ...place, nonce: transaction.safeTx.nonce }) : [],
      // Once it is executed, those count who were owners then.
      findFormerConfirmations(ctx, 'transaction', { ...place, hashes: transaction.isExecuted ? [] : [safeTxHash] }),
      findReports(ctx, { ...place, hash: safeTxHash }),
      findDeclaredEffects(ctx, { chainId, safeTxHash }),
    ])
    const formerConfirmations = former.get(safeTxHash) ?? []
    return { transaction, others: [...others, ...deleted], formerConfirmations, reports, declaredEffects }
  })
  mount(router, proposeEndpoint, proposeTransaction)
  mount(router, confirmEndpoint, confirmTransaction)
  mount(router, deleteEndpoint, deleteTransaction)
  mount(router, recordEndpoint, recordExecution)
  mount(router, listAlarmsEndpoint, listAlarms)
  mount(router, acknowledgeEndpoint, acknowledgeAlarm)
  mount(router, listPacks, async (ctx, input) => {
    await requireSharedSafe(ctx, input.chainId, input.safeAddress)
    return findPacks(ctx, input)
  })
  mount(router, getPackEndpoint, getPack)
  mount(router, attachEndpoint, attachPack, 'writes', refusePack)
  mount(router, removePackEndpoint, removePack)
}
