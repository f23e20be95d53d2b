import { text } from '../../text/lists.ts'
import { summarizeMessage } from './message-summary.ts'

/** The effect of a message in one sentence. What stands in quotation marks is its own words. */
export function messageTitle(json: string, { isComplete = false }: { isComplete?: boolean } = {}): string {
  const { kind, words } = summarizeMessage(json)
  const tense = isComplete ? 'past' : 'present'
  return kind === 'unreadable'
    ? text('title.message.unreadable', { tense })
    : text(`title.message.${kind}`, { tense, words })
}
