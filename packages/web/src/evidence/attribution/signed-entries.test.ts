import type { TeamAbiEntry } from '@countersign/contract'
import { abiTypedData, hashAbi } from '@countersign/review'
import type { RpcRequest } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { areSigned } from './signed-entries.ts'

const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)
const [contract, safeAddress] = ['e5', 'f6'].map((byte) => `0x${byte.repeat(20)}`) as [Address, Address]
const place = { chainId: 1, safeAddress }
const noContract: RpcRequest = async () => '0x'

async function signed(index: number): Promise<TeamAbiEntry> {
  const abi = JSON.stringify([{ type: 'function', name: `poke${index}`, inputs: [] }])
  const signature = await account.signTypedData(abiTypedData({ ...place, contract, abi }))
  return { contract, name: 'Poker', abi, author: account.address, signature, updatedAt: '2026-01-01T00:00:00Z' }
}
const hashAt =
  (at: typeof place) =>
  ({ contract, abi }: TeamAbiEntry) =>
    hashAbi({ ...at, contract, abi })
const isSigned = async (entry: TeamAbiEntry, at = place, request = noContract) =>
  (await areSigned([entry], hashAt(at), request))[0]

describe('areSigned', () => {
  test('default: by the author’s key or contract', async () => {
    const entry = await signed(0)
    expect(await isSigned(entry)).toBe(true)
    const byContract = { ...entry, signature: '0x1234' as Hex }
    expect(await isSigned(byContract)).toBe(false)
    expect(await isSigned(byContract, place, async () => `0x1626ba7e${'00'.repeat(28)}`)).toBe(true)
    // It may have changed its mind.
    expect(await isSigned(byContract)).toBe(false)
    expect(await isSigned({ ...entry, signature: null })).toBe(false)
    const unanswered = () => Promise.reject(new Error('too many requests'))
    expect(await isSigned(byContract, place, unanswered)).toBeNull()
    expect(await isSigned(entry, place, unanswered)).toBe(true)
  })

  test('behavior: a signature that held before holds for nothing else', async () => {
    const entry = await signed(1)
    expect(await isSigned(entry)).toBe(true)
    expect(await isSigned({ ...entry, abi: '[]' })).toBe(false)
    expect(await isSigned({ ...entry, contract: safeAddress })).toBe(false)
    expect(await isSigned({ ...entry, author: safeAddress })).toBe(false)
    expect(await isSigned(entry, { ...place, chainId: 10 })).toBe(false)
    expect(await isSigned(entry, { ...place, safeAddress: contract })).toBe(false)
  })

  test('behavior: the page is drawn while many are verified, and none is verified twice', async () => {
    const entries = await Promise.all(Array.from({ length: 60 }, (_, index) => signed(index)))
    // A clock on which each entry takes a slice of its own.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
    onTestFinished(() => clock.mockRestore())
    let drawn = 0
    const timer = setInterval(() => (drawn += 1), 0)
    const first = process.cpuUsage()
    expect((await areSigned(entries, hashAt(place), noContract)).every(Boolean)).toBe(true)
    const verifying = process.cpuUsage(first).user
    clearInterval(timer)
    expect(drawn).toBeGreaterThan(entries.length / 2)
    clock.mockReturnValue(0)
    const again = process.cpuUsage()
    expect((await areSigned(entries, hashAt(place), noContract)).every(Boolean)).toBe(true)
    const remembering = process.cpuUsage(again).user
    // Remembered, they need their hashes alone.
    expect(remembering / verifying).toBeLessThan(1)
  })
})
