import { erc20Abi } from '@countersign/safe-core'
import { decodeFunctionData } from 'viem'
import { describe, expect, it } from 'vitest'
import { emptyDraft, parseDraft } from './draft.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const token = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const recipient = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const facts = { safeAddress, safeNonce: 3n, nextNonce: 5n } as const
const coin = { address: null, symbol: 'ETH', decimals: 18 }
const dollar = { address: token, symbol: 'TUSD', decimals: 6 } as const

describe('parseDraft', () => {
  it('builds a native transfer at the next free nonce', () => {
    const read = parseDraft({ ...emptyDraft, recipient, amount: '0.5' }, { ...facts, asset: coin })
    expect(read).toMatchObject({
      ok: true,
      origin: null,
      safeTx: { to: recipient, value: 500_000_000_000_000_000n, data: '0x', operation: 0, nonce: 5n, gasPrice: 0n },
    })
  })

  it('builds an ERC-20 transfer at the nonce that was typed', () => {
    const draft = { ...emptyDraft, asset: token, recipient, amount: '1250', nonce: '3', origin: ' rent ' }
    const read = parseDraft(draft, { ...facts, asset: dollar })
    if (!read.ok) throw new Error('expected a transaction')
    expect(read.safeTx).toMatchObject({ to: token, value: 0n, nonce: 3n })
    expect(read.origin).toBe('rent')
    expect(decodeFunctionData({ abi: erc20Abi, data: read.safeTx.data })).toEqual({
      functionName: 'transfer',
      args: [recipient, 1_250_000_000n],
    })
  })

  it('names every field at fault at once', () => {
    const draft = {
      ...emptyDraft,
      asset: 'other',
      tokenAddress: '0x12',
      amount: '1,5',
      nonce: '2',
      origin: 'x'.repeat(201),
    }
    const read = parseDraft(draft, { ...facts, asset: null })
    if (read.ok) throw new Error('expected errors')
    expect(Object.keys(read.errors).toSorted()).toEqual(['amount', 'asset', 'nonce', 'origin', 'recipient'])
    expect(read.errors.amount).toContain('1,5')
    expect(read.errors.nonce).toContain('3')
  })

  it.each([safeAddress, token, '0x0000000000000000000000000000000000000000'])(
    'refuses %s as recipient of tokens',
    (to) => {
      const read = parseDraft({ ...emptyDraft, asset: token, recipient: to, amount: '1' }, { ...facts, asset: dollar })
      expect(read).toMatchObject({ ok: false, errors: { recipient: expect.any(String) } })
    },
  )

  it('refuses more decimals than the token has', () => {
    const read = parseDraft({ ...emptyDraft, recipient, amount: '0.0000001' }, { ...facts, asset: dollar })
    expect(read).toMatchObject({ ok: false, errors: { amount: expect.stringContaining('6') } })
  })
})
