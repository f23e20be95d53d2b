import { type Hex, size, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { newSafeTx } from '../signing/safe-tx.ts'
import { encodeExecTransaction } from './execution.ts'
import { executionSize } from './execution-size.ts'
import { encodeMultiSend } from './multi-send.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const bytes = (count: number): Hex => `0x${'ab'.repeat(count)}`
const signed = async (data: Hex) =>
  size(
    await account.signTransaction({
      type: 'eip1559',
      chainId: 11_155_111,
      nonce: 70_000,
      gas: 16_777_216n,
      to: zeroAddress,
      data,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
    }),
  )

describe('executionSize', () => {
  it.each([
    [0, 1],
    [68, 2],
    [40_000, 5],
    [130_000, 50],
  ])('is what a wallet sends, and a little more: %i bytes of data, %i signatures', async (length, threshold) => {
    const safeTx = newSafeTx({ to: zeroAddress, data: bytes(length), nonce: 1n })
    const sent = await signed(encodeExecTransaction(safeTx, bytes(65 * threshold)))
    const said = executionSize(safeTx, { threshold })
    expect(said).toBeGreaterThanOrEqual(sent)
    expect(said - sent).toBeLessThan(100)
  })

  it('holds the creation of the Safe where it goes first', async () => {
    const safeTx = newSafeTx({ to: zeroAddress, data: bytes(1_000), nonce: 0n })
    const creation = { factory: zeroAddress, data: bytes(617) }
    const calls = [
      { to: zeroAddress, value: 0n, data: creation.data },
      { to: zeroAddress, value: 0n, data: encodeExecTransaction(safeTx, bytes(65)) },
    ]
    const sent = await signed(encodeMultiSend(calls))
    const said = executionSize(safeTx, { threshold: 1, creation })
    expect(said).toBeGreaterThanOrEqual(sent)
    expect(said - sent).toBeLessThan(100)
  })
})
