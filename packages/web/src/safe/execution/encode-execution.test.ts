import '../text.ts'
import { CountersignError } from '@countersign/safe'
import { encodeErrorResult, type Hex, numberToHex, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { errorSentenceText } from '../../text/error-text.ts'
import {
  encodeExecution,
  estimateSafeExecution,
  gasOfExecution,
  readyExecution,
  revertOf,
  simulateExecution,
} from './encode-execution.ts'

const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const execution = { from: owner, to: owner, data: '0x' } as const
const gs026 = encodeErrorResult({ abi: parseAbi(['error Error(string reason)']), errorName: 'Error', args: ['GS026'] })
const nodeError = (data: Record<string, unknown>) => new CountersignError('RPC_ERROR', 'The node answered.', { data })

describe('revertOf', () => {
  it.each([
    [{ rpcCode: 3, rpcMessage: 'execution reverted', rpcData: gs026 }],
    [{ rpcCode: -32000, rpcMessage: 'execution reverted: GS026', rpcData: undefined }],
    [{ rpcCode: -32603, rpcMessage: 'Internal error', rpcData: { data: gs026 } }],
  ])('finds the code however a node says it', (data) => {
    const error = revertOf(nodeError(data))
    expect(error).toMatchObject({ code: 'EXECUTION_REVERTED', data: { gs: 'GS026' } })
    expect(error && errorSentenceText(error)).toContain('A signature is not from a current owner')
  })

  it('escapes what a contract says', () => {
    const data = encodeErrorResult({
      abi: parseAbi(['error Error(string reason)']),
      errorName: 'Error',
      args: ['no\u202E`'],
    })
    const error = revertOf(nodeError({ rpcCode: 3, rpcData: data }))
    expect(error && errorSentenceText(error)).toContain("no[U+202E]'")
  })

  it('leaves failures of the node alone', () => {
    expect(revertOf(nodeError({ rpcCode: -32005, rpcMessage: 'too busy' }))).toBeNull()
    expect(revertOf(new CountersignError('CHAIN_UNREACHABLE', 'No answer.'))).toBeNull()
  })
})

describe('simulateExecution', () => {
  it('refuses when the inner call would fail', async () => {
    await expect(simulateExecution(async () => `0x${'0'.repeat(64)}`, execution)).rejects.toMatchObject({
      code: 'EXECUTION_REVERTED',
    })
    await expect(simulateExecution(async () => `0x${'0'.repeat(63)}1`, execution)).resolves.toBeUndefined()
  })

  it('refuses on a revert', async () => {
    const refuse = async () => {
      throw nodeError({ rpcCode: 3, rpcData: gs026 })
    }
    await expect(simulateExecution(refuse, execution)).rejects.toMatchObject({ data: { gs: 'GS026' } })
  })
})

describe('estimateSafeExecution', () => {
  const answers = (gasThatIsEnough: bigint) => async (call: { method: string; params?: unknown }) => {
    if (call.method === 'eth_estimateGas') return '0x2710'
    const [{ gas }] = call.params as [{ gas: Hex }]
    return pad(BigInt(gas) < gasThatIsEnough ? '0x0' : '0x1')
  }

  it('takes the estimate with a fifth on top', async () => {
    await expect(estimateSafeExecution(answers(1n), execution, { isBatch: false })).resolves.toBe(12_000n)
  })

  it('asks for no more than one transaction may have, unless it needs more', async () => {
    const estimating = (gas: bigint) => async (call: { method: string }) =>
      call.method === 'eth_estimateGas' ? numberToHex(gas) : pad('0x1')
    const gasFor = (gas: bigint) => estimateSafeExecution(estimating(gas), execution, { isBatch: false })
    expect(await gasFor(16_000_000n)).toBe(16_777_216n)
    expect(await gasFor(20_000_000n)).toBe(24_000_000n)
  })

  it('doubles what an old Safe would use up its nonce with', async () => {
    await expect(estimateSafeExecution(answers(40_000n), execution, { isBatch: false })).resolves.toBe(48_000n)
  })

  it('asks a node that fails once, not for more gas', async () => {
    let runs = 0
    const failing = async ({ method }: { method: string }) => {
      if (method === 'eth_estimateGas') return '0x2710'
      runs += 1
      throw nodeError({ rpcCode: -32000, rpcMessage: 'header not found' })
    }
    const asked = estimateSafeExecution(failing, execution, { isBatch: false })
    await expect(asked).rejects.toMatchObject({ code: 'RPC_ERROR' })
    expect(runs).toBe(1)
  })

  it('error: EXECUTION_REVERTED, where no gas helps', async () => {
    const never = estimateSafeExecution(answers(10n ** 12n), execution, { isBatch: false })
    await expect(never).rejects.toMatchObject({ code: 'EXECUTION_REVERTED' })
  })
})

describe('gasOfExecution', () => {
  const offered = (estimate: () => Promise<unknown>, byRun: bigint | null) =>
    gasOfExecution(async ({ method }) => (method === 'eth_estimateGas' ? estimate() : pad('0x1')), execution, {
      byRun,
      isBatch: false,
    })

  it('is that of the run, or more where the chain counts more than a run sees', async () => {
    expect(await offered(async () => numberToHex(100_000n), 150_000n)).toBe(150_000n)
    expect(await offered(async () => numberToHex(90_000_000n), 150_000n)).toBe(108_000_000n)
  })

  it('is that of the run where the node does not say, and that of the node where there is none', async () => {
    expect(await offered(() => Promise.reject(nodeError({ rpcCode: -32000 })), 150_000n)).toBe(150_000n)
    expect(await offered(async () => numberToHex(100_000n), null)).toBe(120_000n)
  })
})

it('uses no signature that was not verified', () => {
  const safeTx = {
    to: owner,
    value: 0n,
    data: '0x',
    operation: 0,
    safeTxGas: 0n,
    baseGas: 0n,
    gasPrice: 0n,
    gasToken: owner,
    refundReceiver: owner,
    nonce: 0n,
  } as const
  const confirmations = [{ owner, signature: '0x', status: 'invalid', signatureType: 'EOA' }] as const
  expect(() => encodeExecution(safeTx, confirmations, { owners: [owner], threshold: 1 })).toThrow(
    expect.objectContaining({ data: { reason: 'verified', confirmations: 0, threshold: 1 } }),
  )
  const state: Parameters<typeof readyExecution>[2] = { address: owner, owners: [owner], threshold: 1 }
  expect(readyExecution(safeTx, confirmations, state)).toBeNull()
  const valid = [{ ...confirmations[0], signature: `0x${'11'.repeat(64)}1b`, status: 'valid' }] as const
  expect(readyExecution(safeTx, valid, state)).toMatchObject({ to: owner })
  expect(readyExecution(safeTx, [...valid, ...valid], { ...state, threshold: 2 })).toBeNull()
})
