import { decodeSafeCreation, isSameAddress, type SafeCreation } from '@countersign/safe'
import { and, eq } from 'drizzle-orm'
import { type Address, getAddress } from 'viem'
import { historyEntry as entry, safe } from '../../db/schema.ts'
import { type EthereumTransaction, readEthereumTransactions } from '../lists/ethereum-transactions.ts'
import { isOfSafe } from '../lists/history-page.ts'
import { refuse } from '../wire/answers.ts'
import { decodeCall } from '../wire/decoded.ts'
import { pathAddress } from '../wire/fields.ts'
import type { Call, TxService } from '../wire/service.ts'
import { toDate } from '../wire/values.ts'
import { findVisibleSafe, isVisible } from '../wire/visibility.ts'
import { findCreationOnChain } from './creation-on-chain.ts'

/**
 * Returns the creation of a Safe. Time and creator are stored or read from the chain. Factory and setup come from the calldata of
 * the Ethereum transaction.
 */
export function creationRoutes({ ask }: TxService): void {
  ask('GET', '/v1/safes/{safe}/creation', async (call) => {
    const safeAddress = pathAddress(call, 'safe')
    const [found] = await call.deps.db
      .select({ entry })
      .from(entry)
      .innerJoin(safe, isOfSafe)
      .where(
        and(
          eq(entry.chainId, call.chainId),
          eq(entry.safeAddress, safeAddress),
          eq(entry.kind, 'created'),
          isVisible(call),
        ),
      )
      .orderBy(entry.blockNumber)
      .limit(1)
    const created =
      found?.entry ??
      ((await isHere(call, safeAddress)) && (await findCreationOnChain(call.chain, safeAddress, call.payNode)))
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
      // Readers want an address: of what no official factory made, the one that was called for it.
      factoryAddress: factory ?? (transaction?.to && getAddress(transaction.to)) ?? subject,
      masterCopy: to && getAddress(to),
      setupData,
      saltNonce: creation?.saltNonce?.toString() ?? null,
      dataDecoded: decodeCall({ to, value: 0n, data: setupData, operation: 0, safeAddress }),
      userOperation: null,
    }
  })
}

async function isHere(call: Call, safeAddress: Address): Promise<boolean> {
  return (await findVisibleSafe(call, safeAddress)) !== null
}

/** Only of a call of the factory itself: in calldata around it there may be several. */
function findCreation({ to, input }: EthereumTransaction, factory: Address | null): SafeCreation | null {
  return to && factory && isSameAddress(to, factory) ? decodeSafeCreation({ to, data: input }) : null
}
