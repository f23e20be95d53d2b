import type { CountersignError } from '@countersign/safe'
import type { Hex } from 'viem'
import { fail } from '../../text/fail.ts'
import { toWalletError } from '../connectors/wallet-errors.ts'

const WAITS = { firstMs: 10_000, maxMs: 60_000 }
/** These say nothing about the owners' signatures: a node lags or is away, an owner was exchanged, too many asked. */
const passing = new Set([
  'SIWE_SIGNATURE_INVALID',
  'SIWE_SIGNATURE_NOT_CHECKED',
  'CHAIN_UNREACHABLE',
  'DATABASE_UNAVAILABLE',
  'DATABASE_READ_ONLY',
  'DISK_FULL',
  'SERVER_UNREACHABLE',
  'RATE_LIMITED',
  'OVERLOADED',
  'INTERNAL',
  // The interface could not tell.
  'WALLET_FAILED',
])

export type CollectSteps = {
  /** Reads the present signature; null: not enough owners have signed. */
  read: () => Promise<Hex | null>
  /** Resolves when the server has made a session of it. */
  verify: (signature: Hex) => Promise<void>
  /** Reports the failure of the last try, or undefined after a success. */
  onTrouble?: (error: CountersignError | undefined) => void
  /** A clock that nobody can set. */
  now?: () => number
  /** Resolves after the time, or sooner when there is reason to look again. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  waits?: typeof WAITS | undefined
}

/**
 * Waits for the owners of a Safe: looks for their signatures now and then, ever more seldom, until the server accepts
 * what there is, the message expires, or `signal` ends it.
 *
 * @param milliseconds until the message expires
 * @throws CountersignError `SIWE_EXPIRED`, or what the server says when no further try can change it.
 */
export async function collectSignature(
  milliseconds: number,
  { read, verify, onTrouble = () => {}, now = () => performance.now(), pause = pauseOrReturn, waits }: CollectSteps,
  signal: AbortSignal,
): Promise<void> {
  const end = now() + milliseconds
  const look = async (): Promise<boolean> => {
    const signature = await read()
    if (signature === null || signal.aborted) return false
    await verify(signature)
    return true
  }
  const { firstMs, maxMs } = waits ?? WAITS
  for (let wait = firstMs; !signal.aborted; wait = Math.min(wait * 1.5, maxMs)) {
    if (now() >= end) throw fail('SIWE_EXPIRED', { reason: 'collecting' })
    try {
      if (await look()) return
      onTrouble(undefined)
    } catch (error) {
      if (signal.aborted) return
      const trouble = toWalletError(error, 'Safe')
      if (!passing.has(trouble.code)) throw trouble
      onTrouble(trouble)
    }
    await pause(Math.min(wait, Math.max(end - now(), 0)), signal)
  }
}

/** Coming back to the page is a reason to look at once. */
function pauseOrReturn(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') done()
    }
    const timer = setTimeout(done, milliseconds)
    document.addEventListener('visibilitychange', onVisible)
    signal.addEventListener('abort', done)
  })
}
