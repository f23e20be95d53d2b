import type { Router } from '../http/endpoint.ts'
import { allTransactionsRoutes } from './lists/all-transactions.ts'
import { assetRoutes } from './lists/assets.ts'
import { contractRoutes } from './lists/contracts.ts'
import { delegateRoutes } from './lists/delegates.ts'
import { exportRoutes } from './lists/export.ts'
import { messageRoutes } from './lists/messages.ts'
import { moduleTransactionRoutes } from './lists/module-transactions.ts'
import { multisigRoutes } from './lists/multisig-transactions.ts'
import { ownerRoutes } from './lists/owners.ts'
import { tokenRoutes } from './lists/tokens.ts'
import { transferRoutes } from './lists/transfers.ts'
import { aboutRoutes } from './reads/about.ts'
import { creationRoutes } from './reads/creation.ts'
import { dataDecoderRoutes } from './reads/data-decoder.ts'
import { estimationRoutes } from './reads/estimations.ts'
import { operationRoutes } from './reads/operations.ts'
import { safeRoutes } from './reads/safes.ts'
import { listRoutes, writeWirePage, writeWireSchema } from './wire/schema.ts'
import { createTxService } from './wire/service.ts'
import { delegateRequestRoutes } from './writes/delegate-requests.ts'
import { messageRequestRoutes } from './writes/message-requests.ts'
import { multisigRequestRoutes } from './writes/multisig-requests.ts'

const groups = [
  aboutRoutes,
  allTransactionsRoutes,
  assetRoutes,
  contractRoutes,
  creationRoutes,
  dataDecoderRoutes,
  delegateRequestRoutes,
  delegateRoutes,
  estimationRoutes,
  exportRoutes,
  messageRequestRoutes,
  messageRoutes,
  moduleTransactionRoutes,
  multisigRequestRoutes,
  multisigRoutes,
  operationRoutes,
  ownerRoutes,
  safeRoutes,
  tokenRoutes,
  transferRoutes,
]

/** Everything at `/tx-service/{chainId}/api`. */
export function mountTxService(router: Pick<Router, 'app' | 'deps' | 'admission'>): void {
  const { service, close } = createTxService(router)
  const listed = listRoutes(service)
  for (const routes of groups) routes(listed.service)
  let schema: string | undefined
  const page = writeWirePage(listed.routes, router.deps.version)
  router.app.get('/tx-service', (c) => c.html(page))
  router.app.get('/tx-service/schema', (c) => {
    // Written when somebody first asks: a start does not wait for it.
    schema ??= JSON.stringify(writeWireSchema(listed.routes, router.deps.version))
    return c.body(schema, 200, { 'content-type': 'application/json' })
  })
  close()
}
