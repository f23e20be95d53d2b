import { type EffectsFile, type EffectsFilePlace, parseEffectsJson } from './effects-file.ts'
import { parseEffectsMarkdown } from './effects-markdown.ts'

/**
 * Reads expected changes from a file, JSON or Markdown, whichever it is.
 *
 * @throws CountersignError `EFFECTS_FILE_INVALID`
 * @example
 * const { effects } = parseEffectsFile(await file.text(), { chainId, safeAddress, ...review.hashes })
 */
export function parseEffectsFile(text: string, place: EffectsFilePlace): EffectsFile {
  return text.trimStart().startsWith('{') ? parseEffectsJson(text, place) : parseEffectsMarkdown(text, place)
}
