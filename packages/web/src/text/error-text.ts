import type { CountersignError } from '@countersign/safe'
import { formatList } from './locale.ts'
import { isTextKey, text, textPieces } from './text.ts'
import { showUntrusted } from './untrusted.ts'

/** A piece of an error's sentence: words, or a value or name that is set off from them. */
export type ErrorPiece = { kind: 'words' | 'code'; text: string }

const MAX_VALUE_LENGTH = 300

/**
 * Gives the title and hint of an error; null while its texts are not there, or when its code is not known.
 *
 * @param reason for codes whose hint depends on it
 */
export function errorTexts(code: string, reason?: unknown): { title: string; hint: string } | null {
  const ofReason = `error.${code}.${reason}.hint`
  const [title, hint] = [`error.${code}.title`, isTextKey(ofReason) ? ofReason : `error.${code}.hint`]
  return isTextKey(title) && isTextKey(hint) ? { title: text(title), hint: text(hint) } : null
}

/**
 * The sentence of an error in the reader's language, filled from its data; never the sentence that a server wrote. Null
 * when there is none, or when a value that it needs is not there.
 */
export function errorSentence({ code, data }: CountersignError): ErrorPiece[] | null {
  const values = { ...data, ...revertTexts(data.revert) }
  const pieces = textPieces(`error.${code}.${data.reason}`, values) ?? textPieces(`error.${code}`, values)
  if (!pieces) return null
  const shown: ErrorPiece[] = []
  let kind: ErrorPiece['kind'] = 'words'
  const add = (words: string) => {
    const last = shown.at(-1)
    if (last?.kind === kind) last.text += words
    else if (words !== '') shown.push({ kind, text: words })
  }
  for (const piece of pieces) {
    if (piece.kind === 'value') {
      const value = valueText(Object.hasOwn(values, piece.name) ? values[piece.name] : undefined)
      if (value === null) return null
      add(value)
      continue
    }
    // A text puts its values between backticks.
    for (const [index, words] of piece.words.split('`').entries()) {
      if (index > 0) kind = kind === 'words' ? 'code' : 'words'
      add(words)
    }
  }
  return shown
}

/** Writes the sentence as one text, its values between quotation marks. */
export function errorSentenceText(error: CountersignError): string {
  const pieces = errorSentence(error)
  if (!pieces) return errorTexts(error.code)?.title ?? text('problem.unexpected')
  return pieces.map((piece) => (piece.kind === 'code' ? `“${piece.text}”` : piece.text)).join('')
}

/** Values of an error may come from a server, a node, a wallet or a contract. */
function valueText(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return showUntrusted(value, MAX_VALUE_LENGTH)
  if (!Array.isArray(value)) return null
  return showUntrusted(formatList(value.map(String)), MAX_VALUE_LENGTH)
}

/** Cause and remedy of what an official contract reverts with. */
function revertTexts(id: unknown): Record<string, string> {
  const [cause, remedy] = [`revert.${id}.cause`, `revert.${id}.remedy`]
  return isTextKey(cause) && isTextKey(remedy) ? { cause: text(cause), remedy: text(remedy) } : {}
}
