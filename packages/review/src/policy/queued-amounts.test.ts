import { erc20Abi, newSafeTx } from '@countersign/safe'
import { encodeFunctionData, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { safeAddress, stranger, token } from '../scene.ts'
import { amountOf, amountsByNonce, sumAmounts, UNTOLD_AMOUNT } from './queued-amounts.ts'

const pay = (value: bigint, nonce: bigint) => newSafeTx({ to: stranger, value, nonce })
const send = (amount: bigint, nonce: bigint) =>
  newSafeTx({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, amount] }),
    nonce,
  })
const sum = (...proposals: Parameters<typeof amountsByNonce>[0][number][]) =>
  sumAmounts([...amountsByNonce(proposals, { safeAddress, version: '1.4.1' }).values()])

describe('queued amounts', () => {
  it('are added up over nonces; of rivals the larger counts', () => {
    expect(amountOf(sum(pay(5n, 1n), pay(7n, 1n), pay(1n, 2n)), zeroAddress)).toBe(8n)
    expect(amountOf(sum(send(5n, 1n), pay(7n, 1n)), token)).toBe(5n)
    expect(amountOf(sum(), token)).toBe(0n)
  })

  it.each([0n, 5n, 2n ** 255n])('of a number %s that an item may have are known of tokens alone', (number) => {
    const args = [safeAddress, stranger, number] as const
    const taken = newSafeTx({
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args }),
    })
    const sumIf = (isToken?: () => boolean) =>
      amountOf(sumAmounts([...amountsByNonce([taken], { safeAddress, version: '1.4.1' }, isToken).values()]), token)
    expect(sumIf()).toBe(UNTOLD_AMOUNT)
    expect(sumIf(() => false)).toBe(UNTOLD_AMOUNT)
    expect(sumIf(() => true)).toBe(number)
  })

  it('of what nobody can tell are without limit, also beside an amount that is known', () => {
    const hidden = newSafeTx({ to: stranger, data: '0xdeadbeef', operation: 1, nonce: 3n })
    expect(amountOf(sum(hidden), token)).toBe(UNTOLD_AMOUNT)
    expect(amountOf(sum(send(5n, 1n), hidden), token)).toBe(UNTOLD_AMOUNT)
    expect(amountOf(sum(hidden, { ...hidden, nonce: 4n }), token)).toBe(UNTOLD_AMOUNT)
  })
})
