import fc from 'fast-check'
import { concatHex, getAddress, type Hex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { officialDeployment } from '../deployments/deployments.ts'
import { decodeSetup, describeSetupAction, encodeSetup, encodeSetupToL2, type SafeSetup } from './safe-setup.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const handler = '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99'

const hex = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const address = hex(20, 20).map((bytes) => getAddress(bytes))
const setups: fc.Arbitrary<SafeSetup> = fc
  .record({
    owners: fc.uniqueArray(
      address.filter((address) => BigInt(address) > 1n),
      { minLength: 1, maxLength: 6 },
    ),
    to: address,
    data: hex(0, 80),
    fallbackHandler: address,
    paymentToken: address,
    payment: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    paymentReceiver: address,
  })
  .chain((setup) => fc.integer({ min: 1, max: setup.owners.length }).map((threshold) => ({ ...setup, threshold })))

const nothing = { fallbackHandler: zeroAddress, paymentToken: zeroAddress, payment: 0n, paymentReceiver: zeroAddress }

describe('encodeSetup', () => {
  it.each([
    ['0.1.0', '0.1.0', '0x0ec78d9e'],
    ['1.0.0', '1.0.0', '0xa97ab18a'],
    ['1.1.1', '1.1.1', '0xb63e800d'],
    ['1.5.0+L2', '1.1.1', '0xb63e800d'],
  ] as const)('default: what it writes for %s is read back', (version, layout, selector) => {
    fc.assert(
      fc.property(setups, (full) => {
        const setup =
          layout === '0.1.0'
            ? { ...full, ...nothing }
            : layout === '1.0.0'
              ? { ...full, fallbackHandler: zeroAddress }
              : full
        const data = encodeSetup(setup, version)
        expect(data.slice(0, 10)).toBe(selector)
        expect(decodeSetup(data)).toEqual({ ...setup, layout })
      }),
      runs(50),
    )
  })

  it.each<[string, string, Parameters<typeof encodeSetup>]>([
    ['nobody', 'owners', [{ owners: [], threshold: 1 }]],
    ['an owner twice', 'owners', [{ owners: [alice, bob, alice], threshold: 1 }]],
    ['the zero address', 'owners', [{ owners: [alice, zeroAddress], threshold: 1 }]],
    ['the sentinel', 'owners', [{ owners: ['0x0000000000000000000000000000000000000001'], threshold: 1 }]],
    ['threshold zero', 'threshold', [{ owners: [alice], threshold: 0 }]],
    ['more than there are', 'threshold', [{ owners: [alice], threshold: 2 }]],
    ['half an owner', 'threshold', [{ owners: [alice, bob], threshold: 1.5 }]],
    [
      'a handler before there were any',
      'fallbackHandler',
      [{ owners: [alice], threshold: 1, fallbackHandler: handler }, '1.0.0'],
    ],
    ['a payment before there was any', 'payment', [{ owners: [alice], threshold: 1, payment: 1n }, '0.1.0']],
  ])('error: SAFE_SETUP_INVALID: %s', (_name, field, args) => {
    expect(() => encodeSetup(...args)).toThrow(
      expect.objectContaining({ code: 'SAFE_SETUP_INVALID', data: expect.objectContaining({ field }) }),
    )
  })

  it('error: FIELD_MALFORMED', () => {
    const malformed = (field: string) =>
      expect.objectContaining({ code: 'FIELD_MALFORMED', data: expect.objectContaining({ field }) })
    const owners = [alice] as const
    expect(() => encodeSetup({ owners: ['0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'], threshold: 1 })).toThrow(
      malformed('owners'),
    )
    expect(() => encodeSetup({ owners, threshold: 1, data: '0x123' })).toThrow(malformed('data'))
    expect(() => encodeSetup({ owners, threshold: 1, payment: 2n ** 256n })).toThrow(malformed('payment'))
    expect(() => encodeSetup({ owners, threshold: 1, to: '0x12' })).toThrow(malformed('to'))
  })
})

describe('decodeSetup', () => {
  const data = encodeSetup({ owners: [alice, bob], threshold: 2 })
  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['another function', '0xa9059cbb'],
    ['bytes left over', concatHex([data, '0x00'])],
    ['bytes cut off', data.slice(0, -2) as Hex],
    [
      'an owner with dirty bytes',
      data.replace(
        `${'0'.repeat(24)}${alice.slice(2).toLowerCase()}`,
        `${'0'.repeat(23)}1${alice.slice(2).toLowerCase()}`,
      ) as Hex,
    ],
    ['a threshold beyond all numbers', data.replace('2'.padStart(64, '0'), 'f'.repeat(64)) as Hex],
  ])('behavior: is null for %s', (_name, bytes) => {
    expect(bytes).not.toBe(data)
    expect(decodeSetup(bytes)).toBeNull()
  })

  it('behavior: answers whatever it is given', () => {
    fc.assert(
      fc.property(hex(0, 400), fc.constantFrom('0x0ec78d9e', '0xa97ab18a', '0xb63e800d'), (bytes, selector) => {
        expect(decodeSetup(`${selector}${bytes.slice(2)}` as Hex)).toBeNull()
      }),
      runs(100),
    )
  })
})

describe('describeSetupAction', () => {
  it('default', () => {
    const toL2 = encodeSetupToL2('1.4.1')
    const l2Singleton = officialDeployment('singleton-l2', '1.4.1')?.address
    expect(describeSetupAction(toL2)).toMatchObject({ kind: 'to-l2', l2Singleton, library: { name: 'SafeToL2Setup' } })
    expect(describeSetupAction({ to: zeroAddress, data: '0x' })).toEqual({ kind: 'none' })
  })

  it('behavior: names the modules that SafeModuleSetup enables', () => {
    const to = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47'
    // enableModules of the 4337 module, as accounts with passkeys are created.
    const data =
      `0x8d0dc49f${'20'.padStart(64, '0')}${'1'.padStart(64, '0')}${'75cf11467937ce3F2f357CE24ffc3DBF8fD5c226'.toLowerCase().padStart(64, '0')}` as Hex
    expect(describeSetupAction({ to, data })).toMatchObject({
      kind: 'enable-modules',
      modules: ['0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226'],
    })
  })

  it('behavior: a library, or a function, that is not meant for it is unknown', () => {
    const { to, data } = encodeSetupToL2('1.5.0')
    expect(describeSetupAction({ to: alice, data })).toEqual({ kind: 'unknown', to: alice, data })
    expect(describeSetupAction({ to, data: '0x' }).kind).toBe('unknown')
    expect(describeSetupAction({ to, data: concatHex([data, '0x00']) }).kind).toBe('unknown')
    expect(describeSetupAction({ to: officialDeployment('multi-send', '1.4.1')?.address ?? alice, data }).kind).toBe(
      'unknown',
    )
  })

  it('error: UNSUPPORTED_SAFE_VERSION', () => {
    expect(() => encodeSetupToL2('1.3.0')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_SAFE_VERSION' }))
  })
})
