import { zeroHash } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { guardedStorage } from '../../../device/guarded-storage.ts'
import { type Draft, emptyDraft, newEntry, withKey } from '../draft.ts'
import { noteSent, sentAs } from './sent-drafts.ts'

const KEY = 'countersign.sent-drafts'
const draft = withKey({ ...emptyDraft, entries: [newEntry(1, 'transfer', { recipient: '0x1', amount: '2' })] })
const sent = { hash: zeroHash, nonce: 4n }
const find = (of: Draft) => sentAs(of, guardedStorage.getItem(KEY)).map(({ hash, nonce }) => ({ hash, nonce }))

beforeEach(() => guardedStorage.removeItem(KEY))

describe('sentAs', () => {
  it('knows the draft in whichever tab, whatever its nonce and note are there', () => {
    noteSent(draft, sent)
    noteSent(draft, sent)
    expect(find(JSON.parse(JSON.stringify({ ...draft, nonce: '9', origin: 'rent' })))).toEqual([sent])
  })

  it('takes neither a draft that was changed nor another one with the same content for it', () => {
    noteSent(draft, sent)
    expect(find({ ...draft, entries: [newEntry(1, 'transfer', { recipient: '0x1', amount: '3' })] })).toEqual([])
    expect(find(withKey({ ...draft, key: null }))).toEqual([])
    expect(find({ ...draft, key: null })).toEqual([])
  })

  it('forgets the oldest of very many', () => {
    for (let index = 0; index < 101; index++) noteSent(withKey({ ...draft, key: null }), sent)
    expect(JSON.parse(guardedStorage.getItem(KEY) ?? '')).toHaveLength(100)
  })

  it.each([
    'nonsense',
    '{}',
    '[null, 5, {}]',
    JSON.stringify([{ key: draft.key, content: zeroHash, hash: '0x12', nonce: '1' }]),
  ])('finds nothing in %s', (stored) => {
    expect(sentAs(draft, stored)).toEqual([])
  })
})
