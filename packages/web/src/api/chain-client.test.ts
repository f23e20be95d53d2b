import { describe, expect, test, vi } from 'vitest'
import { createRequest } from './chain-client.ts'

describe('createRequest', () => {
  test('default: requests of one tick travel together, answers come in any order', async () => {
    const send = vi.fn(async (batch: { id: number; method: string }[]) =>
      batch.map(({ id, method }) => ({ id, result: method })).reverse(),
    )
    const request = createRequest(send)
    await expect(
      Promise.all([request({ method: 'eth_chainId' }), request({ method: 'eth_blockNumber' })]),
    ).resolves.toEqual(['eth_chainId', 'eth_blockNumber'])
    expect(send).toHaveBeenCalledTimes(1)
  })

  test('behavior: a patient question travels with the next one, and alone where none comes', async () => {
    vi.useFakeTimers()
    try {
      const send = vi.fn(async (batch: { id: number; method: string }[]) =>
        batch.map(({ id, method }) => ({ id, result: method })),
      )
      const request = createRequest(send)
      const patient = request({ method: 'eth_call', patience: 500 })
      await vi.advanceTimersByTimeAsync(400)
      expect(send).not.toHaveBeenCalled()
      const together = Promise.all([patient, request({ method: 'eth_chainId' })])
      await vi.advanceTimersByTimeAsync(0)
      await expect(together).resolves.toEqual(['eth_call', 'eth_chainId'])
      const alone = request({ method: 'eth_call', patience: 500 })
      await vi.advanceTimersByTimeAsync(400)
      expect(send).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(100)
      await expect(alone).resolves.toBe('eth_call')
      expect(send).toHaveBeenCalledTimes(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('behavior: more than a hundred are split', async () => {
    const send = vi.fn(async (batch: { id: number }[]) => batch.map(({ id }) => ({ id, result: id })))
    const request = createRequest(send)
    await Promise.all(Array.from({ length: 101 }, () => request({ method: 'eth_call' })))
    expect(send.mock.calls.map(([batch]) => batch.length)).toEqual([100, 1])
  })

  test('behavior: what is too long for one request is split, and whatever is longer goes alone', async () => {
    const send = vi.fn(async (batch: { id: number }[]) => batch.map(({ id }) => ({ id, result: id })))
    const request = createRequest(send)
    const lengths = [100_000, 100_000, 300_000, 100_000, 900_000, 100]
    await Promise.all(lengths.map((length) => request({ method: 'eth_call', params: ['0'.repeat(length)] })))
    expect(send.mock.calls.map(([batch]) => batch.length)).toEqual([3, 1, 1, 1])
  })

  test('error: RPC_ERROR carries what the node said', async () => {
    const request = createRequest(async () => [
      { id: 0, error: { code: 3, message: 'execution reverted', data: '0x08c379a0' } },
    ])
    await expect(request({ method: 'eth_call' })).rejects.toMatchObject({
      code: 'RPC_ERROR',
      data: { rpcCode: 3, rpcData: '0x08c379a0' },
    })
  })

  test('error: one answer is missing, the others are not lost', async () => {
    const request = createRequest(async () => [{ id: 1, result: '0x1' }])
    const [first, second] = await Promise.allSettled([
      request({ method: 'eth_call' }),
      request({ method: 'eth_chainId' }),
    ])
    expect(first).toMatchObject({ status: 'rejected', reason: { code: 'RPC_ERROR' } })
    expect(second).toEqual({ status: 'fulfilled', value: '0x1' })
  })
})
