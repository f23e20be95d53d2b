import fc from 'fast-check'
import { encodeAbiParameters, encodeFunctionResult, type Hex, keccak256, numberToHex, pad, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import eravmProxies from '../../vectors/eravm-proxies.json' with { type: 'json' }
import { safeAbi } from '../abi/abi.ts'
import { officialDeployment } from '../deployments/deployments.ts'
import { CountersignError } from '../error.ts'
import { guessSafeState } from './guessed-safe.ts'
import { domainVersion, type RpcRequest, readSafeState } from './safe-state.ts'

const safeAddress = '0x2222222222222222222222222222222222222222'
const owner = '0x1111111111111111111111111111111111111111'
const singleton = officialDeployment('singleton', '1.4.1')?.address ?? '0x'

const answers: Record<string, Hex> = {
  '0xa0e67e2b': encodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', result: [owner] }),
  '0xe75235b8': encodeAbiParameters([{ type: 'uint256' }], [1n]),
  '0xaffed0e0': encodeAbiParameters([{ type: 'uint256' }], [7n]),
  '0xffa1ad74': encodeFunctionResult({ abi: safeAbi, functionName: 'VERSION', result: '1.4.1' }),
  '0xcc2f8452': encodeAbiParameters(
    [{ type: 'address[]' }, { type: 'address' }],
    [[], '0x0000000000000000000000000000000000000001'],
  ),
}

/** A node that knows one Safe; `calls` keeps what it was asked. */
function fakeNode(change: Record<string, (params: unknown[]) => unknown> = {}) {
  const calls: { method: string; params: unknown[] }[] = []
  const methods: Record<string, (params: unknown[]) => unknown> = {
    eth_chainId: () => '0x7a69',
    eth_blockNumber: () => '0x10',
    eth_getBalance: () => '0x5',
    eth_getCode: () => '0x6001',
    eth_getStorageAt: (params) => (BigInt(String(params[1])) === 0n ? pad(singleton as Hex) : pad('0x', { size: 32 })),
    eth_call: ([call]) => answers[String((call as { data: Hex }).data).slice(0, 10)] ?? '0x',
    ...change,
  }
  const request: RpcRequest = async ({ method, params = [] }) => {
    calls.push({ method, params })
    return methods[method]?.(params)
  }
  return { request, calls }
}

describe('guessSafeState', () => {
  it('is what is read later, by the release of the singleton, and asks once', async () => {
    const node = fakeNode()
    const guess = await guessSafeState(node.request, safeAddress, 31337)
    for (const { params } of node.calls) expect(params.at(-1)).toBe('latest')
    const { singletonCodeHash, version, blockNumber, ...rest } = await readSafeState(node.request, safeAddress, 31337)
    expect(guess).toMatchObject(rest)
    expect(guess?.version).toBe('1.4.1')
  })

  it('guesses nothing of what is no Safe, or of no release', async () => {
    const none = fakeNode({ eth_getCode: () => '0x' })
    await expect(guessSafeState(none.request, safeAddress, 31337)).resolves.toBeNull()
    const own = fakeNode({ eth_getStorageAt: () => pad('0x9999999999999999999999999999999999999999') })
    await expect(guessSafeState(own.request, safeAddress, 31337)).resolves.toBeNull()
  })
})

describe('readSafeState', () => {
  it('reads everything at one block', async () => {
    const { request, calls } = fakeNode()
    const state = await readSafeState(request, safeAddress, 31337)
    expect(state).toMatchObject({
      owners: [owner],
      threshold: 1,
      nonce: 7n,
      singleton,
      modules: [],
      guard: null,
      balance: 5n,
    })
    const blocks = calls.filter(({ method }) => !['eth_chainId', 'eth_blockNumber'].includes(method))
    // The newest word of one slot says which code will be asked for, and nothing else.
    const [hint, ...others] = blocks
    expect(hint).toEqual({ method: 'eth_getStorageAt', params: [safeAddress, pad('0x', { size: 32 }), 'latest'] })
    for (const { params } of others) expect(params.at(-1)).toBe('0x10')
    expect(others.filter(({ method }) => method === 'eth_getCode')).toHaveLength(2)
  })

  it('believes no singleton but that of the block', async () => {
    const other = '0x9999999999999999999999999999999999999999'
    const { request } = fakeNode({
      eth_getStorageAt: ([, slot, block]) =>
        BigInt(String(slot)) === 0n ? pad(block === 'latest' ? other : singleton) : pad('0x', { size: 32 }),
      eth_getCode: ([address]) => (address === other ? '0x6099' : '0x6001'),
    })
    const state = await readSafeState(request, safeAddress, 31337)
    expect(state).toMatchObject({ singleton, singletonCodeHash: keccak256('0x6001') })
  })

  it('asks for everything at once by the singleton that was last seen, and does not believe in that', async () => {
    const tripsOf = async (last: Hex) => {
      const node = fakeNode({ eth_getCode: ([address]) => (address === singleton ? '0x6001' : '0x6099') })
      let [trips, isOpen] = [0, false]
      // Whatever is asked in one turn travels together.
      const request: RpcRequest = async (call) => {
        if (!isOpen) trips += 1
        isOpen = true
        await new Promise((resolve) => setTimeout(resolve, 0))
        isOpen = false
        return node.request(call)
      }
      const state = await readSafeState(request, safeAddress, 31337, { blockNumber: 16n, lastSingleton: last })
      expect(state).toMatchObject({ singleton, singletonCodeHash: keccak256('0x6001') })
      return trips
    }
    expect(await tripsOf(singleton)).toBe(1)
    expect(await tripsOf('0x9999999999999999999999999999999999999999')).toBe(2)
  })

  it('tells a Safe whose own code no factory creates', async () => {
    const state = await readSafeState(fakeNode().request, safeAddress, 31337)
    expect(state).toMatchObject({ isOfficialProxy: false, proxyCodeHash: keccak256('0x6001') })
  })

  it('tells a Safe on zkSync by the code that its factory creates there', async () => {
    const zksync = officialDeployment('singleton', '1.3.0', 'zksync')?.address ?? '0x'
    const stateOf = (code: string) =>
      readSafeState(
        fakeNode({
          eth_getStorageAt: ([, slot]) => (BigInt(String(slot)) === 0n ? pad(zksync as Hex) : pad('0x', { size: 32 })),
          eth_getCode: ([address]) => (address === safeAddress ? code : '0x6001'),
        }).request,
        safeAddress,
        31337,
      )
    const [{ code }] = eravmProxies as [{ code: string }]
    expect(await stateOf(code)).toMatchObject({ isOfficialProxy: true })
    expect(await stateOf(code.replace(/.$/, '0'))).toMatchObject({ isOfficialProxy: false })
  })

  it('does not believe VERSION() when the code is not the released code', async () => {
    const state = await readSafeState(fakeNode().request, safeAddress, 31337)
    expect(state).toMatchObject({ version: null, reportedVersion: '1.4.1' })
    expect(domainVersion(state)).toBe('1.4.1')
  })

  it('does not take any text for a version', async () => {
    const result = '1.0.0\u0000'
    const { request } = fakeNode({
      eth_call: ([call]) => {
        const { data } = call as { data: Hex }
        return data.startsWith('0xffa1ad74')
          ? encodeFunctionResult({ abi: safeAbi, functionName: 'VERSION', result })
          : answers[data.slice(0, 10)]
      },
    })
    const state = await readSafeState(request, safeAddress, 31337)
    expect(state.reportedVersion).toBe(result)
    expect(domainVersion(state)).toBe('1.3.0')
  })

  it.each([
    ['an account without code', { eth_getCode: () => '0x', eth_call: () => '0x' }],
    ['a contract that answers nothing', { eth_call: () => '0x' }],
    [
      'a contract with more owners than anybody has',
      {
        eth_call: (params: unknown[]) => {
          const [call] = params as [{ data: Hex }]
          const result = Array.from({ length: 1_001 }, () => owner as Hex)
          return call.data.startsWith('0xa0e67e2b')
            ? encodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', result })
            : answers[call.data.slice(0, 10)]
        },
      },
    ],
    [
      'a contract whose nonce nobody can have counted to',
      {
        eth_call: (params: unknown[]) => {
          const [call] = params as [{ data: Hex }]
          return call.data.startsWith('0xaffed0e0') ? pad('0x20000000000000') : answers[call.data.slice(0, 10)]
        },
      },
    ],
    [
      'a contract that reverts',
      {
        eth_call: () => {
          throw Object.assign(new Error('execution reverted'), { code: 3 })
        },
      },
    ],
    ['a contract without a singleton', { eth_getStorageAt: () => pad('0x', { size: 32 }) }],
  ])('says of %s that it is no Safe', async (_name, change) => {
    await expect(readSafeState(fakeNode(change).request, safeAddress, 31337)).rejects.toMatchObject({
      code: 'NOT_A_SAFE',
    })
  })

  it('passes failures of the node through', async () => {
    const failure = new Error('connection refused')
    const change = {
      eth_call: () => {
        throw failure
      },
    }
    await expect(readSafeState(fakeNode(change).request, safeAddress, 31337)).rejects.toBe(failure)
  })

  it('notices another chain', async () => {
    await expect(readSafeState(fakeNode().request, safeAddress, 1)).rejects.toMatchObject({ code: 'CHAIN_ID_MISMATCH' })
  })
})

describe('a node that answers anything', () => {
  const junk = fc.oneof(
    fc.constantFrom<unknown[]>(
      '0x',
      '0x0',
      '0x1',
      null,
      undefined,
      {},
      [],
      5,
      true,
      'nonsense',
      `0x${'ff'.repeat(33)}`,
    ),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => toHex(bytes)),
    fc.nat(100).map((value) => numberToHex(value, { size: 32 })),
    fc.string(),
  )

  const methods = ['eth_chainId', 'eth_blockNumber', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_call']

  it('ends in a Safe, or in our error', async () => {
    const lies = fc.array(fc.tuple(fc.constantFrom(...methods), fc.array(junk, { minLength: 1, maxLength: 12 })), {
      minLength: 1,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(lies, async (changes) => {
        let asked = 0
        const { request } = fakeNode(
          Object.fromEntries(changes.map(([method, said]) => [method, () => said[asked++ % said.length]])),
        )
        try {
          await readSafeState(request, safeAddress, 31337)
        } catch (error) {
          expect(error).toBeInstanceOf(CountersignError)
        }
      }),
      runs(1_000),
    )
  })

  it.each(['eth_blockNumber', 'eth_getBalance', 'eth_getStorageAt'])(
    'without digits in %s it is an RPC_ERROR',
    async (method) => {
      for (const answer of ['0x', `0x${'ff'.repeat(33)}`]) {
        const request: RpcRequest = async (asked) => (asked.method === method ? answer : '0x1')
        await expect(readSafeState(request, safeAddress, 1)).rejects.toMatchObject({ code: 'RPC_ERROR' })
      }
    },
  )

  it('error: FIELD_MALFORMED for what is no address', async () => {
    await expect(readSafeState(fakeNode().request, '0x12', 31337)).rejects.toMatchObject({ code: 'FIELD_MALFORMED' })
  })

  it('does not follow causes of an error in a circle', async () => {
    const error = new Error('no')
    error.cause = error
    const { request } = fakeNode({
      eth_call: () => {
        throw error
      },
    })
    await expect(readSafeState(request, safeAddress, 31337)).rejects.toBe(error)
  })
})
