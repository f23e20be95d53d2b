import { createRequire } from 'node:module'
import { type CreationSubject, collectFacts, readFact, reviewSubject } from '@countersign/review'
import {
  decodeSafeCreation,
  decodeSafeEvent,
  encodeCreateProxy,
  encodeProxyCreation,
  encodeSetup,
  encodeSetupToL2,
  officialProxyVersion,
  predictProxyAddress,
  predictSafeAddress,
  type RpcRequest,
  readSafeState,
} from '@countersign/safe'
import fc from 'fast-check'
import { type Address, decodeAbiParameters, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { demoAccounts } from './accounts.ts'
import { canonicalContract } from './canonical-contracts.ts'
import { readCodes, requestNode, sendAll } from './node-client.ts'
import { deployOldContracts, oldContract } from './old-safes.ts'
import { type Devnet, startDevnet } from './start.ts'
import { type AnyVersion, anyAddress, bytesOf, callAll } from './test-safes.ts'

type ProxyCreation = Parameters<typeof encodeProxyCreation>[0]

const RUNS = 40
const sender = demoAccounts[8].address
const owners = [demoAccounts[4].address, demoAccounts[5].address]

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  for (const version of ['0.1.0', '1.0.0', '1.1.1', '1.2.0'] as const)
    await deployOldContracts(devnet.rpcUrl, version, sender)
})
afterAll(() => devnet?.close())

type Release = { version: AnyVersion; methods: readonly ProxyCreation['method'][] }
const releases: readonly Release[] = [
  { version: '1.0.0', methods: ['createProxyWithNonce'] },
  { version: '1.1.1', methods: ['createProxyWithNonce', 'createProxyWithCallback'] },
  { version: '1.2.0', methods: ['createProxyWithNonce', 'createProxyWithCallback'] },
  { version: '1.3.0', methods: ['createProxyWithNonce', 'createProxyWithCallback'] },
  {
    version: '1.4.1',
    methods: ['createProxyWithNonce', 'createProxyWithCallback', 'createChainSpecificProxyWithNonce'],
  },
  {
    version: '1.5.0',
    methods: [
      'createProxyWithNonce',
      'createChainSpecificProxyWithNonce',
      'createProxyWithNonceL2',
      'createChainSpecificProxyWithNonceL2',
    ],
  },
]
const cases = releases.flatMap(({ version, methods }) => methods.map((method) => ({ version, method })))

/** Official code where the packages have it. The proxies of 1.0.0 and 1.2.0 differ from it in their metadata. */
function contractsOf(version: AnyVersion): {
  singleton: Address
  factory: Parameters<typeof predictProxyAddress>[0]['factory']
} {
  switch (version) {
    case '0.1.0':
    case '1.0.0':
    case '1.2.0': {
      const name = version === '1.2.0' ? 'GnosisSafeProxy' : 'Proxy'
      const { bytecode } = createRequire(import.meta.url)(`safe-contracts-${version}/build/contracts/${name}.json`) as {
        bytecode: Hex
      }
      const { address } = oldContract(version, 'proxy_factory')
      return {
        singleton: oldContract(version, 'gnosis_safe').address,
        factory: { address, creationCode: bytecode },
      }
    }
    case '1.1.1': {
      const { address } = oldContract(version, 'proxy_factory')
      const singleton = oldContract(version, 'gnosis_safe').address
      return { singleton, factory: { address, version, place: 'canonical' } }
    }
    default: {
      const asset = version === '1.3.0' ? 'gnosis_safe' : 'safe'
      const { address } = canonicalContract(version, version === '1.3.0' ? 'proxy_factory' : 'safe_proxy_factory')
      return {
        singleton: getAddress(canonicalContract(version, asset).address),
        factory: { address, version, place: 'canonical' },
      }
    }
  }
}

function request(): RpcRequest {
  return ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params)
}

describe('predictProxyAddress', () => {
  test.each(cases)('is where $method of the factory $version puts it', async ({ version, method }) => {
    const { singleton, factory } = contractsOf(version)
    const people = fc.uniqueArray(
      anyAddress.filter((address) => BigInt(address) > 1n),
      { minLength: 1, maxLength: 5 },
    )
    const inputs = fc.record({
      owners: people,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      handler: anyAddress,
      saltNonce: bytesOf(32, 32).map(BigInt),
      isSetUp: fc.boolean(),
    })
    // Zero is not called back; anything else would have to answer.
    const callback =
      method === 'createProxyWithCallback' ? ('0x0000000000000000000000000000000000000000' as const) : null
    const creations = fc.sample(inputs, runs(RUNS)).map((input): ProxyCreation => {
      const setup = {
        owners: input.owners,
        threshold: 1 + Math.floor(input.share * (input.owners.length - 1)),
        ...(version === '1.0.0' ? {} : { fallbackHandler: input.handler }),
      }
      const initializer = input.isSetUp ? encodeSetup(setup, version) : '0x'
      return { method, singleton, initializer, saltNonce: input.saltNonce, callback }
    })
    const results = await callAll(
      devnet.rpcUrl,
      creations.map((creation) => ({ to: factory.address, data: encodeProxyCreation(creation) })),
    )
    results.forEach((result, at) => {
      const creation = creations[at]
      if (!creation || result.isReverted) throw new Error(`Creation ${at} reverted: ${result.data}`)
      const [address] = decodeAbiParameters([{ type: 'address' }], result.data)
      expect(predictProxyAddress({ creation, factory, chainId: devnet.chainId })).toBe(address)
    })
  })

  test.each(cases)('and what is there is the Safe: $method of $version', async ({ version, method }) => {
    const { singleton, factory } = contractsOf(version)
    const isL2Setup = version === '1.4.1' || version === '1.5.0'
    const setup = { owners, threshold: 2, ...(isL2Setup ? encodeSetupToL2(version) : {}) }
    const initializer = encodeSetup(setup, version)
    const callback =
      method === 'createProxyWithCallback' ? ('0x0000000000000000000000000000000000000000' as const) : null
    // The L2 methods reach the same address as those without.
    const saltNonce = 2n ** 255n + BigInt(method.length)
    const creation: ProxyCreation = { method, singleton, initializer, saltNonce, callback }
    const address = predictProxyAddress({ creation, factory, chainId: devnet.chainId })
    if (address === null) throw new Error('No address was predicted.')
    const data = encodeProxyCreation(creation)
    const [receipt] = await sendAll(devnet.rpcUrl, sender, [{ to: factory.address, data, gas: 1_000_000n }])

    const state = await readSafeState(request(), address, devnet.chainId)
    const l2 = isL2Setup ? canonicalContract(version, 'safe_l2').address : singleton
    expect(state).toMatchObject({ owners, threshold: 2, singleton: getAddress(l2) })
    const events = (receipt?.logs ?? []).map((log) => decodeSafeEvent(log))
    const created = events.find((event) => event?.name === 'ProxyCreation')
    const knowsSingleton = !['1.0.0', '1.1.1', '1.2.0'].includes(version)
    expect(created).toMatchObject({ proxy: address, singleton: knowsSingleton ? singleton : null })
    if (method.endsWith('L2'))
      expect(events.some((event) => event?.name.endsWith('CreationL2') && 'initializer' in event)).toBe(true)

    const decoded = decodeSafeCreation({ to: factory.address, data })
    expect(decoded).toMatchObject({ ...creation, setup, action: { kind: isL2Setup ? 'to-l2' : 'none' } })
    const [code] = await readCodes(devnet.rpcUrl, [address])
    const isPackageOfficial = version !== '1.0.0' && version !== '1.2.0'
    expect(officialProxyVersion(code ?? '0x')).toBe(isPackageOfficial ? version : null)
    expect(state.isOfficialProxy).toBe(isPackageOfficial)
  })
})

describe('the review of a creation', () => {
  const reviewOf = async (subject: CreationSubject, chainIds: number[] = []) => {
    const given = {
      ...subject,
      state: null,
      claimedHash: null,
      confirmations: [],
      others: [],
      origin: null,
      tokens: [],
      chainIds,
      account: sender,
      familiar: owners,
    }
    const facts = await collectFacts(given, (needed) => readFact(() => request(), needed))
    return reviewSubject({ ...given, ...facts })
  }

  test.each(['1.3.0', '1.4.1', '1.5.0'] as const)(
    'reads real contracts of %s: free before, taken after',
    async (version) => {
      const safe = { version, isL2: true, owners: [...owners, sender], threshold: 2, saltNonce: 2n ** 200n }
      const { to, data } = encodeCreateProxy(safe)
      const safeAddress = predictSafeAddress(safe)
      const subject = { kind: 'creation', chainId: devnet.chainId, safeAddress, factory: to, data } as const
      expect(await reviewOf(subject)).toMatchObject({ kind: 'creation', verdict: 'matches', findings: [] })

      await sendAll(devnet.rpcUrl, sender, [{ to, data, gas: 1_000_000n }])
      const taken = await reviewOf(subject)
      expect(taken).toMatchObject({ verdict: 'do-not-sign', findings: [{ id: 'CREATION-ADDRESS' }] })
    },
  )

  test('finds a factory and a singleton that are not on the chain', async () => {
    const safe = { version: '1.3.0', isL2: true, owners, threshold: 1, saltNonce: 1n, place: 'eip155' } as const
    const { to, data } = encodeCreateProxy(safe)
    const subject = {
      kind: 'creation',
      chainId: devnet.chainId,
      safeAddress: predictSafeAddress(safe),
      factory: to,
      data,
    } as const
    const { findings } = await reviewOf(subject)
    const ids = findings.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['CREATION-FACTORY', 'DEPLOY-SETUP-DELEGATE', 'CREATION-ADDRESS']))
  })
})
