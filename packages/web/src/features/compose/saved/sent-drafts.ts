import { useMemo, useSyncExternalStore } from 'react'
import { type Hex, isHash, keccak256, stringToHex } from 'viem'
import { guardedStorage } from '../../../device/guarded-storage.ts'
import type { Draft } from '../draft.ts'

/** Proposal that a draft was sent to the server as. `content` tells it from the same draft once it is changed. */
export type SentDraft = { key: string; content: Hex; hash: Hex; nonce: bigint }

const KEY = 'countersign.sent-drafts'
const MAX_KEPT = 100
const listeners = new Set<() => void>()

function contentOf({ entries }: Pick<Draft, 'entries'>): Hex {
  return keccak256(stringToHex(JSON.stringify(entries)))
}

/** Remembers what a draft is sent as, for every tab that holds the same one: a tab can be copied with all that it keeps. */
export function noteSent(draft: Draft & { key: string }, { hash, nonce }: Pick<SentDraft, 'hash' | 'nonce'>): void {
  const others = parseSent(read()).filter((one) => one.hash !== hash || one.key !== draft.key)
  const kept = [{ key: draft.key, content: contentOf(draft), hash, nonce }, ...others].slice(0, MAX_KEPT)
  guardedStorage.setItem(KEY, JSON.stringify(kept.map((one) => ({ ...one, nonce: one.nonce.toString() }))))
  for (const listener of listeners) listener()
}

/** Everything that this draft was sent as, from whichever tab, as it stands now. */
export function useSentAs(draft: Draft): readonly SentDraft[] {
  const stored = useSyncExternalStore(subscribe, read)
  return useMemo(() => sentAs(draft, stored), [draft, stored])
}

export function sentAs(draft: Draft, stored: string | null): readonly SentDraft[] {
  const same = parseSent(stored).filter(({ key }) => key === draft.key)
  if (same.length === 0) return same
  const content = contentOf(draft)
  return same.filter((one) => one.content === content)
}

function read(): string | null {
  return guardedStorage.getItem(KEY)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Whatever stands in the storage: other versions of the page write there too. */
function parseSent(stored: string | null): readonly SentDraft[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]')
    return Array.isArray(list) ? list.flatMap(parseOne) : []
  } catch {
    return []
  }
}

function parseOne(value: unknown): SentDraft[] {
  const { key, content, hash, nonce }: Partial<Record<keyof SentDraft, unknown>> = Object(value)
  const isOne =
    typeof key === 'string' &&
    typeof content === 'string' &&
    isHash(content) &&
    typeof hash === 'string' &&
    isHash(hash) &&
    typeof nonce === 'string' &&
    /^[0-9]{1,16}$/.test(nonce)
  return isOne ? [{ key, content, hash, nonce: BigInt(nonce) }] : []
}
