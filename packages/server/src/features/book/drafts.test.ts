import { call, listActivity, listDrafts, removeDraft, shareDraft } from '@countersign/contract'
import type { Address } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  chainId,
  dave,
  makeDelegate,
  openTeam,
} from '../../test/scene.ts'
import { codeOf } from '../../test/test-server.ts'

let place: { chainId: number; safeAddress: Address }
const rent = { name: 'Rent', content: '{"entries":[]}', isTemplate: true }

openTeam()
beforeAll(async () => {
  place = { chainId, safeAddress: await addedSafe() }
})

const namesSeen = async () => (await call(asBob, listDrafts, place)).drafts.map(({ name }) => name)

describe('shareDraft', () => {
  test('default: the team reads it, the same again changes nothing, any owner removes it, and both are told', async () => {
    const kept = await call(asAlice, shareDraft, { ...place, ...rent })
    expect(await call(asAlice, shareDraft, { ...place, ...rent })).toEqual(kept)
    expect((await call(asBob, listDrafts, place)).drafts).toEqual([{ ...kept, author: alice.address, ...rent }])
    await call(asBob, removeDraft, { ...place, id: kept.id })
    await call(asBob, removeDraft, { ...place, id: kept.id })
    expect(await namesSeen()).toEqual([])
    const { entries } = await call(asAlice, listActivity, place)
    const told = entries.filter(({ verb }) => verb.endsWith('-draft')).map(({ verb, detail }) => [verb, detail?.name])
    expect(told).toEqual([
      ['removed-draft', 'Rent'],
      ['shared-draft', 'Rent'],
    ])
  })

  test('error: SAFE_NOT_FOUND for others, and TOO_MANY beyond what one author may keep', async () => {
    expect(await codeOf(call(asStranger, shareDraft, { ...place, ...rent }))).toBe('SAFE_NOT_FOUND')
    await makeDelegate(place.safeAddress, alice.address)
    const codes = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((at) => codeOf(call(asDave, shareDraft, { ...place, ...rent, name: `Draft ${at}` }))),
    )
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(1)
    const { drafts } = await call(asBob, listDrafts, place)
    expect(drafts.map(({ author }) => author)).toEqual(Array(5).fill(dave.address))
  })

  test('error: INVALID_REQUEST for a name that hides something, and for content that is too long', async () => {
    for (const odd of [{ name: 'a\u202eb' }, { name: ' ' }, { content: 'x'.repeat(50_001) }])
      expect(await codeOf(call(asAlice, shareDraft, { ...place, ...rent, ...odd }))).toBe('INVALID_REQUEST')
  })
})
