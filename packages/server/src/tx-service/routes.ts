import type { Router } from '../http/endpoint.ts'
import { aboutRoutes } from './about.ts'
import { allTransactionsRoutes } from './all-transactions.ts'
import { assetRoutes } from './assets.ts'
import { contractRoutes } from './contracts.ts'
import { creationRoutes } from './creation.ts'
import { dataDecoderRoutes } from './data-decoder.ts'
import { delegateRequestRoutes } from './delegate-requests.ts'
import { delegateRoutes } from './delegates.ts'
import { estimationRoutes } from './estimations.ts'
import { exportRoutes } from './export.ts'
import { messageRequestRoutes } from './message-requests.ts'
import { messageRoutes } from './messages.ts'
import { moduleTransactionRoutes } from './module-transactions.ts'
import { multisigRequestRoutes } from './multisig-requests.ts'
import { multisigRoutes } from './multisig-transactions.ts'
import { operationRoutes } from './operations.ts'
import { ownerRoutes } from './owners.ts'
import { safeRoutes } from './safes.ts'
import { listRoutes, writeWirePage, writeWireSchema } from './schema.ts'
import { createTxService } from './service.ts'
import { tokenRoutes } from './tokens.ts'
import { transferRoutes } from './transfers.ts'

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
  const schema = JSON.stringify(writeWireSchema(listed.routes, router.deps.version))
  const page = writeWirePage(listed.routes, router.deps.version)
  router.app.get('/tx-service', (c) => c.html(page))
  router.app.get('/tx-service/schema', (c) => c.body(schema, 200, { 'content-type': 'application/json' }))
  close()
}
