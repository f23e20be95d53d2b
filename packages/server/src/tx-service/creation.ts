import { decodeSafeCreation, type SafeCreation } from '@countersign/safe-core'
import { and, eq } from 'drizzle-orm'
import { type Address, getAddress, isAddressEqual } from 'viem'
import { historyEntry as entry } from '../db/schema.ts'
import { refuse } from './answers.ts'
import { decodeCall } from './decoded.ts'
import { type EthereumTransaction, readEthereumTransactions } from './ethereum-transactions.ts'
import { pathAddress } from './fields.ts'
import type { TxService } from './service.ts'
import { findEntries } from './transfers.ts'
import { toDate } from './wire.ts'

/** How a Safe came about: when and by whom is stored, with what is in the calldata of its Ethereum transaction. */
export function creationRoutes({ read }: TxService): void {
  read('GET', '/v1/safes/{safe}/creation', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    const which = and(eq(entry.safeAddress, safeAddress), eq(entry.kind, 'created'))
    const { rows } = await findEntries(call, which, { limit: 1, offset: 0 })
    const [created] = rows
    if (!created) return refuse(404)
    const { transactionHash, factory, singleton, subject, blockTime } = created
    const transactions = await readEthereumTransactions(call.chain, transactionHash ? [transactionHash] : [])
    const transaction = transactionHash ? transactions.get(transactionHash) : undefined
    const creation = transaction ? findCreation(transaction, factory) : null
    const setupData = creation?.initializer ?? null
    const to = singleton ?? creation?.singleton ?? null
    return {
      created: toDate(blockTime),
      creator: subject,
      transactionHash,
      factoryAddress: factory,
      masterCopy: to && getAddress(to),
      setupData,
      saltNonce: creation?.saltNonce?.toString() ?? null,
      dataDecoded: decodeCall({ to, value: 0n, data: setupData, operation: 0, safeAddress }),
      userOperation: null,
    }
  })
}

/** Only of a call of the factory itself: in calldata around it there may be several. */
function findCreation({ to, input }: EthereumTransaction, factory: Address | null): SafeCreation | null {
  return to && factory && isAddressEqual(to, factory) ? decodeSafeCreation({ to, data: input }) : null
}
