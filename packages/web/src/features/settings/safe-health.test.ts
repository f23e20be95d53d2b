import { officialDeployments, type SafeState } from '@countersign/safe'
import { type Address, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type HealthPoint, healthAddresses, safeHealth } from './safe-health.ts'

const [alice, bob, carol, other] = ['1', '2', '3', '4'].map((digit) => `0x${digit.repeat(40)}`) as [
  Address,
  Address,
  Address,
  Address,
]
const handler = officialDeployments().find(({ kind, version }) => kind === 'handler' && version === '1.4.1')
if (!handler) throw new Error('no handler of 1.4.1')
const empty = { codeHash: keccak256('0x'), size: 0 }

const state: SafeState = {
  chainId: 1,
  address: other,
  blockNumber: 1n,
  owners: [alice, bob, carol],
  threshold: 2,
  nonce: 0n,
  proxyCodeHash: '0x',
  isOfficialProxy: true,
  singleton: other,
  singletonCodeHash: '0x',
  version: '1.4.1+L2',
  reportedVersion: '1.4.1',
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: handler.address,
  balance: 0n,
}
const codes = {
  ...Object.fromEntries(state.owners.map((owner) => [owner, empty])),
  [handler.address.toLowerCase()]: { codeHash: handler.codeHash ?? '0x', size: 1 } as const,
}

function point<Id extends HealthPoint['id']>(id: Id, changes: Partial<SafeState> = {}, read: typeof codes = codes) {
  return safeHealth({ ...state, ...changes }, read).find((known) => known.id === id)
}

describe('safeHealth', () => {
  test('default: an official Safe of 2 of 3 keys has nothing to improve', () => {
    expect(safeHealth(state, codes).map(({ id, level }) => `${id} ${level}`)).toEqual([
      'code good',
      'handler good',
      'modules good',
      'guard good',
      'threshold good',
      'owners good',
    ])
    expect(healthAddresses(state)).toEqual([alice, bob, carol, handler.address])
  })

  test('behavior: code that is no release, or says that it is another, is a danger; old code can be better', () => {
    expect(point('code', { version: null })).toMatchObject({ level: 'danger' })
    expect(point('code', { isOfficialProxy: false })).toMatchObject({ level: 'danger' })
    expect(point('code', { reportedVersion: '1.3.0' })).toMatchObject({ level: 'danger' })
    expect(point('code', { version: '1.1.1', reportedVersion: '1.1.1' })).toMatchObject({ level: 'improve' })
  })

  test('behavior: a handler is known by address and code; without its code nothing is said of it', () => {
    expect(point('handler', { fallbackHandler: other })).toMatchObject({ level: 'improve', address: other })
    expect(point('handler', {}, {} as typeof codes)).toMatchObject({ level: 'missing' })
    const changed = { ...codes, [handler.address.toLowerCase()]: { codeHash: keccak256('0x01'), size: 1 } }
    expect(point('handler', {}, changed as typeof codes)).toMatchObject({ level: 'improve' })
    expect(point('handler', { fallbackHandler: null })).toMatchObject({ level: 'good' })
  })

  test('behavior: modules are a danger, each guard is named', () => {
    expect(point('modules', { modules: [other] })).toMatchObject({ level: 'danger', addresses: [other] })
    expect(point('guard', { guard: other, moduleGuard: alice })).toMatchObject({ addresses: [other, alice] })
  })

  test('behavior: a threshold of one, of all, and a single owner', () => {
    const is = (owners: Address[], threshold: number) => point('threshold', { owners, threshold })
    expect(is([alice], 1)).toMatchObject({ is: 'one-owner', level: 'improve' })
    expect(is([alice, bob], 1)).toMatchObject({ is: 'one-of-many', level: 'improve' })
    expect(is([alice, bob], 2)).toMatchObject({ is: 'all', level: 'improve' })
  })

  test('behavior: an owner that runs the code of others outweighs one that could not be read', () => {
    const delegated = { codeHash: keccak256('0x02'), size: 23, delegatesTo: other }
    const read = { [alice]: delegated, [bob]: empty }
    expect(point('owners', {}, read as typeof codes)).toMatchObject({ level: 'danger', addresses: [alice] })
    expect(point('owners', {}, { [bob]: empty } as typeof codes)).toMatchObject({
      level: 'missing',
      addresses: [alice, carol],
    })
  })
})
