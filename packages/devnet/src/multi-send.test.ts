import { type Call, describeCall, encodeMultiSend, flattenCalls } from '@countersign/safe/calls'
import fc from 'fast-check'
import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  numberToHex,
  pad,
  parseAbi,
  size,
  toHex,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../scripts/testing/random-tests.mjs'
import { canonicalContract, safeVersions } from './canonical-contracts.ts'
import { requestNode } from './node-client.ts'
import { oldContract, oldSafeVersions } from './old-safes.ts'
import { type Devnet, startDevnet } from './start.ts'

const abi = parseAbi(['function multiSend(bytes transactions)'])
/** Runs a library by delegatecall, as a Safe does, and shows what it calls. */
const runner: Address = '0x00000000000000000000000000000000005afe01'
const caller: Address = '0x00000000000000000000000000000000005afe02'
/** Accounts without code: a call to them succeeds, and shows in the trace. */
const [first, second, third] = [target(1), target(2), target(3)]

function target(index: number): Address {
  return getAddress(pad(toHex(0xbeef00 + index), { size: 20 }))
}

const libraries = [
  ...safeVersions.flatMap((version) =>
    ['multi_send', 'multi_send_call_only'].map((asset) => canonicalContract(version, asset)),
  ),
  ...oldSafeVersions.map((version) => oldContract(version, 'multi_send')),
]
const packed = libraries.filter(({ version }) => version !== '0.1.0' && version !== '1.0.0')
const words = libraries.filter(({ version }) => version === '0.1.0' || version === '1.0.0')

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  // The old libraries are not on the chain, and their code is all that is needed.
  for (const { version, asset, address } of libraries) {
    const old = oldSafeVersions.find((oldVersion) => oldVersion === version)
    if (old !== undefined)
      await requestNode(devnet.rpcUrl, 'anvil_setCode', address, oldContract(old, asset).runtimeCode)
  }
  await requestNode(devnet.rpcUrl, 'anvil_setBalance', runner, numberToHex(10n ** 20n))
})
afterAll(() => devnet?.close())

type Made = { operation: 0 | 1; to: Address; value: bigint; data: Hex }

/** Lists the calls that a library makes when the runner runs it with this calldata; null when it reverts. */
async function run(library: Address, data: Hex): Promise<Made[] | null> {
  await requestNode(
    devnet.rpcUrl,
    'anvil_setCode',
    runner,
    concat(['0x363d3d373d3d3d363d73', library, '0x5af43d82803e903d91602b57fd5bf3']),
  )
  const trace = await requestNode(
    devnet.rpcUrl,
    'debug_traceCall',
    { from: caller, to: runner, data, gas: '0xffffff' },
    'latest',
    { tracer: 'callTracer' },
  )
  const [delegated] = read(trace).calls
  if (delegated === undefined || read(trace).isFailed) return null
  return read(delegated).calls.map((inner) => {
    const { type, to, value, input } = Object(inner)
    return {
      operation: type === 'DELEGATECALL' ? 1 : 0,
      to: getAddress(to),
      value: type === 'DELEGATECALL' ? 0n : BigInt(value ?? 0),
      data: input,
    }
  })
}

function read(trace: unknown): { calls: unknown[]; isFailed: boolean } {
  const { calls = [], error } = Object(trace)
  return { calls, isFailed: error !== undefined }
}

function describeBatch(library: Address, data: Hex): Call {
  return describeCall({ to: library, value: 0n, data, operation: 1, safeAddress: runner })
}

/** The calls that Countersign says a batch makes, as the trace shows them. */
function said(call: Call): Made[] {
  return (call.calls ?? []).map(({ operation, to, value, data }) => ({
    operation,
    to,
    value: operation === 1 ? 0n : value,
    data,
  }))
}

/** Where the data of an entry in whole words starts, after operation, address, value, this offset and length. */
const OFFSET = 0x80

const bytes = fc.uint8Array({ maxLength: 70 }).map((all): Hex => `0x${Buffer.from(all).toString('hex')}`)
const entries = fc.array(
  fc.record({
    to: fc.constantFrom(first, second, third),
    value: fc.bigInt({ min: 0n, max: 1000n }),
    data: bytes,
    operation: fc.constantFrom<(0 | 1)[]>(0, 0, 1),
  }),
  { minLength: 1, maxLength: 5 },
)

function inWords(calls: readonly Made[], offset = OFFSET): Hex {
  const encoded = calls.flatMap(({ operation, to, value, data }) => [
    ...[toHex(operation), to, toHex(value), toHex(offset), toHex(size(data))].map((word) => pad(word)),
    pad(data, { dir: 'right', size: Math.ceil(size(data) / 32) * 32 }),
  ])
  return encodeFunctionData({ abi, functionName: 'multiSend', args: [concat(encoded)] })
}

/** Random batches for each library. A failure prints the seed. */
const random = runs(15)

describe('MultiSend makes the calls that are described', () => {
  test.each(packed)('property: $asset $version', async ({ address, asset }) => {
    await fc.assert(
      fc.asyncProperty(entries, async (calls) => {
        const data = encodeMultiSend(calls)
        const call = describeBatch(address, data)
        expect(call.problem).toBe(null)
        const isRefused = call.issues.some(({ id }) => id === 'batch-delegatecall-refused')
        expect(isRefused).toBe(asset === 'multi_send_call_only' && calls.some(({ operation }) => operation === 1))
        expect(await run(address, data)).toEqual(isRefused ? null : said(call))
      }),
      random,
    )
  })

  test.each(words)('property: $asset $version, whose entries are whole words', async ({ address }) => {
    await fc.assert(
      fc.asyncProperty(entries, async (calls) => {
        const data = inWords(calls)
        const call = describeBatch(address, data)
        expect(call).toMatchObject({ problem: null, undecoded: [] })
        expect(said(call)).toHaveLength(calls.length)
        expect(await run(address, data)).toEqual(said(call))
        // Calldata for a later library means nothing to the old one: its first word is no operation.
        const later = encodeMultiSend(calls)
        expect(said(describeBatch(address, later))).toHaveLength(calls.length)
        expect(await run(address, later)).toBe(null)
      }),
      // Values that look like an offset.
      { ...random, examples: [6n, 0x60n, 0x80n].map((value) => [[{ to: first, value, data: '0x', operation: 0 }]]) },
    )
  })
})

describe('MultiSend, where it is not strict', () => {
  const batch = (blob: Hex): Hex => encodeFunctionData({ abi, functionName: 'multiSend', args: [blob] })
  const entry = (operation: number, to: Address, data: Hex): Hex =>
    concat([toHex(operation, { size: 1 }), to, pad('0x01'), pad(toHex(size(data))), data])
  test.each(packed)(
    'behavior: $asset $version ignores up to 32 bytes at the end, and they are told',
    async ({ address }) => {
      for (const left of [1, 32]) {
        const data = batch(concat([entry(0, first, '0xaa'), `0x${'ff'.repeat(left)}`]))
        const call = describeBatch(address, data)
        expect(call.issues).toMatchObject([{ id: 'batch-leftover' }])
        expect(said(call)).toHaveLength(1)
        expect(await run(address, data)).toEqual(said(call))
      }
    },
  )

  test.each(packed)('behavior: $asset $version reverts for operations from 2 on', async ({ address }) => {
    for (const operation of [2, 3, 127, 255]) {
      const data = batch(concat([entry(0, first, '0xaa'), entry(operation, second, '0x')]))
      expect(describeBatch(address, data).issues).toMatchObject([{ id: 'batch-operation' }])
      expect(await run(address, data)).toBe(null)
    }
  })

  test.each(packed)('behavior: $asset $version reads beyond the end, which is refused', async ({ address }) => {
    const data = batch(concat(['0x00', first, pad('0x01'), pad('0x40'), '0xaabb']))
    expect(describeBatch(address, data)).toMatchObject({
      problem: 'MULTISEND_MALFORMED',
      calls: [],
      issues: [{ id: 'batch-overrun' }],
    })
    const [made] = (await run(address, data)) ?? []
    expect(made && size(made.data)).toBe(64)
  })

  test.each(packed)('behavior: $asset $version takes the zero address as described', async ({ address, version }) => {
    const data = batch(entry(0, '0x0000000000000000000000000000000000000000', '0x'))
    const call = describeBatch(address, data)
    const meant = version === '1.5.0' ? getAddress(runner) : '0x0000000000000000000000000000000000000000'
    expect(call.calls?.[0]).toMatchObject({ isZeroTarget: true, to: meant })
    // The runner answers an empty call with what the library does for it: a revert.
    const made = await run(address, data)
    if (version === '1.5.0') expect(made === null || made[0]?.to === getAddress(runner)).toBe(true)
    else expect(made).toEqual(said(call))
  })

  test.each(words)('behavior: $asset $version never looks at an offset, which is refused', async ({ address }) => {
    const calls: Made[] = [{ operation: 0, to: first, value: 8n, data: '0xaabb' }]
    const data = inWords(calls, 0x60)
    expect(describeBatch(address, data)).toMatchObject({ problem: 'MULTISEND_MALFORMED', calls: [] })
    expect(await run(address, data)).toEqual(calls)
  })

  test.each(packed)(
    'behavior: $asset $version reads arguments from where an odd offset points',
    async ({ address }) => {
      const plain = encodeMultiSend([{ to: first, value: 1n, data: '0xaabb' }])
      const shifted = `${plain.slice(0, 10)}${pad('0x41').slice(2)}${'00'.repeat(33)}${plain.slice(74)}`
      expect(isHex(shifted)).toBe(true)
      const call = describeBatch(address, shifted as Hex)
      expect(call.problem).toBe('MULTISEND_MALFORMED')
      expect(flattenCalls(call)).toHaveLength(2)
      expect(await run(address, shifted as Hex)).toEqual(said(call))
    },
  )
})
