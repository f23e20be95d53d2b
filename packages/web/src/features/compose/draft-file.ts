import type { Draft, Entry } from './draft.ts'
import { newEntry, nextId, parseDraft, writeShared } from './draft.ts'

const KIND = 'draft'

/**
 * Writes a draft as a file of the product's own: it holds what was typed, so also changes of the Safe that are composed anew
 * for the Safe that opens it, and code that runs as the Safe, for which the Transaction Builder's file has no place.
 */
export function writeDraftFile(chainId: number, draft: Draft): string {
  return JSON.stringify(
    { countersign: KIND, chainId: String(chainId), content: JSON.parse(writeShared(draft)) },
    null,
    2,
  )
}

/** Parses a file that was written so; null when it is none. */
export function parseDraftFile(json: string): { chainId: string; entries: readonly Entry[]; origin: string } | null {
  const file = parseJson(json)
  if (file?.countersign !== KIND || typeof file.chainId !== 'string') return null
  const opened = parseDraft(file.content)
  return opened && { chainId: file.chainId, entries: opened.entries, origin: opened.origin }
}

/** Puts entries behind those that are there; in the place of the only one while nothing is typed. */
export function withEntries(draft: Draft, added: readonly Entry[], isUntouched: boolean): Draft {
  const first = nextId(draft)
  const entries = added.map(({ kind, typed }, index) => newEntry(first + index, kind, typed))
  return { ...draft, entries: isUntouched ? entries : [...draft.entries, ...entries] }
}

function parseJson(json: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(json)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : null
  } catch {
    return null
  }
}
