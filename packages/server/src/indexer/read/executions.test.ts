import { hashSafeTx, newSafeTx, safeEventTopics } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, concat, encodeAbiParameters, type Hex, pad, parseAbiParameters, toHex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import type { EthereumTransaction, Log } from '../../rpc/logs.ts'
import { yieldToEventLoop } from '../../rpc/yield-to-event-loop.ts'
import { type KnownSafe, readExecutions } from './executions.ts'

const address: Address = '0x2222222222222222222222222222222222222222'
const safe: KnownSafe = { chainId: 1, address, version: '1.4.1', domainVersion: '1.4.1', threshold: 1 }
const safeTx = newSafeTx({ to: '0x3333333333333333333333333333333333333333', data: '0xdeadbeef', nonce: 0n })
const { safeTxHash } = hashSafeTx({ chainId: 1, safeAddress: address, version: '1.4.1', safeTx })
const [topic = '0x'] = safeEventTopics('ExecutionSuccess')
const log: Log = {
  address,
  topics: [topic, safeTxHash],
  data: pad('0x00'),
  blockNumber: 1,
  blockHash: pad('0x01'),
  transactionHash: pad('0x02'),
  logIndex: 0,
  blockTimestamp: null,
}

const noCaps = { maxFeePerGas: null, maxPriorityFeePerGas: null }

/** Reads the execution of `safeTx` from a transaction with this calldata; the Safe has its first nonce. */
async function read(input: Hex, logs: Log[] = [log], nonce: Hex = '0x00') {
  const call: EthereumTransaction = { hash: pad('0x02'), from: address, to: address, input, value: '0x0', ...noCaps }
  const found = await readExecutions(async () => pad(nonce), { logs, safe, call })
  return found.get(logs.at(-1) ?? log)
}

/** Counts how often some work lets everything else have its turn, on a clock by which each of its steps takes long. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  const real = performance.now()
  let now = real
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000))
  const turns = vi.spyOn(globalThis, 'setImmediate')
  try {
    await work()
    return turns.mock.calls.length
  } finally {
    // Tests of other files share the memory of the last turn.
    clock.mockReturnValueOnce(now + 1_000).mockReturnValueOnce(real)
    await yieldToEventLoop()
    turns.mockRestore()
    clock.mockRestore()
  }
}

describe('readExecutions', () => {
  test('default: finds the fields wherever they are wrapped', async () => {
    const execution = encodeExecTransaction(safeTx, '0x')
    expect(await read(execution)).toMatchObject({ safeTx })
    expect(await read(concat(['0x8d80ff0a6a761202', execution, '0x6a761202']))).toMatchObject({ safeTx })
  })

  test('edge: only as many places in the calldata are searched as the time allows', async () => {
    const other = encodeExecTransaction(newSafeTx({ to: address, nonce: 0n }), '0x')
    const readBehind = (count: number) =>
      read(concat([...Array.from({ length: count }, () => other), encodeExecTransaction(safeTx, '0x')]))
    expect(await readBehind(255)).toMatchObject({ safeTx })
    expect(await readBehind(256)).toMatchObject({ safeTx: null })
  })

  test('behavior: is not kept busy by calldata that is full of selectors', async () => {
    expect(await read(`0x${'6a761202'.repeat(16_000)}`)).toMatchObject({ safeTx: null })
  })

  test('behavior: nor by a hundred thousand bytes that are said in a thousand ways, of any nonce', async () => {
    const word = (value: number) => value.toString(16).padStart(64, '0')
    const zero = word(0)
    // Each begins elsewhere, and leads to the same data behind them all.
    const [count, length] = [250, 324]
    const heads = Array.from({ length: count }, (_, at) => {
      const offset = word(count * length - at * length - 4)
      const noBytes = word(count * length - at * length - 4 + 32 + 40_000)
      return `6a761202${'33'.repeat(20).padStart(64, '0')}${zero}${offset}${zero.repeat(6)}${noBytes}`
    })
    const input: Hex = `0x${heads.join('')}${word(40_000)}${'00'.repeat(40_000)}${zero}`
    const turns = await turnsOf(async () => expect(await read(input, [log], '0xffff')).toMatchObject({ safeTx: null }))
    expect(turns).toBeGreaterThan(count)
  })

  test('behavior: nor by thousands of logs in one Ethereum transaction', async () => {
    const [told = '0x'] = safeEventTopics('SafeMultiSigTransaction')
    const abi = parseAbiParameters('address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes,bytes')
    const [extra] = [encodeAbiParameters(parseAbiParameters('uint256,address,uint256'), [0n, address, 2n ** 255n])]
    const tell = (value: bigint) => {
      const { to, data, operation, gasToken } = safeTx
      return encodeAbiParameters(abi, [to, value, data, operation, 0n, 0n, 0n, gasToken, gasToken, '0x', extra])
    }
    const logs: Log[] = Array.from({ length: 2_000 }, (_, at) => ({
      ...log,
      logIndex: at,
      ...(at % 2 === 0 ? { topics: [told], data: tell(BigInt(at)) } : { topics: [topic, pad(toHex(at))] }),
    }))
    const turns = await turnsOf(async () =>
      expect(await read('0x', [...logs, { ...log, logIndex: 2_000 }])).toMatchObject({ safeTx, threshold: null }),
    )
    expect(turns).toBeGreaterThan(logs.length / 2)
  })
})
