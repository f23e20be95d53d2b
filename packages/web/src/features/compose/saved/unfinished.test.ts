import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Draft, emptyDraft, newEntry, withKey } from '../draft.ts'
import {
  type DraftPlace,
  discardUnfinished,
  isInBrowser,
  keepDraft,
  loadDraft,
  loadUnfinished,
  parseUnfinished,
  putAside,
  readUnfinished,
  removeDraft,
} from './unfinished.ts'

const [anna, bruno, safeAddress] = [1, 2, 5].map((digit): Address => `0x${String(digit).repeat(40)}`) as [
  Address,
  Address,
  Address,
]
const place: DraftPlace = { account: anna, chainId: 1, safeAddress }

/** A storage as browsers give it, with room for so many characters. */
function storageOf(room = Number.POSITIVE_INFINITY) {
  const kept: Record<string, string> = {}
  const methods = {
    getItem: (key: string) => kept[key] ?? null,
    removeItem: (key: string) => void delete kept[key],
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      kept[key] = value
    },
  }
  return new Proxy(methods, { ownKeys: () => Object.keys(kept), getOwnPropertyDescriptor: () => enumerable })
}
const enumerable = { enumerable: true, configurable: true }

/** Goes on in another tab of the same browser, or in this one after it was closed. */
function newTab() {
  const tab = storageOf()
  vi.stubGlobal('sessionStorage', tab)
  return tab
}

const paying = (amount: string, key: Hex | null = null): Draft => ({
  ...emptyDraft,
  key,
  entries: [newEntry(1, 'transfer', { recipient: bruno, amount })],
})
const amountsOf = (of: DraftPlace) =>
  parseUnfinished(readUnfinished(of)).map(({ draft }) => draft.entries[0]?.typed.amount)

beforeEach(() => {
  vi.stubGlobal('localStorage', storageOf())
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000 })
  newTab()
  putAside(place)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('keepDraft', () => {
  it('keeps it for when its tab is closed, for this account and Safe alone, what was changed last first', () => {
    const first = keepDraft(place, paying('1'))
    newTab()
    putAside(place)
    vi.advanceTimersByTime(4_000)
    keepDraft(place, paying('2'))
    expect(amountsOf(place)).toEqual(['2', '1'])
    expect(loadUnfinished(place, first)).toEqual(first)
    for (const other of [{ account: bruno }, { chainId: 11 }, { safeAddress: bruno }]) {
      expect(amountsOf({ ...place, ...other })).toEqual([])
      expect(loadDraft({ ...place, ...other })).toBeNull()
    }
  })

  it('keeps none in which nothing is typed, and one no longer that is emptied', () => {
    const kept = keepDraft(place, paying('1'))
    expect(isInBrowser(place, kept)).toBe(true)
    keepDraft(place, { ...emptyDraft, key: kept.key })
    expect(readUnfinished(place)).toBe('[]')
    expect(isInBrowser(place, emptyDraft)).toBe(true)
  })

  it('writes over nothing that another tab has made of the same draft', () => {
    const shared = keepDraft(place, paying('1'))
    const one = sessionStorage
    newTab()
    keepDraft(place, shared)
    const changed = keepDraft(place, paying('2', shared.key))
    expect(changed.key).toBe(shared.key)
    vi.stubGlobal('sessionStorage', one)
    expect(loadDraft(place)).toEqual(shared)
    const forked = keepDraft(place, paying('3', shared.key))
    expect(forked.key).not.toBe(shared.key)
    expect(amountsOf(place).sort()).toEqual(['2', '3'])
    // A tab goes on with its own copy.
    expect(keepDraft(place, paying('4', forked.key)).key).toBe(forked.key)
    expect(amountsOf(place).sort()).toEqual(['2', '4'])
  })

  it('keeps the same key where the other tab has removed the draft: it still knows what it was sent as', () => {
    const kept = keepDraft(place, paying('1'))
    discardUnfinished(place, kept)
    expect(keepDraft(place, paying('2', kept.key)).key).toBe(kept.key)
  })

  it('forgets the one of twenty that was changed longest ago, and none for a further change of one', () => {
    for (let index = 0; index < 20; index++) {
      // The server's clock, which another test may have told, goes on as well.
      vi.advanceTimersByTime(1_000)
      keepDraft(place, withKey(paying(String(index))))
    }
    vi.advanceTimersByTime(1_000)
    const last = parseUnfinished(readUnfinished(place)).at(-1)?.draft
    if (last) keepDraft(place, { ...last, origin: 'rent' })
    expect(amountsOf(place)).toHaveLength(20)
    keepDraft({ ...place, account: bruno }, paying('20'))
    expect(amountsOf(place)).toHaveLength(19)
    expect(amountsOf(place)).not.toContain('1')
  })

  it.each<[string, () => void]>([
    ['that is larger than any that is kept', () => {}],
    ['for which the browser has no room', () => vi.stubGlobal('localStorage', storageOf(200))],
    ['where the browser refuses storage', () => vi.stubGlobal('localStorage', undefined)],
  ])('leaves one in its tab %s', (title, begin) => {
    begin()
    const data = `0x${'ab'.repeat(title.includes('larger') ? 80_000 : 500)}`
    const kept = keepDraft(place, { ...emptyDraft, entries: [newEntry(1, 'call', { data })] })
    expect(isInBrowser(place, kept)).toBe(false)
    expect(readUnfinished(place)).toBe('[]')
    expect(loadDraft(place)).toEqual(kept)
  })

  it('leaves no older state of one that has become too large', () => {
    const kept = keepDraft(place, paying('1'))
    keepDraft(place, { ...kept, origin: 'x'.repeat(200_000) })
    expect(readUnfinished(place)).toBe('[]')
  })
})

describe('removeDraft', () => {
  it('removes it from tab and browser, and not what another tab made of it', () => {
    const kept = keepDraft(place, paying('1'))
    const one = sessionStorage
    newTab()
    keepDraft(place, kept)
    keepDraft(place, paying('2', kept.key))
    vi.stubGlobal('sessionStorage', one)
    removeDraft(place)
    expect(loadDraft(place)).toBeNull()
    expect(amountsOf(place)).toEqual(['2'])
    keepDraft(place, paying('5'))
    removeDraft(place)
    expect(amountsOf(place)).toEqual(['2'])
  })
})

describe('parseUnfinished', () => {
  it('takes nothing else that stands in the storage', () => {
    const { key } = keepDraft(place, paying('1'))
    localStorage.setItem(`countersign.draft.${anna}.1.${safeAddress}.0x`, '{"at":1,"draft":{"entries":[]}}')
    localStorage.setItem(`countersign.draft.${anna}.1.${safeAddress}.x`, 'nonsense')
    expect(parseUnfinished(readUnfinished(place)).map(({ draft }) => draft.key)).toEqual([key])
  })
})
