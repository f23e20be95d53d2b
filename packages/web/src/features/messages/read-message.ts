import type { SafeMessage } from '@countersign/contract'
import {
  CountersignError,
  domainVersion,
  readMessageContent,
  reviewSafeMessage,
  type SafeState,
} from '@countersign/safe-core'
import { showUntrusted } from '../../text/untrusted.ts'
import { text } from './text.ts'

const MAX_SUMMARY = 80

/** What a row of a list says about a message: a few words, from its content alone. */
export type MessageSummary = { kind: 'text' | 'typed' | 'unreadable'; words: string }

export function summarizeMessage(json: string): MessageSummary {
  try {
    const content = readMessageContent(json)
    if (content.encoding === 'EIP712') {
      const { domain, primaryType } = content.typedData
      const words = typeof domain.name === 'string' ? `${primaryType} · ${domain.name}` : primaryType
      return { kind: 'typed', words: showUntrusted(words, MAX_SUMMARY) }
    }
    const line = content.encoding === 'EIP191_TEXT' ? content.text.trim().split('\n')[0] : ''
    return { kind: 'text', words: line ? showUntrusted(line, MAX_SUMMARY) : text('message.summary.empty') }
  } catch {
    return { kind: 'unreadable', words: text('message.summary.unreadable') }
  }
}

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
      ...{ chainId, safeAddress, version, content: readMessageContent(content) },
      ...{ claimedHash: safeMessageHash, safeTxHashes: [], origin, now: null },
    })
    return findings.some(({ severity }) => severity === 'critical')
  } catch (error) {
    if (error instanceof CountersignError) return true
    throw error
  }
}
