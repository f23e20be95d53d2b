import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, hexToNumber } from 'viem'
import { requestNode, requestNodeBatch } from './node-client.ts'

const LOOK_MS = 250
/** Far more than a block takes on a busy machine. */
const STUCK_MS = 30_000

/**
 * Looks after a node of this machine while it runs.
 *
 * Anvil now and then leaves a transaction in its pool that came in while it mined another, until something else is
 * sent: whoever waits for it alone would wait for ever. And a call with endless gas keeps it from mining for as long as that
 * runs, which nothing but its end ends.
 *
 * @param onStuck it has not answered, or not mined what waits, for `stuckMs`
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
  let isTried = false

  async function look(): Promise<void> {
    const looks = [{ method: 'anvil_getAutomine' }, { method: 'txpool_status' }]
    const [isAutomatic, pool] = (await requestNodeBatch(rpcUrl, looks)) as [boolean, { pending: Hex }]
    // Nobody mines by hand, and what waited at the last look waits still.
    const waiting = isAutomatic ? hexToNumber(pool.pending) : 0
    if (waiting !== before) isTried = false
    else if (waiting > 0 && !isTried) {
      isTried = true
      await requestNode(rpcUrl, 'evm_mine')
    }
    before = waiting
  }

  async function keepLooking(): Promise<void> {
    while (!hasEnded()) {
      await sleep(lookMs, null, { ref: false })
      const looking = look().then(
        () => true,
        () => true,
      )
      const isDone = await Promise.race([looking, sleep(stuckMs, false, { ref: false })])
      if (hasEnded()) return
      if (!isDone) return onStuck()
    }
  }

  void keepLooking()
}
