import type { RpcRequest, SafeState } from '@countersign/safe'
import { keccak256, pad, padHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { configurationSlots } from '../../effects/safe-slots.ts'
import { coinOf } from '../../findings/assets/balances.ts'
import { inputOf, otherOwner, safeAddress, state, stranger } from '../../scene.ts'
import { safeSlots } from './safe-slots.ts'

const safeCode = '0x6001'
const singletonCode = '0x6002'
const known: SafeState = {
  ...state,
  proxyCodeHash: keccak256(safeCode),
  singletonCodeHash: keccak256(singletonCode),
  modules: [stranger],
  guard: otherOwner,
  balance: 7n,
}

/** A node that holds this Safe. */
function nodeOf(held: SafeState, change: { safeCode?: string } = {}): RpcRequest {
  const words = new Map(configurationSlots(held, held.nonce).map(({ slot, word }) => [slot, word]))
  return async ({ method, params = [] }) => {
    const [address, slot] = params as [string, `0x${string}`]
    if (method === 'eth_getBalance') return `0x${held.balance.toString(16)}`
    if (method === 'eth_getCode') return address === safeAddress ? (change.safeCode ?? safeCode) : singletonCode
    return words.get(slot) ?? padHex('0x', { size: 32 })
  }
}

const read = async (held: SafeState, change = {}, said = known) => {
  const need = safeSlots.needs(inputOf({}, { state: said }))
  if (need === null) throw new Error('unreachable')
  return (await safeSlots.read(() => nodeOf(held, change), need)).differing
}

describe('safeSlots', () => {
  it('says nothing of a Safe whose storage is what was read', async () => {
    expect(await read(known)).toEqual([])
    expect(await read({ ...known, balance: 8n })).toEqual([])
    expect(safeSlots.isOpen?.({ differing: [] })).toBe(false)
  })

  it('says what the Safe holds, which counts where somebody said less before', async () => {
    const need = safeSlots.needs(inputOf({}, { state: { ...known, balance: 1n } }))
    if (need === null) throw new Error('unreachable')
    const words = await safeSlots.read(() => nodeOf({ ...known, balance: 9n }), need)
    expect(words).toEqual({ differing: [], held: 9n })
    expect(coinOf({ safeSlots: words, state: { ...known, balance: 1n } })).toBe(9n)
    expect(coinOf({ state: { ...known, balance: 1n } })).toBe(1n)
  })

  it('names each part that differs', async () => {
    const [first = stranger, ...others] = known.owners
    const changes: [string, Partial<SafeState>][] = [
      ['owners', { owners: [...known.owners, stranger] }],
      ['owners', { owners: [first, stranger, ...others] }],
      ['owners', { owners: others }],
      ['owners', { owners: known.owners.with(0, stranger) }],
      ['threshold', { threshold: known.threshold + 1 }],
      ['nonce', { nonce: known.nonce + 1n }],
      ['modules', { modules: [] }],
      ['modules', { modules: [stranger, otherOwner] }],
      ['guard', { guard: null }],
      ['moduleGuard', { moduleGuard: stranger }],
      ['fallbackHandler', { fallbackHandler: stranger }],
      ['singleton', { singleton: stranger }],
      ['balance', { balance: 6n }],
    ]
    for (const [part, change] of changes) expect([part, await read({ ...known, ...change })]).toEqual([part, [part]])
    expect(await read(known, { safeCode: '0x6003' })).toEqual(['code'])
    expect(await read(known, {}, { ...known, singletonCodeHash: pad('0x1') })).toEqual(['singletonCode'])
    // Either the Safe or what was read of it is old: asked again.
    expect(safeSlots.isOpen?.({ differing: ['nonce'] })).toBe(true)
  })

  it('asks nothing where the singleton is not official: it keeps what it likes where it likes', () => {
    expect(safeSlots.needs(inputOf({}, { state: { ...known, version: null } }))).toBeNull()
    expect(safeSlots.needs(inputOf({}, { state: null }))).toBeNull()
  })

  it('gives no answer where the node gives none', async () => {
    const need = safeSlots.needs(inputOf({}, { state: known }))
    if (need === null) throw new Error('unreachable')
    await expect(safeSlots.read(() => async () => null, need)).rejects.toMatchObject({ code: 'RPC_ERROR' })
  })
})
