import { type ExaminedExecution, type Execution, examineExecution } from '@countersign/review'
import type { SafeTx } from '@countersign/safe'
import { chainRequest } from '../../../api/chain-client.ts'
import { byIdentity } from '../../../api/computed-query.ts'
import { askForHash } from '../../../evidence/proof/ask-for-hash.ts'
import type { HashSources } from '../../../evidence/proof/hash-sources.ts'
import { packEngine } from '../../../evidence/simulation/pack-engine.ts'

/** A transaction that was executed, and the sources that are asked for the hash of its block. */
export type Examined = Execution & { chainId: number; safeTx: SafeTx; sources: HashSources }

/**
 * Reads the receipt from the chain itself, and runs the transaction again on the block before.
 *
 * @returns null where the node has no receipt
 * @throws CountersignError as `examineExecution`
 */
export async function examineInPage({ sources, ...execution }: Examined): Promise<ExaminedExecution | null> {
  const { chainId } = execution
  const askSources = (blockNumber: bigint) => askForHash(chainId, blockNumber, sources.wallet)
  const node = { request: chainRequest(chainId), askSources, needed: sources.needed }
  const found = await examineExecution(execution, node, packEngine)
  return found && byIdentity(found)
}
