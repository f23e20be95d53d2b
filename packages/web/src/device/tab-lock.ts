import { isLockRefused } from './tab-channel.ts'

/**
 * Runs something that no two tabs may do at once. Where the browser has no locks, or gives none, nobody can tell: it is free.
 *
 * @param run is told whether it is free
 */
export async function withLock<Answer>(name: string, run: (isFree: boolean) => Promise<Answer>): Promise<Answer> {
  // Locks exist in secure contexts only.
  if (!('locks' in navigator)) return run(true)
  let isAsked = false
  try {
    return await navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      isAsked = true
      return run(lock !== null)
    })
  } catch (error) {
    if (isAsked || !isLockRefused(error)) throw error
    return run(true)
  }
}
