import { parseJson } from '@countersign/safe'
import type { Address } from 'viem'
import { serverNow } from '../../../device/server-time.ts'
import { readTab, writeTab } from '../../../device/tab-storage.ts'
import { type Draft, isEmptyDraft, parseDraft, withKey, writeDraft } from '../draft.ts'

/** Whose drafts they are, and of which Safe: another account of this browser is shown none of them. */
export type DraftPlace = { account: Address | null; chainId: number; safeAddress: Address }

/** A draft that this browser keeps, and when it was last changed, in ms since 1970. */
export type UnfinishedDraft = { draft: Draft; at: number }

const PREFIX = 'countersign.draft.'
/** Drafts of all accounts and Safes that the browser keeps; beyond it the one that was changed longest ago goes. */
const MAX_UNFINISHED = 20
/** Characters of one of them: all together they leave room in what browsers give to a page. */
const MAX_LENGTH = 150_000

const listeners = new Set<() => void>()

function tabKey({ account, chainId, safeAddress }: DraftPlace): string {
  return `${PREFIX}${account}.${chainId}.${safeAddress}`
}

function browserKey(place: DraftPlace, { key }: Draft): string {
  return `${tabKey(place)}.${key}`
}

/** The draft of this tab: it outlives a sign-out, an expired session and a reload. */
export function loadDraft(place: DraftPlace): Draft | null {
  return parseDraft(parseJson(readTab(tabKey(place)) ?? 'null'))
}

/**
 * Keeps a draft in its tab, and in the browser for when the tab is closed. Where another tab has changed the same draft, this
 * one goes on as a draft of its own. Answers the draft as it is kept.
 */
export function keepDraft(place: DraftPlace, changed: Draft): ReturnType<typeof withKey> {
  const next = withKey(changed)
  const there = readBrowser(browserKey(place, next))
  const before = loadDraft(place)
  const isOther =
    there !== null && ![before, next].some((own) => own !== null && writeDraft(own) === writeDraft(there.draft))
  const kept = isOther ? withKey({ ...next, key: null }) : next
  writeTab(tabKey(place), writeDraft(kept))
  if (isEmptyDraft({ ...kept, nonce: null })) removeItem(browserKey(place, kept))
  else writeBrowser(browserKey(place, kept), kept)
  return kept
}

/** Removes the draft of this tab. What another tab made of it meanwhile stays in the browser. */
export function removeDraft(place: DraftPlace): void {
  const draft = loadDraft(place)
  putAside(place)
  if (draft === null) return
  const there = readBrowser(browserKey(place, draft))
  if (there !== null && writeDraft(there.draft) === writeDraft(draft)) discardUnfinished(place, draft)
}

/** Lets this tab begin anew; the browser keeps the draft. */
export function putAside(place: DraftPlace): void {
  writeTab(tabKey(place), null)
}

/** Removes a draft from the browser. */
export function discardUnfinished(place: DraftPlace, draft: Draft): void {
  removeItem(browserKey(place, draft))
}

/** The draft as the browser keeps it: another tab may have gone on with it. */
export function loadUnfinished(place: DraftPlace, draft: Draft): Draft | null {
  return readBrowser(browserKey(place, draft))?.draft ?? null
}

/** Whether closing the tab loses nothing of a draft. */
export function isInBrowser(place: DraftPlace, draft: Draft): boolean {
  return isEmptyDraft({ ...draft, nonce: null }) || readItem(browserKey(place, draft)) !== null
}

/** Everything that the browser keeps for an account of a Safe, as text that is the same until it changes. */
export function readUnfinished(place: DraftPlace): string {
  const own = browserKeys().filter((key) => key.startsWith(`${tabKey(place)}.`))
  return JSON.stringify(own.sort().map(readItem))
}

/** Drafts in that text, what was changed last first. */
export function parseUnfinished(stored: string): UnfinishedDraft[] {
  const all: unknown = JSON.parse(stored)
  const texts = Array.isArray(all) ? all.filter((one): one is string => typeof one === 'string') : []
  return texts.flatMap((one) => parseItem(one) ?? []).sort((one, other) => other.at - one.at)
}

export function subscribeUnfinished(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function readBrowser(key: string): UnfinishedDraft | null {
  return parseItem(readItem(key))
}

/** Whatever stands in the storage: other versions of the page write there too. */
function parseItem(stored: string | null): UnfinishedDraft | null {
  const { at, draft }: Partial<Record<keyof UnfinishedDraft, unknown>> = Object(parseJson(stored ?? 'null'))
  const parsed = parseDraft(draft)
  return parsed?.key && typeof at === 'number' ? { draft: parsed, at } : null
}

function writeBrowser(key: string, draft: Draft): void {
  const written = writeDraft(draft)
  // An older state of it would be taken for it once the tab is closed.
  if (written.length > MAX_LENGTH || !writeItem(key, `{"at":${Math.floor(serverNow())},"draft":${written}}`)) {
    removeItem(key)
    return
  }
  const others = browserKeys().filter((other) => other !== key)
  if (others.length < MAX_UNFINISHED) return
  const aged = others.map((other) => ({ other, at: readBrowser(other)?.at ?? 0 })).sort((one, two) => two.at - one.at)
  for (const { other } of aged.slice(MAX_UNFINISHED - 1)) removeItem(other)
}

/** Keys of all drafts in localStorage, which a browser may refuse: then a draft lasts as long as its tab. */
function browserKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
  } catch {
    return []
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function writeItem(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value)
  } catch {
    return false
  }
  for (const listener of listeners) listener()
  return true
}

function removeItem(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Then nothing was kept.
  }
  for (const listener of listeners) listener()
}
