import { newSafeTx } from '@countersign/safe'
import { toHex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { batchStanding, sameInQueue } from './batch-standing.ts'

const hash = zeroHash
const sent = [{ hash, nonce: 5n }]
const waiting = { safeTxHash: hash, isExecuted: false, isSuccessful: null }

describe('batchStanding', () => {
  it.each([
    ['was never sent', [], undefined, 5n, { kind: 'open' }],
    ['is asked for', sent, undefined, 5n, { kind: 'asking' }],
    ['waits', sent, waiting, 5n, { kind: 'proposed', hash }],
    ['was executed', sent, { ...waiting, isExecuted: true, isSuccessful: true }, 6n, { kind: 'executed', hash }],
    ['failed', sent, { ...waiting, isExecuted: true, isSuccessful: false }, 6n, { kind: 'failed', hash }],
    ['lost its nonce to another one', sent, waiting, 6n, { kind: 'replaced' }],
    ['is denied by the server while its nonce is free', sent, null, 5n, { kind: 'lost', nonce: 5n }],
    ['is denied by the server, and its nonce is used', sent, null, 6n, { kind: 'replaced' }],
  ] as const)('says how a transaction stands that %s', (_, all, served, nonce, standing) => {
    expect(batchStanding({ sent: all }, () => served, nonce)).toEqual(standing)
  })

  it('counts what was sent twice as executed once one of them was', () => {
    const second = { hash: toHex(1, { size: 32 }), nonce: 7n }
    const served = (one: string) => (one === hash ? { ...waiting, isExecuted: true, isSuccessful: true } : null)
    expect(batchStanding({ sent: [...sent, second] }, served, 7n)).toEqual({ kind: 'executed', hash })
  })
})

describe('sameInQueue', () => {
  const safeTx = newSafeTx({ to: zeroAddress, data: '0xAB', nonce: 9n })
  const queued = { safeTx, safeTxHash: hash, isExecuted: false }

  it('finds the same payments at any nonce, and nothing that differs', () => {
    expect(sameInQueue({ ...safeTx, data: '0xab' }, [queued])).toEqual({ hash, nonce: 9n })
    expect(sameInQueue({ ...safeTx, data: '0xac' }, [queued])).toBeNull()
    expect(sameInQueue({ ...safeTx, value: 1n }, [queued])).toBeNull()
    expect(sameInQueue(safeTx, [{ ...queued, isExecuted: true }])).toBeNull()
  })
})
