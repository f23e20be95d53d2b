import { demoAccounts } from '@countersign/devnet'
import { encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { codeOf, devnetChain, eventually, newSafe } from '../test/test-server.ts'
import { createChains } from './clients.ts'
import { createStateReader } from './state-reader.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

openChain()

/** A reader, and how often it has asked. */
function countingReader() {
  const chain = createChains([devnetChain(devnet.rpcUrl)]).get(chainId)
  if (!chain) throw new Error('unreachable')
  const asked = { count: 0 }
  const read = createStateReader((call) => {
    asked.count += 1
    return chain.request(call)
  }, chainId)
  return { read, asked }
}

describe('createStateReader', () => {
  test('default: reads again as soon as there is another block, and asks only which it is until then', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const { read, asked } = countingReader()
    const first = await read(safeAddress)
    expect(asked.count).toBeGreaterThan(5)
    asked.count = 0
    expect(await read(safeAddress)).toBe(first)
    expect(asked.count).toBe(1)
    const args = [bob.address, 1n] as const
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'addOwnerWithThreshold', args })
    await actor.execute(safeAddress, { to: safeAddress, data })
    expect(await read(safeAddress)).toMatchObject({ owners: [bob.address, alice.address], nonce: 1n })
  })

  test('behavior: a reading for a client that has left is reused for the next client', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const { read, asked } = countingReader()
    const client = new AbortController()
    const first = await read(safeAddress, { signal: client.signal })
    client.abort(new Error('answered'))
    asked.count = 0
    expect(await read(safeAddress, { signal: new AbortController().signal })).toBe(first)
    expect(asked.count).toBe(1)
  })

  test('behavior: another block of the same height is another block', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const { read } = countingReader()
    const snapshot = await actor.rpc('evm_snapshot')
    await actor.execute(safeAddress, { to: bob.address })
    const before = await read(safeAddress)
    await actor.rpc('evm_revert', snapshot)
    await actor.rpc('anvil_mine', '0x1')
    const after = await read(safeAddress)
    expect([before.nonce, after.nonce, after.blockNumber]).toEqual([1n, 0n, before.blockNumber])
  })

  test('behavior: a reading that several clients wait for ends when the last of them leaves', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const chain = createChains([devnetChain(devnet.rpcUrl)]).get(chainId)
    if (!chain) throw new Error('unreachable')
    let signals: (AbortSignal | undefined)[] = []
    const waiting: (() => void)[] = []
    const read = createStateReader(async ({ signal, ...call }) => {
      const answer = await chain.request(call)
      if (call.method === 'eth_getBlockByNumber') return answer
      signals.push(signal)
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        signal?.addEventListener('abort', () => resolve())
      })
      signal?.throwIfAborted()
      return answer
    }, chainId)
    const readByTwo = async () => {
      signals = []
      const clients = [new AbortController(), new AbortController()]
      const readings = clients.map(({ signal }) => read(safeAddress, { signal }).catch((error: Error) => error.message))
      await eventually(async () => signals.length > 0)
      // Both have asked for the newest block and wait for the same reading.
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { clients, readings }
    }
    const left = await readByTwo()
    left.clients[0]?.abort(new Error('left'))
    expect(signals.map((signal) => signal?.aborted)).not.toContain(true)
    left.clients[1]?.abort(new Error('left as well'))
    expect(signals.map((signal) => signal?.aborted)).not.toContain(false)
    expect(await Promise.all(left.readings)).toEqual(['left as well', 'left as well'])

    const waited = await readByTwo()
    waited.clients[0]?.abort(new Error('left'))
    const timer = setInterval(() => {
      for (const goOn of waiting.splice(0)) goOn()
    }, 5)
    expect(await waited.readings[1]).toMatchObject({ owners: [alice.address] })
    clearInterval(timer)
  })

  test('behavior: many at once read it once; what failed is read again', async () => {
    const { read, asked } = countingReader()
    const address = demoAccounts[7].address
    expect(await codeOf(read(address))).toBe('NOT_A_SAFE')
    const failed = asked.count
    expect(await codeOf(read(address))).toBe('NOT_A_SAFE')
    expect(asked.count).toBe(2 * failed)
    const safeAddress = await newSafe(devnet.rpcUrl)
    asked.count = 0
    const states = await Promise.all([1, 2, 3, 4].map(() => read(safeAddress)))
    expect(new Set(states).size).toBe(1)
    expect(asked.count).toBeLessThan(4 + 20)
  })
})
