import { type Address, type Hex, keccak256, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Deployment, officialDeployment } from '../deployments/deployments.ts'
import {
  encodeCreateProxy,
  encodeProxyCreation,
  type ProxyCreation,
  predictProxyAddress,
  predictSafeAddress,
} from './safe-creation.ts'
import { encodeSetup, encodeSetupToL2 } from './safe-setup.ts'
import { type RpcRequest, readSafeState } from './safe-state.ts'
import { describeUndeployedSafe, MAX_CREATION_BYTES } from './undeployed-safe.ts'

const alice: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bob: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const stranger: Address = '0x9999999999999999999999999999999999999999'

function official(kind: Deployment['kind'], version = '1.4.1'): Deployment {
  const found = officialDeployment(kind, version)
  if (found === null) throw new Error(`There is no ${kind} ${version}.`)
  return found
}

const factory = official('factory')
const handler = official('handler')
const newSafe = { version: '1.4.1', isL2: true, owners: [alice, bob], threshold: 2, saltNonce: 7n } as const
const kept = { factory: encodeCreateProxy(newSafe).to, data: encodeCreateProxy(newSafe).data }
const setup = { owners: [alice, bob], threshold: 2, fallbackHandler: handler.address } as const
const usual: ProxyCreation = {
  method: 'createProxyWithNonce',
  singleton: official('singleton-l2').address,
  initializer: encodeSetup(setup),
  saltNonce: 7n,
  callback: null,
}
const callOf = (change: Partial<ProxyCreation>) => ({
  factory: factory.address,
  data: encodeProxyCreation({ ...usual, ...change }),
})
const ofSetup = (change: object) => callOf({ initializer: encodeSetup({ ...setup, ...change }) })
const word = (value: bigint) => value.toString(16).padStart(64, '0')

describe('describeUndeployedSafe', () => {
  it('default', () => {
    expect(describeUndeployedSafe(kept, 1)).toEqual({
      address: predictSafeAddress(newSafe),
      owners: [alice, bob],
      threshold: 2,
      singleton: official('singleton-l2').address,
      fallbackHandler: handler.address,
      version: '1.4.1+L2',
      proxyCodeHash: '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c',
      contracts: [factory, handler, official('singleton-l2')],
    })
  })

  it('behavior: the library of layer 2 moves the singleton on every chain but 1', () => {
    const initializer = encodeSetup({ ...setup, ...encodeSetupToL2('1.4.1') })
    const call = callOf({ singleton: official('singleton').address, initializer })
    const [main, other] = [1, 10].map((chainId) => describeUndeployedSafe(call, chainId))
    expect(main).toMatchObject({ version: '1.4.1', singleton: official('singleton').address })
    expect(other).toMatchObject({ version: '1.4.1+L2', singleton: official('singleton-l2').address })
    expect(other?.contracts.map(({ kind }) => kind)).toEqual([
      'factory',
      'handler',
      'l2-setup',
      'singleton',
      'singleton-l2',
    ])
    expect(main?.address).toBe(other?.address)
  })

  it('behavior: a chain-specific method gives another address on every chain', () => {
    const call = callOf({ method: 'createChainSpecificProxyWithNonce' })
    expect(describeUndeployedSafe(call, 1).address).not.toBe(describeUndeployedSafe(call, 10).address)
  })

  const own = predictProxyAddress({ creation: usual, factory, chainId: 1 }) ?? '0x'
  it.each<[string, string, { factory: Address; data: Hex }]>([
    ['a foreign factory', 'factory', { ...kept, factory: stranger }],
    ['a singleton as the factory', 'factory', { ...kept, factory: official('singleton').address }],
    ['a foreign singleton', 'singleton', callOf({ singleton: stranger })],
    ['a handler as the singleton', 'singleton', callOf({ singleton: handler.address })],
    ['a singleton before 1.3.0', 'singleton', callOf({ singleton: official('singleton', '1.1.1').address })],
    ['unknown code at set-up', 'code', ofSetup({ to: stranger, data: '0x1234' })],
    ['a known library called otherwise', 'code', ofSetup({ ...encodeSetupToL2('1.4.1'), data: '0x1234' })],
    [
      'modules at set-up',
      'code',
      ofSetup({ to: official('module-setup', '0.3.0').address, data: `0xa3f4df7e${'00'.repeat(64)}` }),
    ],
    [
      'layer 2 with a foreign singleton',
      'singleton',
      ofSetup({
        ...encodeSetupToL2('1.4.1'),
        data: `${encodeSetupToL2('1.4.1').data.slice(0, 10)}${stranger.slice(2).padStart(64, '0')}` as Hex,
      }),
    ],
    ['a foreign handler', 'handler', ofSetup({ fallbackHandler: stranger })],
    ['a payment', 'payment', ofSetup({ payment: 1n, paymentReceiver: stranger })],
    ['a CREATE, whose address nobody knows', 'method', callOf({ method: 'createProxy', saltNonce: null })],
    ['a callback', 'method', callOf({ method: 'createProxyWithCallback', callback: stranger })],
    ['no set-up', 'setup', callOf({ initializer: '0x' })],
    [
      'a threshold above the owners',
      'setup',
      callOf({ initializer: usual.initializer.replace(word(2n), word(3n)) as Hex }),
    ],
    [
      'an owner named twice',
      'setup',
      callOf({
        initializer: usual.initializer.replace(bob.slice(2).toLowerCase(), alice.slice(2).toLowerCase()) as Hex,
      }),
    ],
    [
      'the zero address as an owner',
      'setup',
      callOf({ initializer: usual.initializer.replace(bob.slice(2).toLowerCase(), zeroAddress.slice(2)) as Hex }),
    ],
    ['bytes behind the call', 'unreadable', { ...kept, data: `${kept.data}00` }],
    ['another function', 'unreadable', { ...kept, data: '0x12345678' }],
    ['10 MB', 'size', { ...kept, data: `${kept.data}${'00'.repeat(10_000_000)}` }],
    ['no hex', 'size', { ...kept, data: 'hello' as Hex }],
    ['one byte too many', 'size', { ...kept, data: `0x${'00'.repeat(MAX_CREATION_BYTES + 1)}` }],
  ])('error: CREATION_REFUSED for %s', (_, reason, call) => {
    expect(own).not.toBe('0x')
    expect(() => describeUndeployedSafe(call, 1)).toThrow(
      expect.objectContaining({ code: 'CREATION_REFUSED', data: expect.objectContaining({ reason }) }),
    )
  })
})

describe('readSafeState of a Safe that is not there', () => {
  /** A node at which nothing is but the released contracts, by the code that the test gives them. */
  const node = (codeAt: (address: string) => Hex): RpcRequest => {
    return async ({ method, params = [] }) => {
      if (method === 'eth_chainId' || method === 'eth_blockNumber') return '0x1'
      if (method === 'eth_getBalance') return '0x5'
      if (method === 'eth_getCode') return codeAt(String(params[0]))
      return method === 'eth_call' ? '0x' : `0x${'00'.repeat(32)}`
    }
  }
  const address = predictSafeAddress(newSafe)

  it('error: NOT_A_SAFE without its creation', async () => {
    await expect(
      readSafeState(
        node(() => '0x'),
        address,
        1,
      ),
    ).rejects.toMatchObject({ code: 'NOT_A_SAFE' })
  })

  it('error: CREATION_REFUSED for the creation of another Safe, on a chain without the contracts, and with other code', async () => {
    const other = await readSafeState(
      node(() => '0x'),
      stranger,
      1,
      { creation: kept },
    ).catch((error) => error)
    expect(other).toMatchObject({ code: 'CREATION_REFUSED', data: { reason: 'address', computed: address } })
    for (const code of ['0x', '0x6001'] as const) {
      const answers = node((at) => (at === address ? '0x' : code))
      expect(keccak256(code)).not.toBe(factory.codeHash)
      const missing = await readSafeState(answers, address, 1, { creation: kept }).catch((error) => error)
      expect(missing).toMatchObject({ code: 'CREATION_REFUSED', data: { reason: 'chain', contract: factory.address } })
    }
  })
})
