import { type Address, getAddress, isAddress } from 'viem'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { fail } from '../../text/fail.ts'
import type { Connector, WalletAnswer } from '../connectors/connector.ts'
import { LINKED_SAFE_ID } from './frame.ts'
import type { SafeAccount } from './safe-app.ts'
import { createSafeProvider } from './safe-connector.ts'

const KEPT = 'countersign.linked-safe'

let give: ((safe: SafeAccount) => void) | undefined

/** Answers the question of the connector for a Safe. */
export function giveLinkedSafe(safe: SafeAccount): void {
  give?.(safe)
}

/** A Safe that a person names: nothing proves it but what its owners sign. */
export function linkedSafeConnector(): Connector {
  const { request } = createSafeProvider(async () => {
    const kept = readStoredAnswer()
    if (kept) return kept
    throw fail('WALLET_NOT_AVAILABLE', { reason: 'outside' })
  })
  return {
    id: LINKED_SAFE_ID,
    name: 'Safe',
    asksIn: 'link',
    connect: () =>
      new Promise((resolve) => {
        give = (safe) => {
          guardedStorage.setItem(KEPT, JSON.stringify(safe))
          resolve(answerOf(safe))
        }
      }),
    reconnect: async () => {
      const kept = readStoredAnswer()
      return kept && answerOf(kept)
    },
    disconnect: async () => guardedStorage.removeItem(KEPT),
    getProvider: () => ({ request }),
    listen: () => () => {},
  }
}

function answerOf({ address, chainId }: SafeAccount): WalletAnswer {
  return { accounts: [address], chainId }
}

function readStoredAnswer(): SafeAccount | null {
  try {
    const kept: unknown = JSON.parse(guardedStorage.getItem(KEPT) ?? 'null')
    if (typeof kept !== 'object' || kept === null || !('address' in kept) || !('chainId' in kept)) return null
    const { address, chainId } = kept as { address: unknown; chainId: unknown }
    if (typeof address !== 'string' || !isAddress(address) || !Number.isSafeInteger(chainId)) return null
    return { address: getAddress(address) satisfies Address, chainId: Number(chainId) }
  } catch {
    return null
  }
}
