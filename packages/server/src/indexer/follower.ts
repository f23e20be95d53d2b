import { toLogEntry } from '../to-log-entry.ts'
import type { FollowerOptions } from './followed-chain.ts'
import { createFollowing } from './following.ts'
import { createLease } from './lease.ts'
import { createProgress } from './progress.ts'

const LOCAL_POLL_MS = 400
const POLL_MS = 4_000
const MAX_PAUSE_MS = 30_000

/**
 * Follows a chain: everything that its logs and transactions say of the Safes kept here. One process at a time follows
 * a chain; another takes over when it ends, and goes on where it stopped.
 */
export function startFollower(options: FollowerOptions): { stop: () => Promise<void> } {
  const { chain, log } = options
  const { chainId } = chain.settings
  const url = chain.settings.rpcUrls[0] ?? ''
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(url)
  const wait = options.pollMilliseconds ?? (isLocal ? LOCAL_POLL_MS : POLL_MS)
  const lease = createLease({ chainId, ...options })
  const progress = createProgress({ chainId, lease, ...options })
  let follow: (() => Promise<boolean>) | null = null
  let isStopped = false
  let wake = () => {}

  async function run(): Promise<void> {
    let failures = 0
    while (!isStopped) {
      let isBehind = false
      try {
        const held = await lease.hold()
        // Another process may have written in between: the state is read anew.
        if (held !== 'still') follow = null
        if (held !== 'by another') {
          follow ??= createFollowing({ ...options, lease, progress, isStopped: () => isStopped || !lease.isHeld() })
          isBehind = await follow()
          await progress.succeeded()
        }
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === 1) log.warn({ chainId, err: toLogEntry(error) }, 'follower failed, goes on')
        await progress.failed(error).catch(() => {})
      }
      if (!isStopped && !isBehind) await pause(wait, failures)
    }
    progress.stop()
    await lease.release()
  }

  /** Longer after each failure, and never in step with others who fail at the same node. */
  function pause(milliseconds: number, failures: number): Promise<void> {
    const longest = Math.min(milliseconds * 2 ** Math.min(failures, 6), MAX_PAUSE_MS)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, failures === 0 ? milliseconds : longest * (0.5 + Math.random() / 2))
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const finished = run()
  return {
    stop() {
      isStopped = true
      wake()
      return finished
    },
  }
}
