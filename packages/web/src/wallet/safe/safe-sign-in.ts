import { getWaitingSignIn, keepWaitingSignIn, type OwnersPending, prepareSignIn } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { answered } from '../../api/answered.ts'
import { api } from '../../api/client.ts'
import { serverNow } from '../../device/server-time.ts'
import { toWalletError } from '../connectors/wallet-errors.ts'
import type { Collecting, Prepared, SignInSteps, SignInTarget } from '../session/sign-in-machine.ts'
import { collectSignature } from './collect-signature.ts'
import { isFramed, LINKED_SAFE_ID } from './frame.ts'
import { linkedSafe } from './linked-safe.ts'
import { openSafeApp } from './safe-app.ts'

const KEPT_AGAIN_SECONDS = [2, 5, 15, 30, 60]

/**
 * Signing in as a Safe: the one around this page, by its own protocol, since through a wallet's `personal_sign` an answer
 * that owners still have to sign looks like an empty signature; or one whose owners sign by a link.
 */
export function safeSignInSteps(
  signingIn: SignInTarget,
  safeHosts: readonly string[],
  verify: SignInSteps['verify'],
): SignInSteps {
  const safe = signingIn.connectorId === LINKED_SAFE_ID ? linkedSafe(signingIn) : openSafeApp(safeHosts)
  return {
    prepare: async (target, signal) => {
      const waiting = await findWaiting(target, signal)
      if (waiting) return waiting
      const asked = { address: target.account, chainId: target.chainId, waitsForOwners: true, isFramed: isFramed() }
      return { prepared: await answered(signal, (limited) => api(prepareSignIn, asked, limited)) }
    },
    sign: async (_, message) => {
      try {
        const answer = await safe.signMessage(message)
        if (answer.kind === 'signed') return answer.signature
        const { messageHash, safeTxHash } = answer
        const pending = { messageHash, safeTxHash }
        await keep(message, pending).catch(() => void keepLater(message, pending))
        return pending
      } catch (error) {
        throw toWalletError(error, 'Safe')
      }
    },
    verify,
    collect: (target, { prepared, pending }, signal) => {
      const { message, expiresAt } = prepared
      return collectSignature(
        Date.parse(expiresAt) - serverNow(),
        {
          read: () => safe.readSignature(message, pending.messageHash),
          verify: (signature) => verify(target, { message, signature }, signal),
          onTrouble: setTrouble,
          waits: safe.waits,
        },
        signal,
      )
    },
    forget: ({ message }: Prepared, signal) => keep(message, null, signal),
    now: serverNow,
  }
}

/** Finds the sign-in that this browser waits for, by the server's records. */
export async function findWaiting(
  { account, chainId }: SignInTarget,
  signal: AbortSignal,
): Promise<Collecting | undefined> {
  const asked = { address: account, chainId, isFramed: isFramed() ? ('true' as const) : ('false' as const) }
  const { waiting } = await api(getWaitingSignIn, asked, signal)
  if (!waiting) return undefined
  const { pending, message, expiresAt } = waiting
  return { prepared: { message, expiresAt }, pending }
}

/** The server was away for the moment: without this a reload would forget what the owners sign. */
async function keepLater(message: string, pending: OwnersPending): Promise<void> {
  for (const seconds of KEPT_AGAIN_SECONDS) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const isOver = await keep(message, pending).then(
      () => true,
      (error: unknown) => !(error instanceof CountersignError && error.code === 'SERVER_UNREACHABLE'),
    )
    if (isOver) return
  }
}

function keep(message: string, pending: OwnersPending | null, signal?: AbortSignal): Promise<undefined> {
  return answered(signal, (limited) => api(keepWaitingSignIn, { message, pending, isFramed: isFramed() }, limited))
}

let trouble: CountersignError | undefined
const listeners = new Set<() => void>()

function setTrouble(next: CountersignError | undefined): void {
  trouble = next
  for (const listener of listeners) listener()
}

/** Gives the error of the last look at the owners' signatures, which keeps the wait from ending. */
export function collectTrouble(): CountersignError | undefined {
  return trouble
}

export function subscribeToCollectTrouble(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
