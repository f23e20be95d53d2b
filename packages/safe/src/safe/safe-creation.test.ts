import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { concatHex, getAddress, type Hex, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { type Deployment, officialDeployment } from '../deployments/deployments.ts'
import { eravmProxyHashes } from '../deployments/eravm-code.ts'
import {
  type CreationMethod,
  decodeSafeCreation,
  encodeCreateProxy,
  encodeProxyCreation,
  type ProxyCreation,
  predictProxyAddress,
  predictSafeAddress,
} from './safe-creation.ts'
import { encodeSetup, encodeSetupToL2 } from './safe-setup.ts'

const alice = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

function official(kind: Deployment['kind'], version: string, place: Deployment['place'] = 'canonical'): Deployment {
  const found = officialDeployment(kind, version, place)
  if (found === null) throw new Error(`There is no ${kind} ${version}.`)
  return found
}

const creation: ProxyCreation = {
  method: 'createProxyWithNonce',
  singleton: official('singleton', '1.4.1').address,
  initializer: encodeSetup({ owners: [alice, bob], threshold: 2 }),
  saltNonce: 7n,
  callback: null,
}

const hex = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
const methods: CreationMethod[] = [
  'createProxy',
  'createProxyWithNonce',
  'createProxyWithCallback',
  'createChainSpecificProxyWithNonce',
  'createProxyWithNonceL2',
  'createChainSpecificProxyWithNonceL2',
]

describe('decodeSafeCreation', () => {
  it('default', () => {
    const factory = official('factory', '1.4.1')
    const setup = { owners: [alice, bob], threshold: 2, ...encodeSetupToL2('1.4.1'), fallbackHandler: bob } as const
    const data = encodeProxyCreation({ ...creation, initializer: encodeSetup(setup) })
    expect(decodeSafeCreation({ to: factory.address, data })).toMatchObject({
      method: 'createProxyWithNonce',
      factory,
      singleton: creation.singleton,
      saltNonce: 7n,
      callback: null,
      setup: { ...setup, layout: '1.1.1', payment: 0n },
      action: { kind: 'to-l2', l2Singleton: official('singleton-l2', '1.4.1').address },
    })
  })

  it('behavior: what a factory is called with is read back, whichever function and initializer', () => {
    const creations = fc.record({
      method: fc.constantFrom(...methods),
      singleton: hex(20, 20).map((bytes) => getAddress(bytes)),
      initializer: hex(0, 100),
      saltNonce: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      callback: hex(20, 20).map((bytes) => getAddress(bytes)),
    })
    fc.assert(
      fc.property(creations, (creation) => {
        const { method } = creation
        const expected = {
          ...creation,
          saltNonce: method === 'createProxy' ? null : creation.saltNonce,
          callback: method === 'createProxyWithCallback' ? creation.callback : null,
        }
        const data = encodeProxyCreation(expected)
        const decoded = decodeSafeCreation({ to: alice, data })
        expect(decoded).toEqual({ ...expected, factory: null, setup: null, action: null })
        expect(decodeSafeCreation({ to: alice, data: concatHex([data, '0x00']) })).toBeNull()
      }),
      runs(100),
    )
    const selectors = fc.constantFrom('0x61b69abd', '0x1688f0b9', '0xd18af54d', '0xec9e80bb')
    fc.assert(
      fc.property(selectors, hex(0, 200), (selector, bytes) => {
        expect(decodeSafeCreation({ to: alice, data: concatHex([selector, bytes]) })).toBeNull()
      }),
      runs(100),
    )
  })

  it('error: FIELD_MALFORMED when the method takes what is missing', () => {
    const malformed = (field: string) =>
      expect.objectContaining({ code: 'FIELD_MALFORMED', data: expect.objectContaining({ field }) })
    expect(() => encodeProxyCreation({ ...creation, saltNonce: null })).toThrow(malformed('saltNonce'))
    expect(() => encodeProxyCreation({ ...creation, method: 'createProxyWithCallback' })).toThrow(malformed('callback'))
  })
})

describe('predictProxyAddress', () => {
  const predict = (change: Partial<ProxyCreation>, chainId = 1, factory = official('factory', '1.4.1')) =>
    predictProxyAddress({ creation: { ...creation, ...change }, factory, chainId })

  it('behavior: a chain-specific address differs by chain, the others do not', () => {
    const method = 'createChainSpecificProxyWithNonce'
    expect(predict({ method }, 1)).not.toBe(predict({ method }, 10))
    expect(predict({ method }, 1)).toBe(predict({ method: 'createChainSpecificProxyWithNonceL2' }, 1))
    expect(predict({}, 1)).toBe(predict({}, 10))
    expect(predict({})).not.toBe(predict({ method: 'createProxyWithCallback', callback: zeroAddress }))
  })

  it('behavior: does not pretend to know where createProxy goes', () => {
    expect(predict({ method: 'createProxy', saltNonce: null })).toBeNull()
  })

  it('behavior: the proxies of zkSync are those that protocol-kit computes with', () => {
    const require = createRequire(import.meta.url)
    const kit = readFileSync(require.resolve('@safe-global/protocol-kit'), 'utf8')
    const ours = readFileSync(new URL('./safe-creation.ts', import.meta.url), 'utf8')
    const [prefix] = ours.match(/0x[0-9a-f]{64}/) ?? []
    const hashes = [...eravmProxyHashes.values(), prefix]
    expect(hashes).toHaveLength(3)
    for (const hash of hashes) expect(kit).toContain(hash)
    const factory = official('factory', '1.4.1', 'zksync')
    expect(predict({}, 324, factory)).not.toBe(predict({}, 324, { ...factory, place: 'canonical' }))
  })

  it('error: UNSUPPORTED_SAFE_VERSION', () => {
    const unsupported = expect.objectContaining({ code: 'UNSUPPORTED_SAFE_VERSION' })
    expect(() => predict({}, 1, { ...official('factory', '1.4.1'), version: '2.0.0' })).toThrow(unsupported)
    expect(() => predict({}, 324, { ...official('factory', '1.5.0'), place: 'zksync' })).toThrow(unsupported)
    const safe = {
      version: '1.5.0',
      isL2: true,
      owners: [alice],
      threshold: 1,
      saltNonce: 0n,
      place: 'zksync',
    } as const
    expect(() => predictSafeAddress(safe)).toThrow(unsupported)
  })
})

describe('encodeCreateProxy', () => {
  it('behavior: is what predictSafeAddress has predicted', () => {
    const safe = { version: '1.3.0', isL2: false, owners: [alice, bob], threshold: 2, saltNonce: 5n } as const
    const call = encodeCreateProxy(safe)
    const decoded = decodeSafeCreation(call)
    if (!decoded?.factory) throw new Error('The call is not read back.')
    expect(decoded.setup).toMatchObject({ owners: [alice, bob], threshold: 2 })
    expect(predictProxyAddress({ creation: decoded, factory: decoded.factory, chainId: 1 })).toBe(
      predictSafeAddress(safe),
    )
  })
})
