import { readFileSync } from 'node:fs'
import { type Address, type Hex, hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { hashSafeTx, newSafeTx, type SafeTx, safeTxTypedData } from './safe-tx.ts'

type Vector = Record<keyof SafeTx | 'safe' | 'version' | 'domainHash' | 'messageHash' | 'safeTxHash', string> & {
  chainId: number
  operation: 0 | 1
  nonce: number
  source: string
}

function readVectors(name: string): Vector[] {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}`, import.meta.url), 'utf8'))
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
