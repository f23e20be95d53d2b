import { MAX_PAYMENTS } from '@countersign/contract'
import type { ClaimedExecution } from '@countersign/review'
import { encodeSignatures, hashSafeTx, newSafeTx, safeTxTypedData } from '@countersign/safe'
import { type Address, concatHex, getAddress, type Hex, pad, toEventSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { provedPayees } from './prove-payees.ts'

const [owner, other] = ['07', '08'].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
]
const [safeAddress, payee, stranger] = ['e5', 'f6', 'a7'].map((byte) => getAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
]
const place = { chainId: 1, safeAddress }
const state = { owners: [owner.address], threshold: 1, nonce: 9n }

const transactionHash: Hex = `0x${'77'.repeat(32)}`

/** A node on which the Safe executed these hashes, and failed with none of them. */
const nodeWith = (executions: readonly ClaimedExecution[], event = 'ExecutionSuccess') => {
  const logs = executions.map(({ safeTxHash }) => ({
    address: safeAddress,
    topics: [toEventSelector(`${event}(bytes32,uint256)`)],
    data: concatHex([safeTxHash, pad('0x')]),
  }))
  const [to, from] = [stranger, stranger]
  const place = { blockHash: transactionHash, blockNumber: '0x1', transactionIndex: '0x0', status: '0x1' }
  return async () => ({ transactionHash, from, to, ...place, logs })
}

async function executed(to: Address, by = owner) {
  const safeTx = newSafeTx({ to, value: 1n, nonce: 3n })
  const context = { ...place, version: '1.4.1', safeTx }
  const signature = await by.signTypedData(safeTxTypedData(context))
  const signatures = encodeSignatures([{ owner: by.address, signature }])
  return { safeTxHash: hashSafeTx(context).safeTxHash, safeTx, signatures, transactionHash }
}

describe('provedPayees', () => {
  test('default: payees of executions that owners signed', async () => {
    const claimed = [await executed(payee), await executed(stranger, other)]
    expect(await provedPayees(place, claimed, state, nodeWith(claimed))).toEqual({ payees: [payee], isWhole: true })
  })

  test('behavior: proves no account if the server replaces the recipient', async () => {
    const { safeTx, ...rest } = await executed(payee)
    const forged = { ...rest, safeTx: { ...safeTx, to: stranger } }
    expect(await provedPayees(place, [forged], state, nodeWith([forged]))).toEqual({ payees: [], isWhole: true })
  })

  test('behavior: proves no account if the Safe never executed the signed transaction, or the execution failed', async () => {
    const execution = await executed(payee)
    expect(await provedPayees(place, [execution], state, nodeWith([]))).toEqual({ payees: [], isWhole: true })
    expect(await provedPayees(place, [execution], state, nodeWith([execution], 'ExecutionFailure'))).toEqual({
      payees: [],
      isWhole: true,
    })
    expect(await provedPayees(place, [execution], state, async () => null)).toEqual({ payees: [], isWhole: true })
  })

  test('behavior: an execution that the node says nothing about is not counted as one that proves nobody', async () => {
    const claimed = [await executed(payee), await executed(stranger), await executed(payee)]
    const node = nodeWith(claimed)
    const refusing = (refused: number[]) => {
      let asked = 0
      return () => (refused.includes(asked++) ? Promise.reject(new Error('too many requests')) : node())
    }
    const found = (refused: number[]) => provedPayees(place, claimed, state, refusing(refused))
    expect(await found([])).toEqual({ payees: [payee, stranger], isWhole: true })
    expect(await found([1])).toEqual({ payees: [payee], isWhole: false })
    expect(await found([0, 1, 2])).toEqual({ payees: [], isWhole: false })
    // Another one has proved the same account.
    expect(await found([0])).toEqual({ payees: [stranger, payee], isWhole: true })
  })

  test('behavior: verifies no more of an endless answer than was requested', async () => {
    const forged = { ...(await executed(payee)), safeTxHash: `0x${'00'.repeat(32)}` as const }
    const claimed = [...Array.from({ length: MAX_PAYMENTS }, () => forged), await executed(payee)]
    expect(await provedPayees(place, claimed, state, nodeWith(claimed))).toEqual({ payees: [], isWhole: true })
  })
})
