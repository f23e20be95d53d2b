import type { CallFailure } from '@countersign/review'
import { showUntrusted } from '../../text/untrusted.ts'
import { text } from './finding-text.ts'

/** Why a call failed. What a contract says of itself is quoted. */
export function failureWords(failure: CallFailure): string {
  if (failure.kind === 'halt') return text('run.failure.halt', { reason: showUntrusted(failure.reason, 100) })
  const { explanation } = failure
  switch (explanation.kind) {
    case 'safe':
      return text('run.failure.safe', { code: explanation.reason.code })
    case 'message':
      return text('run.failure.said', { said: showUntrusted(explanation.message, 200) })
    case 'panic':
      return text('run.failure.said', { said: `panic ${explanation.code}` })
    default:
      return text('run.failure.silent')
  }
}
