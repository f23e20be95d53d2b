import { readFileSync } from 'node:fs'
import { type Address, type Hex, hashTypedData, keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { safeMessageTypedData } from './safe-message.ts'
import { encodeSafeTxPreimage, hashSafeTx, newSafeTx, type SafeTx, safeTxHasher, safeTxTypedData } from './safe-tx.ts'

type Vector = Record<keyof SafeTx | 'safe' | 'version' | 'domainHash' | 'messageHash' | 'safeTxHash', string> & {
  chainId: number
  operation: 0 | 1
  nonce: number
  source: string
}

function readVectors(name: string): Vector[] {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'))
}

function contextOf(vector: Vector) {
  const safeTx: SafeTx = {
    to: vector.to as Address,
    value: BigInt(vector.value),
    data: vector.data as Hex,
    operation: vector.operation,
    safeTxGas: BigInt(vector.safeTxGas),
    baseGas: BigInt(vector.baseGas),
    gasPrice: BigInt(vector.gasPrice),
    gasToken: vector.gasToken as Address,
    refundReceiver: vector.refundReceiver as Address,
    nonce: BigInt(vector.nonce),
  }
  return { chainId: vector.chainId, safeAddress: vector.safe as Address, version: vector.version, safeTx }
}

describe.each(['safe-tx-hashes.json', 'safe-tx-hashes-anvil.json'])('hashes in %s', (file) => {
  const vectors = readVectors(file)

  it('has vectors', () => {
    expect(vectors.length).toBe(file === 'safe-tx-hashes.json' ? 81 : 9)
  })

  it.each(vectors.map((vector, index) => ({ index, title: `${vector.version} ${vector.safeTxHash}`, vector })))(
    '$index: $title',
    ({ vector }) => {
      const context = contextOf(vector)
      const { domainHash, messageHash, safeTxHash } = vector
      expect(hashSafeTx(context)).toEqual({ domainHash, messageHash, safeTxHash })
      // The typed data given to the wallet leads to the same hash by viem's own way.
      expect(hashTypedData(safeTxTypedData(context))).toBe(safeTxHash)
      expect(keccak256(encodeSafeTxPreimage(context))).toBe(safeTxHash)
      expect(keccak256(encodeSafeTxPreimage(context, keccak256(context.safeTx.data)))).toBe(safeTxHash)
      expect(safeTxHasher(context)(context.safeTx.nonce)).toBe(safeTxHash)
    },
  )
})

describe('newSafeTx', () => {
  it('fills in zeros', () => {
    const to = '0x1111111111111111111111111111111111111111'
    const zero = '0x0000000000000000000000000000000000000000'
    expect(newSafeTx({ to, nonce: 3n })).toEqual({
      to,
      value: 0n,
      data: '0x',
      operation: 0,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zero,
      refundReceiver: zero,
      nonce: 3n,
    })
  })
})

describe('hashSafeTx', () => {
  const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const context = { chainId: 1, safeAddress: to, version: '1.4.1', safeTx: newSafeTx({ to, nonce: 0n }) } as const
  const over = 2n ** 256n

  it('takes the largest numbers, and addresses in lower case', () => {
    const largest = hashSafeTx({ ...context, safeTx: { ...context.safeTx, value: over - 1n, nonce: over - 1n } })
    expect(largest.safeTxHash).toMatch(/^0x[0-9a-f]{64}$/)
    const lower = to.toLowerCase() as Address
    expect(hashSafeTx({ ...context, safeAddress: lower, safeTx: { ...context.safeTx, to: lower } })).toEqual(
      hashSafeTx(context),
    )
  })

  it.each<[string, Partial<Record<keyof SafeTx, unknown>>]>([
    ['a number of 2^256', { value: over }],
    ['a negative number', { nonce: -1n }],
    ['a number that is none', { baseGas: undefined }],
    ['a fraction', { safeTxGas: 1.5 }],
    ['an operation over a byte', { operation: 256 }],
    ['a wrong checksum', { to: to.replace('aA', 'Aa') }],
    ['a short address', { gasToken: '0x00' }],
    ['no address', { refundReceiver: null }],
    ['half a byte', { data: '0x123' }],
    ['data that is no hex', { data: 'hello' }],
  ])('error: FIELD_MALFORMED for %s', (_, change) => {
    const [field] = Object.keys(change)
    expect(() => hashSafeTx({ ...context, safeTx: { ...context.safeTx, ...change } as SafeTx })).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED', data: expect.objectContaining({ field }) }),
    )
  })

  it('error: FIELD_MALFORMED for an impossible chain id', () => {
    expect(() => hashSafeTx({ ...context, chainId: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'FIELD_MALFORMED' }),
    )
  })

  it('follows the newest rules for a version that is none', () => {
    expect(hashSafeTx({ ...context, version: 'no version' })).toEqual(hashSafeTx(context))
  })
})

describe('safeTxTypedData', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1.5, -1])('error: FIELD_MALFORMED for the chain id %s', (chainId) => {
    const safeTx = newSafeTx({ to: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf', nonce: 0n })
    const context = { chainId, safeAddress: safeTx.to, version: '1.4.1' }
    const malformed = expect.objectContaining({
      code: 'FIELD_MALFORMED',
      data: expect.objectContaining({ field: 'chainId' }),
    })
    expect(() => safeTxTypedData({ ...context, safeTx })).toThrow(malformed)
    const content = { encoding: 'RAW', bytes: '0x' } as const
    expect(() => safeMessageTypedData({ ...context, content })).toThrow(malformed)
  })
})
