import type { Router } from '../http/endpoint.ts'
import { aboutRoutes } from './about.ts'
import { allTransactionsRoutes } from './all-transactions.ts'
import { dataDecoderRoutes } from './data-decoder.ts'
import { moduleTransactionRoutes } from './module-transactions.ts'
import { multisigRoutes } from './multisig-transactions.ts'
import { safeRoutes } from './safes.ts'
import { createTxService } from './service.ts'
import { transferRoutes } from './transfers.ts'

/** Everything at `/tx-service/{chainId}/api`. */
export function mountTxService(router: Pick<Router, 'app' | 'deps' | 'limits'>): void {
  const { service, close } = createTxService(router)
  aboutRoutes(service)
  dataDecoderRoutes(service)
  safeRoutes(service)
  multisigRoutes(service)
  allTransactionsRoutes(service)
  transferRoutes(service)
  moduleTransactionRoutes(service)
  close()
}
