import type { SafeTxRun, SimulatedTransaction, SimulationNeed, StateReader, Touched } from '@countersign/review'
import {
  askAccessList,
  crossCheck,
  expectedReads,
  nodeSimulation,
  plainReader,
  readHeader,
} from '@countersign/simulation'
import { requestByPage } from '../worker/ask-page.ts'
import { runKey } from './precedence.ts'
import { runInEngine } from './runs.ts'

/** Accounts and slots that a transaction of a Safe touched last: the hint for its next run. */
const touchedLast = new Map<string, readonly Touched[]>()
const MAX_REMEMBERED = 200

/**
 * Runs a transaction of a Safe on the state of one block, and compares the result of the node. If no run is
 * possible here, the node's own run replaces it and is labelled as such.
 *
 * @param proved reads a block that others vouch for, with proofs; null where there is none
 * @throws CountersignError when the block cannot be read
 */
export async function simulateTransaction(
  { chainId, blockNumber, run }: SimulationNeed,
  proved: StateReader | null,
): Promise<SimulatedTransaction> {
  const request = requestByPage(chainId)
  const key = runKey({ chainId, run })
  const remembered = touchedLast.get(key)
  if (proved) readAhead(proved, run)
  const [header, hints] = await Promise.all([
    proved?.header ?? readHeader(request, blockNumber),
    remembered ?? askAccessList(request, run, proved?.header.number ?? blockNumber),
  ])
  const priced: SafeTxRun = { ...run, gasPrice: run.gasPrice ?? header.baseFeePerGas ?? 0n }
  const result = await runInEngine(key, proved ?? plainReader(request, { chainId, header }), priced, { hints })
  if (result.status === 'unfinished') {
    const standIn = await nodeSimulation(request, priced, result.block)
    return { result, crossCheck: { status: 'unasked', reason: 'unfinished' }, standIn }
  }
  remember(key, result.touched)
  return { result, crossCheck: await crossCheck(request, priced, result), standIn: null }
}

/**
 * Has what the run reads in any case read with the other facts, while its Worker starts. What fails here is asked again by the
 * run, which says so.
 */
function readAhead(reader: StateReader, run: SafeTxRun): void {
  try {
    const accounts = expectedReads(run, reader).map(({ address, slots }) => ({ address, withAccount: true, slots }))
    reader.read({ accounts, blockNumbers: [] }).catch(() => {})
  } catch {
    // A transaction that cannot be put to the chain.
  }
}

function remember(key: string, touched: readonly Touched[]): void {
  touchedLast.delete(key)
  touchedLast.set(key, touched)
  const [oldest] = touchedLast.keys()
  if (touchedLast.size > MAX_REMEMBERED && oldest !== undefined) touchedLast.delete(oldest)
}
