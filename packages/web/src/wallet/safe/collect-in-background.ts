import type { QueryClient } from '@tanstack/react-query'
import type { Collecting, SignInTarget } from '../session/sign-in-machine.ts'
import { verifier } from '../session/verify-once.ts'
import { safeSignInSteps } from './safe-sign-in.ts'

export { findWaiting } from './safe-sign-in.ts'

/** Goes on waiting for the owners while the dialog is closed. What can no longer be waited for is forgotten. */
export async function collectInBackground(
  target: SignInTarget,
  waiting: Collecting,
  { safeHosts, queryClient }: { safeHosts: readonly string[]; queryClient: QueryClient },
  signal: AbortSignal,
): Promise<void> {
  const steps = safeSignInSteps(target, safeHosts, verifier(queryClient))
  try {
    await steps.collect(target, waiting, signal)
  } catch {
    if (!signal.aborted) await steps.forget(waiting.prepared, signal).catch(() => {})
  }
}
