import { CountersignError, encodeMessageContent, type MessageContent, parseMessageContent } from '@countersign/safe'
import type { Hex } from 'viem'
import { readTab, writeTab } from '../../device/tab-storage.ts'

/** The words of a message, or its typed data, as JSON and as they are read. */
export type GivenMessage = { json: string; content: MessageContent }

function keyOf(hash: Hex): string {
  return `countersign.message.${hash}`
}

/**
 * Reads a pasted text as the message that has this hash: typed data as JSON, a text in quotation marks, or the bare words.
 * Null when it is none of them.
 */
export function parseGivenMessage(pasted: string, hash: Hex): GivenMessage | null {
  const asJson = [pasted, ...[pasted, pasted.trim()].map((words) => JSON.stringify(words))]
  return asJson.map((json) => messageOf(json, hash)).find((message) => message !== null) ?? null
}

/** Keeps a message that a person gave for the hash of it, for as long as the tab is open. */
export function keepGivenMessage(hash: Hex, { json }: GivenMessage): void {
  writeTab(keyOf(hash), json)
}

/** Reads the message that a person gave for a hash; null where nobody did. */
export function givenMessage(hash: Hex): GivenMessage | null {
  const kept = readTab(keyOf(hash))
  return kept === null ? null : messageOf(kept, hash)
}

/** Null for raw bytes too: they are the hash once more, and explain nothing. */
function messageOf(json: string, hash: Hex): GivenMessage | null {
  try {
    const content = parseMessageContent(json)
    return content.encoding !== 'RAW' && encodeMessageContent(content) === hash ? { json, content } : null
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}
