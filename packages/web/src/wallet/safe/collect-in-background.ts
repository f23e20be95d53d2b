import type { QueryClient } from '@tanstack/react-query'
import type { SignInTarget } from '../sign-in-machine.ts'
import { verifier } from '../verify-once.ts'
import { safeSignInSteps } from './safe-sign-in.ts'

/** Goes on waiting for the owners while the dialog is closed. What can no longer be waited for is forgotten. */
export async function collectInBackground(
  target: SignInTarget,
  { safeHosts, queryClient }: { safeHosts: readonly string[]; queryClient: QueryClient },
  signal: AbortSignal,
): Promise<void> {
  const steps = safeSignInSteps(safeHosts, verifier(queryClient))
  const waiting = steps.recall(target)
  if (!waiting) return
  try {
    await steps.collect(target, waiting, signal)
  } catch {
    if (!signal.aborted) steps.forget()
  }
}
