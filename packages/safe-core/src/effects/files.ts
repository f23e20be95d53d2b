import { type EffectsFile, type EffectsFilePlace, readEffectsJson } from './effects-file.ts'
import { readEffectsMarkdown } from './effects-markdown.ts'

/**
 * Reads expected changes from a file, JSON or Markdown, whichever it is.
 *
 * @throws CountersignError `EFFECTS_FILE_INVALID`
 * @example
 * const { effects } = readEffectsFile(await file.text(), { chainId, safeAddress, ...review.hashes })
 */
export function readEffectsFile(text: string, place: EffectsFilePlace): EffectsFile {
  return text.trimStart().startsWith('{') ? readEffectsJson(text, place) : readEffectsMarkdown(text, place)
}
