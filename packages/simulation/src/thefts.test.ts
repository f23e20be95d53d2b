import { type Devnet, testContracts } from '@countersign/devnet'
import type { SafeTxRun, SimulationResult } from '@countersign/review'
import { type SafeTx, safeAbi } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, numberToHex, pad, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { readerOfLatest, type TestNode } from './test/chain.ts'
import { chainId, first, owners, runOfSafe, second, startMeddledSafe, stranger } from './test/meddled-safe.ts'

const transferAbi = parseAbi(['function transfer(address to, uint256 amount)'])
const singletonSlot = numberToHex(0, { size: 32 })

let devnet: Devnet
let node: TestNode
let safeAddress: Address
let meddler: Address

beforeAll(async () => {
  ;({ devnet, node, safeAddress, meddler } = await startMeddledSafe('1.3.0'))
})
afterAll(() => devnet?.close())

async function run(
  fields: Partial<SafeTx> & Pick<SafeTx, 'to'>,
  more: Partial<SafeTxRun> = {},
): Promise<SimulationResult> {
  return simulate(await readerOfLatest(node, chainId), runOfSafe(safeAddress, '1.3.0', fields, more))
}

function changesOf(result: SimulationResult): Record<Hex, [Hex, Hex]> {
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  expect(result.outcome.kind).toBe('success')
  const own = result.slots.filter(({ account }) => account === safeAddress)
  return Object.fromEntries(own.map(({ slot, before, after }) => [slot, [before, after]]))
}

describe('a theft as it happened', () => {
  test('Bybit: a delegatecall that looks like a transfer shows the singleton it writes', async () => {
    const trojan = testContracts.slotZeroOverwrite.address
    const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [stranger.address, 0n] })
    const changes = changesOf(await run({ to: trojan, data, operation: 1 }))
    expect(changes[singletonSlot]?.[1]).toBe(pad(stranger.address, { size: 32 }).toLowerCase())
  })

  test('WazirX: an upgrade of the singleton shows the new one', async () => {
    const setter = encodeFunctionData({
      abi: parseAbi(['function set(uint256 slot, uint256 value)']),
      functionName: 'set',
      args: [0n, BigInt(meddler)],
    })
    const changes = changesOf(await run({ to: meddler, data: setter, operation: 1 }))
    expect(changes[singletonSlot]?.[1]).toBe(pad(meddler, { size: 32 }).toLowerCase())
  })

  test('Radiant: an owner who is replaced shows in the list of owners', async () => {
    const sentinel: Address = '0x0000000000000000000000000000000000000001'
    const args = [sentinel, first.address, stranger.address] as const
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'swapOwner', args })
    const changes = changesOf(await run({ to: safeAddress, data }))
    const values = Object.values(changes).flat()
    expect(values).toContain(pad(stranger.address, { size: 32 }).toLowerCase())
    // The sentinel, the old owner, the new owner, and the nonce.
    expect(Object.keys(changes)).toHaveLength(4)
  })

  test('shows a slot that was written and put back', async () => {
    const data = encodeFunctionData({
      abi: parseAbi(['function setAndRestore(uint256 slot, uint256 value)']),
      functionName: 'setAndRestore',
      args: [4n, 1n],
    })
    const result = await run({ to: meddler, data, operation: 1 })
    expect(Object.keys(changesOf(result))).toEqual([numberToHex(5, { size: 32 })])
    expect(result).toMatchObject({ restoredSlots: [numberToHex(4, { size: 32 })] })
  })
})

describe('what a run takes for granted', () => {
  test('names a future nonce and runs with it', async () => {
    const result = await run({ to: stranger.address, nonce: 9n })
    expect(result).toMatchObject({
      outcome: { kind: 'success' },
      assumed: { nonce: { onChain: 0n, assumed: 9n }, approvedBy: owners },
    })
    expect(changesOf(result)[numberToHex(5, { size: 32 })]).toEqual([
      numberToHex(9, { size: 32 }),
      numberToHex(10, { size: 32 }),
    ])
  })

  test('needs no approval of an owner who executes', async () => {
    expect(await run({ to: stranger.address }, { executor: first.address })).toMatchObject({
      outcome: { kind: 'success' },
      assumed: { approvedBy: [second.address] },
    })
  })

  test('pays for an executor who has nothing, and says so', async () => {
    const executor = numberToHex(0xdead0001, { size: 20 })
    const result = await run({ to: stranger.address }, { executor })
    expect(result).toMatchObject({ outcome: { kind: 'success' } })
    expect(result.status === 'finished' && result.assumed.executorFunds > 0n).toBe(true)
  })

  test('ends as a revert where the owners are not those of the Safe', async () => {
    expect(await run({ to: stranger.address }, { owners: [stranger.address, first.address] })).toMatchObject({
      outcome: { kind: 'reverted', failure: { explanation: { kind: 'safe', reason: { code: 'GS026' } } } },
    })
  })

  test('ends as a revert where the version is not that of the Safe', async () => {
    expect(await run({ to: stranger.address }, { version: '1.1.1' })).toMatchObject({
      outcome: { kind: 'reverted', failure: { explanation: { kind: 'safe', reason: { code: 'GS025' } } } },
    })
  })
})

describe('why a transaction fails', () => {
  test('is told with the call in which it began', async () => {
    const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [stranger.address, 1n] })
    const result = await run({ to: testContracts.erc20.address, data })
    expect(result).toMatchObject({
      outcome: {
        kind: 'reverted',
        failure: { kind: 'revert', explanation: { kind: 'safe', reason: { code: 'GS013' } } },
        began: [0, 0],
      },
    })
    const inner = result.status === 'finished' ? result.call.calls[0]?.calls[0] : undefined
    expect(inner).toMatchObject({ part: 'transaction', failure: { explanation: { kind: 'custom-error' } } })
  })

  test('uses the nonce up where the Safe forgives it', async () => {
    const data = encodeFunctionData({ abi: transferAbi, functionName: 'transfer', args: [stranger.address, 1n] })
    const result = await run({ to: testContracts.erc20.address, data, safeTxGas: 100_000n })
    expect(result).toMatchObject({
      outcome: { kind: 'inner-failure', failure: { explanation: { kind: 'custom-error' } }, began: [0, 0] },
      slots: [{ account: safeAddress, slot: numberToHex(5, { size: 32 }) }],
    })
  })
})
