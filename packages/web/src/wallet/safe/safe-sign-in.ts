import { prepareSignIn } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe-core'
import { api } from '../../api/client.ts'
import { answered } from '../answered.ts'
import type { SignInSteps } from '../sign-in-machine.ts'
import { toWalletError } from '../wallet-errors.ts'
import { collectSignature } from './collect-signature.ts'
import { isFramed } from './frame.ts'
import { openSafeApp } from './safe-app.ts'
import { forgetWaitingSignIn, readWaitingSignIn, storeWaitingSignIn } from './waiting-sign-in.ts'

/**
 * Signing in as the Safe around this page. It speaks the Safe's own protocol: through a wallet's `personal_sign` an
 * answer that owners still have to sign looks like an empty signature.
 */
export function safeSignInSteps(safeHosts: readonly string[], verify: SignInSteps['verify']): SignInSteps {
  const safe = openSafeApp(safeHosts)
  return {
    prepare: ({ account, chainId }, signal) =>
      answered(signal, (limited) =>
        api(prepareSignIn, { address: account, chainId, waitsForOwners: true, isFramed: isFramed() }, limited),
      ),
    sign: async (_, message) => {
      try {
        const answer = await safe.signMessage(message)
        if (answer.kind === 'signed') return answer.signature
        const { messageHash, safeTxHash } = answer
        return { messageHash, safeTxHash }
      } catch (error) {
        throw toWalletError(error, 'Safe')
      }
    },
    verify,
    recall: ({ account, chainId }) => readWaitingSignIn(account, chainId),
    collect: (target, collecting, signal) => {
      const { message, expiresAt } = collecting.prepared
      storeWaitingSignIn(target.account, target.chainId, collecting)
      return collectSignature(
        expiresAt,
        {
          read: () => safe.readSignature(message, collecting.pending.messageHash),
          verify: async (signature) => {
            await verify(target, { message, signature }, signal)
            // The message is used up now, whoever still looks at this page.
            forgetWaitingSignIn()
          },
          onTrouble: setTrouble,
        },
        signal,
      )
    },
    forget: forgetWaitingSignIn,
    now: Date.now,
  }
}

let trouble: CountersignError | undefined
const listeners = new Set<() => void>()

function setTrouble(next: CountersignError | undefined): void {
  trouble = next
  for (const listener of listeners) listener()
}

/** What kept the last look at the owners' signatures from ending the wait. */
export function collectTrouble(): CountersignError | undefined {
  return trouble
}

export function subscribeToCollectTrouble(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
