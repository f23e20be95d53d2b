import { CountersignError, parseMessageContent } from '@countersign/safe'
import type { Address } from 'viem'
import { readTab, writeTab } from '../../device/tab-storage.ts'
import { errorSentenceText } from '../../text/errors.ts'

export type MessageDraft = { kind: 'text' | 'typed'; text: string; typed: string; origin: string }

export const emptyMessageDraft: MessageDraft = { kind: 'text', text: '', typed: '', origin: '' }

export type ParsedDraft =
  | { ok: true; content: string; origin: string | null }
  /** `reason`: what is wrong with what was pasted; null when there is nothing. */
  | { ok: false; reason: string | null }

/** The content as it is proposed: a text as a JSON string, typed data as the JSON that was pasted. */
export function parseMessageDraft({ kind, text, typed, origin }: MessageDraft): ParsedDraft {
  const content = kind === 'text' ? JSON.stringify(text) : typed.trim()
  if ((kind === 'text' ? text : content) === '') return { ok: false, reason: null }
  try {
    parseMessageContent(content)
  } catch (error) {
    if (error instanceof CountersignError) return { ok: false, reason: errorSentenceText(error) }
    throw error
  }
  if (kind === 'typed' && !content.startsWith('{')) return { ok: false, reason: null }
  return { ok: true, content, origin: origin.trim() === '' ? null : origin.trim() }
}

/** Whether a text is typed data that was pasted in the wrong place. */
export function looksTyped({ kind, text }: MessageDraft): boolean {
  if (kind !== 'text' || !text.trimStart().startsWith('{')) return false
  try {
    return parseMessageContent(text.trim()).encoding === 'EIP712'
  } catch {
    return false
  }
}

/**
 * Makes a draft of typed data from what was pasted as a text, which stays where it was. Null if the text is no typed data,
 * or if other typed data has been written, which would be lost.
 */
export function asTyped(draft: MessageDraft): MessageDraft | null {
  const content = draft.text.trim()
  const written = draft.typed.trim()
  const isFree = written === '' || written === content
  return isFree && looksTyped(draft) ? { ...draft, kind: 'typed', typed: content } : null
}

type OwnPlace = { account: Address | null; chainId: number; safeAddress: Address }

function draftKey({ account, chainId, safeAddress }: OwnPlace): string {
  return `countersign.message-draft.${account}.${chainId}.${safeAddress}`
}

/** The draft of an account in this tab: it outlives an expired session and a reload, and another account is not shown it. */
export function loadMessageDraft(place: OwnPlace): MessageDraft | null {
  try {
    const kept: unknown = JSON.parse(readTab(draftKey(place)) ?? 'null')
    return isDraft(kept) ? kept : null
  } catch {
    return null
  }
}

export function keepMessageDraft(place: OwnPlace, draft: MessageDraft | null): void {
  writeTab(draftKey(place), draft === null ? null : JSON.stringify(draft))
}

function isDraft(value: unknown): value is MessageDraft {
  if (typeof value !== 'object' || value === null) return false
  const kept: Record<string, unknown> = { ...value }
  return (
    ['text', 'typed', 'origin'].every((name) => typeof kept[name] === 'string') &&
    (kept.kind === 'text' || kept.kind === 'typed')
  )
}
