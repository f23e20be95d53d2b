import type { SafeMessage } from '@countersign/contract'
import {
  CountersignError,
  domainVersion,
  parseMessageContent,
  reviewSafeMessage,
  type SafeState,
} from '@countersign/safe-core'

/** Somebody may fill a list with messages that take long to read: each is read once. */
const known = new WeakMap<SafeMessage, { version: string; isRefused: boolean }>()

/** Whether a list may say that a message waits for the reader: not when its own page would offer nothing. */
export function isRefused(message: SafeMessage, state: SafeState): boolean {
  const version = domainVersion(state)
  const before = known.get(message)
  if (before?.version === version) return before.isRefused
  const found = { version, isRefused: review(message, version) }
  known.set(message, found)
  return found.isRefused
}

function review(message: SafeMessage, version: string): boolean {
  const { chainId, safeAddress, content, safeMessageHash, origin } = message
  try {
    const { findings } = reviewSafeMessage({
      ...{ chainId, safeAddress, version, content: parseMessageContent(content) },
      ...{ claimedHash: safeMessageHash, safeTxHashes: [], origin, now: null },
    })
    return findings.some(({ severity }) => severity === 'critical')
  } catch (error) {
    if (error instanceof CountersignError) return true
    throw error
  }
}
