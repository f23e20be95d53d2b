import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, hexToNumber } from 'viem'
import { requestNode, requestNodeBatch } from './node-client.ts'

const LOOK_MS = 250
/** Far longer than a block takes on a busy machine. */
const STUCK_MS = 30_000

/**
 * Watches a local node while it runs.
 *
 * Anvil sometimes leaves a transaction in its pool that arrived while it mined another one, until another request arrives. A caller
 * that waits only for this transaction would wait forever. A call with unlimited gas also stops mining until the node is ended.
 *
 * @param onStuck is called if the node has not answered, or has not mined pending transactions, for `stuckMs`
 */
export function lookAfter(
  rpcUrl: string,
  {
    hasEnded,
    onStuck,
    lookMs = LOOK_MS,
    stuckMs = STUCK_MS,
  }: { hasEnded: () => boolean; onStuck: () => void; lookMs?: number; stuckMs?: number },
): void {
  let before = 0
  /** Time of the last answer that showed no pending transactions, or a different number of them. */
  let wellAt = performance.now()

  async function look(): Promise<void> {
    const looks = [{ method: 'anvil_getAutomine' }, { method: 'txpool_status' }]
    const [isAutomatic, pool] = (await requestNodeBatch(rpcUrl, looks)) as [boolean, { pending: Hex }]
    // Automatic mining is on, and the transactions of the last check are still pending.
    const waiting = isAutomatic ? hexToNumber(pool.pending) : 0
    const isSame = waiting > 0 && waiting === before
    before = waiting
    if (isSame) await requestNode(rpcUrl, 'evm_mine')
    else wellAt = performance.now()
  }

  async function keepLooking(): Promise<void> {
    while (!hasEnded()) {
      await sleep(lookMs, null, { ref: false })
      await Promise.race([look().catch(() => {}), sleep(stuckMs, null, { ref: false })])
      if (hasEnded()) return
      if (performance.now() - wellAt > stuckMs) return onStuck()
    }
  }

  void keepLooking()
}
