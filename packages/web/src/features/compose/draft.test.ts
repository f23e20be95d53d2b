import { describe, expect, it } from 'vitest'
import {
  addEntry,
  type Draft,
  duplicateEntry,
  emptyDraft,
  entryKinds,
  isEmptyDraft,
  joinDraft,
  moveEntry,
  newEntry,
  nextDraft,
  openShared,
  parseDraft,
  removeEntry,
  splitDraft,
  startEntry,
  type Typed,
  writeShared,
} from './draft.ts'
import { exactAmount } from './exact-amount.ts'

const three: Draft = { ...emptyDraft, entries: [newEntry(1), newEntry(2, 'call'), newEntry(3, 'add-owner')] }
const idsOf = ({ entries }: Draft) => entries.map(({ id }) => id)

describe('the entries of a draft', () => {
  it('takes the place of an empty one, and stands behind the others', () => {
    const first = addEntry(emptyDraft, 'call').draft
    expect(first.entries.map(({ kind }) => kind)).toEqual(['call'])
    expect(addEntry(first, 'item').draft.entries.map(({ kind }) => kind)).toEqual(['call', 'item'])
  })

  it('moves, copies and removes', () => {
    expect(idsOf(moveEntry(three, 0, 2))).toEqual([2, 3, 1])
    expect(idsOf(moveEntry(three, 2, 0))).toEqual([3, 1, 2])
    expect(moveEntry(three, 0, 3)).toBe(three)
    const { draft, id } = duplicateEntry(three, 1)
    expect(idsOf(draft)).toEqual([1, 2, 4, 3])
    expect(draft.entries.find((entry) => entry.id === id)?.kind).toBe('call')
    expect(idsOf(removeEntry(three, 1))).toEqual([1, 3])
  })

  it('keeps an empty entry when the last one is removed', () => {
    const left = removeEntry(emptyDraft, 0)
    expect(left.entries.map(({ kind }) => kind)).toEqual(['transfer'])
  })
})

describe('a draft that one transaction does not hold', () => {
  const split = splitDraft({ ...three, origin: 'rent', shared: '7' }, 1)

  it('leaves the others for the next one, which begins with them alone', () => {
    expect([idsOf(split), split.later.map(({ id }) => id)]).toEqual([[1], [2, 3]])
    const key = expect.stringMatching(/^0x[0-9a-f]{32}$/)
    expect(nextDraft(split)).toEqual({ ...emptyDraft, entries: three.entries.slice(1), origin: 'rent', key })
    const keyed: Draft = { ...split, key: `0x${'ab'.repeat(16)}` }
    expect(nextDraft(keyed)?.key).toBe(nextDraft({ ...keyed })?.key)
    expect(nextDraft(keyed)?.key).not.toBe(keyed.key)
    expect(nextDraft(three)).toBeNull()
    const again = splitDraft(splitDraft(three, 2), 1)
    expect(again.later.map(({ id }) => id)).toEqual([2, 3])
  })

  it('takes them back, gives nobody the number of one of them, and is whole for the team', () => {
    expect(joinDraft(split)).toEqual({ ...three, origin: 'rent', shared: '7' })
    expect(addEntry(split, 'item').id).toBe(4)
    expect(openShared(writeShared(split), null)?.entries).toEqual(three.entries)
    expect(isEmptyDraft(removeEntry(split, 0))).toBe(false)
  })
})

describe('parseDraft', () => {
  it('reads back what was stored, of every kind', () => {
    const kinds = Object.values(entryKinds).flat()
    const entries = kinds.map((kind, index) => newEntry(index + 1, kind, { recipient: '0x12', amount: '1,5' }))
    const draft: Draft = {
      entries,
      nonce: '4',
      origin: ' rent ',
      key: `0x${'ab'.repeat(16)}`,
      shared: '7',
      later: entries.map((entry) => ({ ...entry, id: entry.id + entries.length })),
    }
    expect(parseDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
    expect(isEmptyDraft(parseDraft(JSON.parse(JSON.stringify(emptyDraft))) ?? draft)).toBe(true)
  })

  it('gives an empty text to fields that were not stored, and takes no others', () => {
    const stored = {
      entries: [{ id: 1, kind: 'call', typed: { data: '0x', owner: 5, other: 'x' } }],
      nonce: null,
      origin: '',
    }
    expect(parseDraft(stored)?.entries).toEqual([newEntry(1, 'call', { data: '0x' })])
  })

  it.each([
    ['nothing', null],
    ['a text', 'x'],
    ['no entries', { entries: [], nonce: null, origin: '' }],
    ['an unknown kind', { entries: [{ id: 1, kind: 'steal', typed: {} }], nonce: null, origin: '' }],
    ['an earlier form', { kind: 'transfer', asset: 'native', recipient: '', amount: '', nonce: null, origin: '' }],
    [
      'an unknown kind for later',
      { entries: [newEntry(1)], nonce: null, origin: '', later: [{ id: 2, kind: 'steal' }] },
    ],
    ['a nonce that is no text', { entries: [newEntry(1)], nonce: 4, origin: '' }],
  ])('takes no %s', (_, stored) => {
    expect(parseDraft(stored)).toBeNull()
  })
})

describe('exactAmount', () => {
  it('writes every unit, and no zeros behind', () => {
    expect(exactAmount(1_250_000n, 6)).toBe('1.25')
    expect(exactAmount(1n, 18)).toBe('0.000000000000000001')
    expect(exactAmount(10n ** 21n, 18)).toBe('1000')
    expect(exactAmount(7n, 0)).toBe('7')
  })
})

describe('parseDraft', () => {
  it('numbers entries anew that share a number, or have one that no other could follow', () => {
    const idsFrom = (...ids: number[]) => {
      const entries = ids.map((id) => newEntry(id))
      return parseDraft({ ...emptyDraft, entries, later: [newEntry(9)] })
    }
    expect(idsFrom(4, 2)).toMatchObject({ entries: [{ id: 4 }, { id: 2 }], later: [{ id: 9 }] })
    for (const ids of [
      [1, 1],
      [3, 9],
      [1, Number.MAX_SAFE_INTEGER],
      [0, 1],
    ])
      expect(idsFrom(...ids)).toMatchObject({ entries: [{ id: 1 }, { id: 2 }], later: [{ id: 3 }] })
  })

  it('holds choices as the lists of the form have them: no field shows another one', () => {
    const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
    const choicesIn = (typed: Partial<Typed>) =>
      parseDraft({ ...emptyDraft, entries: [newEntry(1, 'set-limit', typed)] })?.entries[0]?.typed
    const [asset, owner, module] = [token.toLowerCase(), ` ${token} `, `${token}\n`]
    expect(choicesIn({ asset, owner, module })).toMatchObject({ asset: token, owner: token, module: token })
    expect(choicesIn({ asset: 'other', resetMinutes: '1440' })).toMatchObject({ asset: 'other', resetMinutes: '1440' })
    for (const resetMinutes of ['5', '1440.0', ' 1440', '0x10'])
      expect(choicesIn({ resetMinutes })).toMatchObject({ resetMinutes: '' })
  })
})

describe('openShared', () => {
  const draft: Draft = { ...emptyDraft, nonce: '4', origin: 'rent', key: `0x${'ab'.repeat(16)}` }

  it('opens what the team keeps without its nonce, and knows it for removal', () => {
    expect(openShared(writeShared(draft), '7')).toEqual({ ...emptyDraft, origin: 'rent', shared: '7' })
    expect(openShared(writeShared(draft), null)).toEqual({ ...emptyDraft, origin: 'rent' })
  })

  it.each([
    '',
    '{}',
    'null',
    '{"entries":[]}',
    '{"entries":[{"id":1,"kind":"steal","typed":{}}],"origin":"","nonce":null}',
  ])('is nothing for %j', (content) => {
    expect(openShared(content, '7')).toBeNull()
  })

  it('takes no key from elsewhere: it is not the draft that was sent there; and no entries that are not shown', () => {
    const content = JSON.stringify({ ...draft, shared: '9', later: [newEntry(2)] })
    expect(openShared(content, '7')).toMatchObject({ key: null, nonce: null, shared: '7', later: [] })
  })
})

describe('startEntry', () => {
  it('adds the entry of another limit, and not the same one with a reload', () => {
    const one = startEntry(emptyDraft, 'reset-limit', { owner: '', delegate: '0x1', asset: 'native' })
    expect(startEntry(one, 'reset-limit', { owner: '', delegate: '0x1' })).toBe(one)
    const two = startEntry(one, 'reset-limit', { owner: '', delegate: '0x2' })
    expect(two.entries.map(({ typed }) => typed.delegate)).toEqual(['0x1', '0x2'])
    const changed = newEntry(1, 'remove-owner', { owner: '0x3' })
    expect(startEntry({ ...emptyDraft, entries: [changed] }, 'remove-owner', { owner: '' }).entries).toEqual([changed])
  })
})
