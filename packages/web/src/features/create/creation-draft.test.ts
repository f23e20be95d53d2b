import { newSafeReleases } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type CreationTyped,
  chosenRelease,
  emptyTyped,
  planSafe,
  readTyped,
  sharedReleases,
  withAddress,
} from './creation-draft.ts'

const anna = '0x1111111111111111111111111111111111111111'
const bruno = '0x2222222222222222222222222222222222222222'
const [newest] = newSafeReleases()
const typed: CreationTyped = {
  name: ' Treasury ',
  chainIds: [1, 10],
  threshold: 2,
  release: '',
  salt: '7',
  owners: [
    { address: anna, name: '' },
    { address: ` ${bruno} `, name: ' Bruno ' },
  ],
}
const faultsOf = (change: Partial<CreationTyped>) => {
  const { owners, salt, chainIds } = readTyped({ ...typed, ...change })
  return [...owners, salt, chainIds].flatMap((reading) => ('error' in reading ? [reading.error] : []))
}

describe('the form of a new Safe', () => {
  test('is one call of a factory, and one address for all chains', () => {
    const planned = planSafe(typed, newest)
    expect(planned).toMatchObject({
      name: 'Treasury',
      chainIds: [1, 10],
      owners: [anna, bruno],
      threshold: 2,
      names: [{ address: bruno, name: 'Bruno' }],
      factory: newest?.contracts.factory.address,
    })
    expect(planSafe({ ...typed, chainIds: [5] }, newest)?.safeAddress).toBe(planned?.safeAddress)
    const others = [{ salt: '8' }, { threshold: 1 }, { owners: typed.owners.toReversed() }]
    const addresses = others.map((change) => planSafe({ ...typed, ...change }, newest)?.safeAddress)
    expect(new Set([planned?.safeAddress, ...addresses]).size).toBe(4)
  })

  test.each<[string, Partial<CreationTyped>, string]>([
    ['an owner twice', { owners: [...typed.owners, { address: anna, name: '' }] }, 'create.owner.twice'],
    ['the zero address', { owners: [{ address: zeroAddress, name: '' }] }, 'create.owner.reserved'],
    ['no chain', { chainIds: [] }, 'create.chains.none'],
    ['a salt in hexadecimal', { salt: '0x7' }, 'create.salt.wrong'],
    ['a salt that is too large', { salt: String(2n ** 256n) }, 'create.salt.wrong'],
    ['no salt', { salt: '' }, 'create.salt.wrong'],
  ])('refuses %s', async (_name, change, key) => {
    const { text } = await import('./text.ts')
    expect(faultsOf(change)).toEqual([text(key as 'create.owner.twice')])
    expect(planSafe({ ...typed, ...change }, newest)).toBeNull()
  })

  test('refuses a wrong checksum and half an address', () => {
    for (const address of ['0x1234', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'])
      expect(planSafe({ ...typed, owners: [{ address, name: '' }] }, newest)).toBeNull()
  })

  test('begins with the account itself, two owners, and a salt of its own', () => {
    const [one, other] = [emptyTyped(anna, [10, 1]), emptyTyped(anna, [10, 1])]
    expect(one).toMatchObject({ chainIds: [10], threshold: 2, owners: [{ address: anna }, { address: '' }] })
    expect(one.salt).not.toBe(other.salt)
  })

  test('names an owner as the reader knows the address, and nobody by the name of the address before', () => {
    const known = [
      { address: anna, name: 'Anna' },
      { address: bruno, name: 'Bruno' },
    ]
    const named = withAddress({ address: '', name: '' }, anna, known)
    expect(named).toEqual({ address: anna, name: 'Anna' })
    expect(withAddress(named, ` ${bruno}`, known)).toEqual({ address: ` ${bruno}`, name: 'Bruno' })
    expect(withAddress(named, anna.slice(0, -1), known)).toMatchObject({ name: '' })
    expect(withAddress({ ...named, name: 'Anna, paper' }, bruno, known)).toMatchObject({ name: 'Anna, paper' })
  })

  test('offers the releases that all chains have, the newest chosen', () => {
    const releases = sharedReleases([
      ['1.5.0 canonical', '1.4.1 canonical', '1.3.0 eip155'],
      ['1.4.1 canonical', '1.3.0 canonical', '1.3.0 eip155'],
    ])
    expect(releases.map(({ version, place }) => `${version} ${place}`)).toEqual(['1.4.1 canonical', '1.3.0 eip155'])
    expect(chosenRelease(typed, releases)?.version).toBe('1.4.1')
    expect(chosenRelease({ ...typed, release: '1.3.0 eip155' }, releases)?.version).toBe('1.3.0')
    // The release chosen before another chain was added may be missing there.
    expect(chosenRelease({ ...typed, release: '1.5.0 canonical' }, releases)?.version).toBe('1.4.1')
    expect(planSafe(typed, undefined)).toBeNull()
  })
})
