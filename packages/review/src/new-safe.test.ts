import {
  deploymentAt,
  encodeCreateProxy,
  encodeProxyCreation,
  encodeSetup,
  encodeSetupToL2,
  officialDeployment,
  predictProxyAddress,
  predictSafeAddress,
} from '@countersign/safe'
import { type Address, encodeFunctionData, keccak256, parseAbi, toHex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { demandsOf } from './acknowledgements.ts'
import type { CreationSubject } from './given.ts'
import type { CreationInput } from './input.ts'
import { codeTargetsOfCreation } from './new-safe.ts'
import { reviewSubject } from './review.ts'
import { account, otherOwner, stranger } from './scene.ts'
import { hashCreation } from './subject.ts'

const third: Address = '0x5555555555555555555555555555555555555555'
const owners = [account.address, otherOwner, third]
const newSafe = { version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce: 7n } as const
const official = (kind: Parameters<typeof officialDeployment>[0]) => {
  const found = officialDeployment(kind, '1.4.1')
  if (!found) throw new Error(`The table has no ${kind}.`)
  return found
}
const [factory, singleton, handler] = [official('factory'), official('singleton-l2'), official('handler')]

/** A creation through the factory of 1.4.1 with any set-up. */
function creationWith(
  setup: Partial<Parameters<typeof encodeSetup>[0]>,
  change: { singleton?: Address } = {},
): CreationSubject {
  const creation = {
    method: 'createProxyWithNonce',
    singleton: change.singleton ?? singleton.address,
    initializer: encodeSetup({ owners, threshold: 2, fallbackHandler: handler.address, ...setup }),
    saltNonce: 7n,
    callback: null,
  } as const
  const safeAddress = predictProxyAddress({ creation, factory, chainId: 1 })
  if (!safeAddress) throw new Error('No address was predicted.')
  return { kind: 'creation', chainId: 1, safeAddress, factory: factory.address, data: encodeProxyCreation(creation) }
}

function inputOf(subject: CreationSubject, change: Partial<CreationInput> = {}): CreationInput {
  const codes = Object.fromEntries(
    codeTargetsOfCreation(subject).map((address) => {
      const codeHash = deploymentAt(address)?.codeHash
      return [address.toLowerCase(), codeHash ? { codeHash, size: 2 } : { codeHash: keccak256('0x'), size: 0 }]
    }),
  )
  return {
    ...subject,
    state: null,
    claimedHash: null,
    confirmations: [],
    others: [],
    origin: null,
    tokens: [],
    account: account.address,
    familiar: [otherOwner, third],
    nodeChainId: 1,
    codes,
    createdAddress: subject.safeAddress,
    elsewhere: [{ chainId: 10, found: 'nothing' }],
    ...change,
  }
}
const review = (change: Partial<CreationInput> = {}, subject = creationWith({})) =>
  reviewSubject(inputOf(subject, change))
const idsOf = async (...args: Parameters<typeof review>) =>
  (await review(...args)).findings.map(({ id, severity }) => `${id} ${severity}`)
const codeOf = (address: Address, delegatesTo?: Address) => ({
  [address.toLowerCase()]: { codeHash: keccak256('0x6001'), size: 2, ...(delegatesTo ? { delegatesTo } : {}) },
})

describe('the review of a Safe that is to be created', () => {
  it('matches for official code, named owners and a free address', async () => {
    const { to, data } = encodeCreateProxy(newSafe)
    const subject = {
      kind: 'creation',
      chainId: 1,
      safeAddress: predictSafeAddress(newSafe),
      factory: to,
      data,
    } as const
    expect(subject).toEqual(creationWith({}))
    const found = await reviewSubject(inputOf(subject))
    expect(found).toMatchObject({ kind: 'creation', verdict: 'matches', findings: [], hash: hashCreation(subject) })
    expect(found.kind === 'creation' && found.creation?.setup?.owners).toEqual(owners)
    expect(demandsOf(found)).toEqual([])
  })

  it('its hash is that of chain, factory and bytes: an answer holds for nothing else', () => {
    const subject = creationWith({})
    const hashes = [
      subject,
      { ...subject, chainId: 10 },
      { ...subject, factory: stranger },
      creationWith({ threshold: 3 }),
    ]
    expect(new Set(hashes.map(hashCreation)).size).toBe(4)
  })

  it.each<[string, CreationSubject]>([
    ['its setup runs unknown code', creationWith({ to: stranger, data: '0xdeadbeef' })],
    ['its singleton is no release', creationWith({}, { singleton: stranger })],
    [
      'the library that makes it one of a layer 2 installs another singleton',
      creationWith({
        ...encodeSetupToL2('1.4.1'),
        data: encodeFunctionData({ abi: parseAbi(['function setupToL2(address l2Singleton)']), args: [stranger] }),
      }),
    ],
    ['the bytes are no creation', { ...creationWith({}), data: '0xdeadbeef' }],
  ])('is closed where %s', async (_name, subject) => {
    const found = await review({}, subject)
    expect(found.verdict).toBe('do-not-sign')
    expect(demandsOf(found)[0]).toMatchObject({ way: 'never', finding: { id: 'DEPLOY-SETUP-DELEGATE' } })
  })

  it('is open for the official way to one address with the singleton of a layer 2', async () => {
    const subject = creationWith(encodeSetupToL2('1.4.1'), { singleton: official('singleton').address })
    expect(await idsOf({}, subject)).toEqual([])
  })

  it('knows code, not addresses: factory, singleton, handler with other code', async () => {
    const codes = inputOf(creationWith({})).codes
    const withOther = (address: Address) => ({ codes: { ...codes, ...codeOf(address) } })
    expect(await idsOf(withOther(factory.address))).toContain('CREATION-FACTORY critical')
    expect(await idsOf(withOther(singleton.address))).toContain('DEPLOY-SETUP-DELEGATE critical')
    expect(await idsOf(withOther(handler.address))).toContain('HANDLER-UNKNOWN critical')
    expect(await idsOf({}, { ...creationWith({}), factory: stranger })).toContain('CREATION-FACTORY critical')
  })

  it('an unknown handler and a payment at setup are critical', async () => {
    expect(await idsOf({}, creationWith({ fallbackHandler: stranger }))).toEqual(['HANDLER-UNKNOWN critical'])
    expect(await idsOf({}, creationWith({ payment: 1n, paymentReceiver: stranger }))).toEqual([
      'NESTED-REFUND critical',
    ])
    expect(await idsOf({}, creationWith({ fallbackHandler: zeroAddress }))).toEqual([])
  })

  it('the address must be free, and the one that factory and page compute', async () => {
    const subject = creationWith({})
    const { codes } = inputOf(subject)
    expect(await idsOf({ codes: { ...codes, ...codeOf(subject.safeAddress) } })).toEqual(['CREATION-ADDRESS critical'])
    expect(await idsOf({ createdAddress: stranger })).toEqual(['CREATION-ADDRESS critical'])
    expect(await idsOf({ createdAddress: 'refused' })).toEqual(['CREATION-ADDRESS critical'])
    const codesThere = { ...codes, [stranger.toLowerCase()]: { codeHash: keccak256('0x'), size: 0 } }
    expect(await idsOf({ codes: codesThere, createdAddress: stranger }, { ...subject, safeAddress: stranger })).toEqual(
      ['CREATION-ADDRESS critical'],
    )
  })

  it('without salt nobody can tell the address before', async () => {
    const initializer = encodeSetup({ owners, threshold: 2 })
    const creation = {
      method: 'createProxy',
      singleton: singleton.address,
      initializer,
      saltNonce: null,
      callback: null,
    }
    const data = encodeProxyCreation({ ...creation, method: 'createProxy' })
    expect(await idsOf({}, { ...creationWith({}), data })).toEqual(['CREATION-ADDRESS critical'])
  })

  it.each<[string, Address[], number, string[]]>([
    ['one of three', owners, 1, ['CREATION-ONE-SIGNATURE high']],
    ['a single owner', [account.address], 1, ['CREATION-ONE-SIGNATURE high']],
    ['all of three', owners, 3, ['CREATION-ALL-OWNERS medium']],
    ['an owner without a name', [account.address, stranger, third], 2, ['CREATION-UNNAMED high']],
  ])('owners and threshold: %s', async (_name, newOwners, threshold, expected) => {
    expect(await idsOf({}, creationWith({ owners: newOwners, threshold }))).toEqual(expected)
  })

  it('more owners than one transaction has gas for are told, and not one fewer', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => toHex(index + 1_000, { size: 20 }))
    const told = async (count: number) => {
      const { findings } = await review({}, creationWith({ owners: many(count) }))
      return findings.filter(({ id }) => id === 'CREATION-TOO-LARGE')
    }
    expect(await idsOf({}, creationWith({ owners: many(683) }))).toContain('CREATION-TOO-LARGE high')
    expect(await told(682)).toEqual([])
    expect(await told(683)).toMatchObject([
      { severity: 'high', evidence: { owners: 683, gasNeeded: 16_800_000, gasLimit: 16_777_216n } },
    ])
  })

  it('an owner whose account runs code of somebody else is told', async () => {
    const { codes } = inputOf(creationWith({}))
    const findings = await idsOf({ codes: { ...codes, ...codeOf(third, stranger) } })
    expect(findings).toEqual(['OWNER-7702 high'])
  })

  it('the same address elsewhere: the same Safe is fine; other owners, another threshold, other code are told', async () => {
    const at = (found: NonNullable<CreationInput['elsewhere']>[number]['found']) =>
      idsOf({ elsewhere: [{ chainId: 10, found }] })
    expect(await at({ owners: [third, account.address, otherOwner], threshold: 2 })).toEqual([])
    expect(await at({ owners, threshold: 1 })).toEqual(['CREATION-ELSEWHERE high'])
    expect(await at({ owners: [account.address, otherOwner, stranger], threshold: 2 })).toEqual([
      'CREATION-ELSEWHERE high',
    ])
    expect(await at('other-code')).toEqual(['CREATION-ELSEWHERE high'])
    expect(await at('unanswered')).toEqual(['INPUT-MISSING info'])
  })

  it('is not open while code, address or the factory are not read', async () => {
    for (const missing of [{ codes: undefined }, { createdAddress: undefined }]) {
      const found = await review(missing)
      expect(found.verdict).toBe('cannot-verify')
      expect(demandsOf(found).every(({ way }) => way === 'never')).toBe(true)
    }
    expect((await review({ nodeChainId: 5 })).verdict).toBe('do-not-sign')
  })
})
