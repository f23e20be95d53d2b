import { getWaitingSignIn, type Reply } from '@countersign/contract'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { fail } from '../../text/fail.ts'
import type { SafeApp } from './safe-app.ts'

/** Signatures of a sign-in that owners have made on this server; null: none yet. */
export type Collected = NonNullable<Reply<typeof getWaitingSignIn>['waiting']>['collected']

// The browser that waits has no session, and so no stream of events; the server is asked.
const waits = { firstMs: 3_000, maxMs: 10_000 }

let collected: Collected = null
const listeners = new Set<() => void>()

function setCollected(next: Collected): void {
  if (JSON.stringify(next) === JSON.stringify(collected)) return
  collected = next
  for (const listener of listeners) listener()
}

/** Gives how many owners have signed, as the last look saw it. */
export function readCollected(): Collected {
  return collected
}

export function subscribeToCollected(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A Safe whose owners sign on pages of their own, as they sign any message of the Safe. */
export function linkedSafe({
  account,
  chainId,
}: {
  account: Address
  chainId: number
}): Pick<SafeApp, 'signMessage' | 'readSignature' | 'waits'> {
  return {
    signMessage: async () => {
      setCollected(null)
      return { kind: 'waiting', messageHash: null, safeTxHash: null }
    },
    readSignature: async () => {
      const { waiting, refused } = await api(getWaitingSignIn, { address: account, chainId, isFramed: 'false' })
      if (refused) throw fail('SIWE_REFUSED', { reason: 'refused', nonce: refused.nonce, refusedAt: refused.at })
      setCollected(waiting?.collected ?? null)
      return waiting?.collected?.signature ?? null
    },
    waits,
  }
}
