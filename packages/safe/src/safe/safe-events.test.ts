import fc from 'fast-check'
import { encodeAbiParameters, type Hex, pad, padHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { decodeSafeEvent, safeEventTopics } from './safe-events.ts'

const address = '0x5aFE3855358E112B5647B952709E6165e1c1eEEe'
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hash: Hex = `0x${'ab'.repeat(32)}`

function topicOf(...names: Parameters<typeof safeEventTopics>): Hex {
  const [topic] = safeEventTopics(...names)
  if (topic === undefined) throw new Error('No topic.')
  return topic
}

describe('decodeSafeEvent', () => {
  it('default: the same event in both layouts', () => {
    const topic = topicOf('AddedOwner')
    const event = { address, name: 'AddedOwner', owner }
    expect(decodeSafeEvent({ address, topics: [topic, pad(owner)], data: '0x' })).toEqual(event)
    expect(decodeSafeEvent({ address, topics: [topic], data: pad(owner) })).toEqual(event)
  })

  it('behavior: names the nonce, executor and threshold of an execution on L2', () => {
    const info = encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }, { type: 'uint256' }], [7n, owner, 2n])
    const encode = (additionalInfo: Hex) =>
      encodeAbiParameters(
        'address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes'
          .split(',')
          .map((type) => ({ type })),
        [other, 1n, '0x1234', 1, 2n, 3n, 4n, owner, other, '0x99', additionalInfo],
      )
    const topics = [topicOf('SafeMultiSigTransaction')]
    expect(decodeSafeEvent({ address, topics, data: encode(info) })).toEqual({
      address,
      name: 'SafeMultiSigTransaction',
      to: other,
      value: 1n,
      data: '0x1234',
      operation: 1,
      safeTxGas: 2n,
      baseGas: 3n,
      gasPrice: 4n,
      gasToken: owner,
      refundReceiver: other,
      signatures: '0x99',
      execution: { nonce: 7n, executor: owner, threshold: 2n },
    })
    expect(decodeSafeEvent({ address, topics, data: encode('0x01') })).toMatchObject({ execution: null })
  })

  it('behavior: ProxyCreation of every release', () => {
    const [first, second] = safeEventTopics('ProxyCreation')
    if (first === undefined || second === undefined) throw new Error('Two topics were expected.')
    const both = encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [owner, other])
    const created = { address, name: 'ProxyCreation', proxy: owner, singleton: other }
    expect(decodeSafeEvent({ address, topics: [first], data: pad(owner) })).toEqual({ ...created, singleton: null })
    expect(decodeSafeEvent({ address, topics: [second], data: both })).toEqual(created)
    expect(decodeSafeEvent({ address, topics: [second, pad(owner)], data: pad(other) })).toEqual(created)
  })

  const success = topicOf('ExecutionSuccess')
  it.each<[string, Hex[], Hex]>([
    ['no topics', [], '0x'],
    ['another event', [hash], '0x'],
    ['a topic too many', [success, hash, hash], pad('0x1')],
    ['no data', [success], '0x'],
    ['data cut off', [success], `${hash}${'00'.repeat(31)}`],
    ['data left over', [success], `${hash}${'00'.repeat(33)}`],
    ['data where there is none', [topicOf('AddedOwner'), pad(owner)], '0x00'],
    [
      'an address with dirty bytes',
      [topicOf('AddedOwner')],
      padHex(owner, { size: 32 }).replace('0x00', '0x01') as Hex,
    ],
    ['a topic that is no word', [topicOf('AddedOwner'), owner], '0x'],
  ])('behavior: is null for %s', (_name, topics, data) => {
    expect(decodeSafeEvent({ address, topics, data })).toBeNull()
  })
})

describe('decodeSafeEvent, given anything', () => {
  it('behavior: answers, and what it reads is of one of the layouts', () => {
    const bytes = (maxLength: number) =>
      fc.uint8Array({ maxLength }).map((drawn): Hex => `0x${Buffer.from(drawn).toString('hex')}`)
    const words = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 14 })
    const data = fc.oneof(
      bytes(300),
      words.map((list): Hex => `0x${Buffer.concat(list).toString('hex')}`),
    )
    const topics = fc.tuple(fc.constantFrom(...safeEventTopics()), fc.array(bytes(33), { maxLength: 4 }))
    fc.assert(
      fc.property(topics, data, fc.oneof(fc.constant<Hex>(address), bytes(21)), ([topic, rest], body, from) => {
        const event = decodeSafeEvent({ address: from, topics: [topic, ...rest], data: body })
        if (event !== null) expect(safeEventTopics(event.name)).toContain(topic)
      }),
      runs(2_000),
    )
  })
})

describe('safeEventTopics', () => {
  // From the transaction service's index, which follows these contracts since 2019.
  it.each([
    ['ProxyCreation', '0xa38789425dbeee0239e16ff2d2567e31720127fbc6430758c1a4efc6aef29f80'],
    ['ExecutionSuccess', '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'],
    ['ExecutionFailure', '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'],
    ['ExecutionFailed', '0xabfd711ecdd15ae3a6b3ad16ff2e9d81aec026a39d16725ee164be4fbf857a7c'],
    ['SafeSetup', '0x141df868a6331af528e38c83b7aa03edc19be66e37ae67f9285bf4f8e3c6a1a8'],
    ['SafeMultiSigTransaction', '0x66753cd2356569ee081232e3be8909b950e0a76c1f8460c3a5e3c2be32b11bed'],
    ['SafeModuleTransaction', '0xb648d3644f584ed1c2232d53c46d87e693586486ad0d1175f8656013110b714e'],
    ['ProxyCreationL2', '0x6e78ae8c51534f0b801d7aa7cce5a2113f3c3368c61b06fa61415f361d400431'],
    ['ChainSpecificProxyCreationL2', '0x7a1c96f74273709828c0e67ab96189772005d3b4948bc6902693eb21e4e2cc6a'],
    ['ChangedModuleGuard', '0xcd1966d6be16bc0c030cc741a06c6e0efaf8d00de2c8b6a9e11827e125de8bb8'],
  ] as const)('%s', (name, topic) => {
    expect(safeEventTopics(name)[0]).toBe(topic)
    expect(safeEventTopics()).toContain(topic)
  })

  it('behavior: lists every topic once', () => {
    expect(new Set(safeEventTopics()).size).toBe(safeEventTopics().length)
    expect(safeEventTopics('ProxyCreation')).toHaveLength(2)
  })
})
