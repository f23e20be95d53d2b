import { parseMessageContent } from '@countersign/safe'
import { text } from '../../text/lists.ts'
import { showUntrusted } from '../../text/untrusted.ts'

const MAX_SUMMARY = 80

/** Says in a row of a list what a message is: a few words, from its content alone. */
export type MessageSummary = { kind: 'text' | 'typed' | 'unreadable'; words: string }

export function summarizeMessage(json: string): MessageSummary {
  try {
    const content = parseMessageContent(json)
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
