import { erc20Abi } from '@countersign/safe'
import { encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import type { ApprovalChange } from '../../simulation/simulation-result.ts'
import { simulationOf } from './scene.ts'

const left = (fields: Partial<ApprovalChange> = {}): ApprovalChange => ({
  token,
  owner: safeAddress,
  spender: stranger,
  standard: 'erc20',
  tokenId: null,
  before: 0n,
  after: maxUint256,
  ...fields,
})
const found = async (approvals: ApprovalChange[], to = stranger, data: Hex = '0xdeadbeef') =>
  (await reviewSafeTx(inputOf({ to, data }, simulationOf({ approvals })))).findings.filter(
    ({ id }) => id === 'APPROVAL-LEFT',
  )

test('default: what somebody may take afterwards and no call says is told', async () => {
  expect(await found([left()])).toMatchObject([
    {
      id: 'APPROVAL-LEFT',
      severity: 'high',
      evidence: { spender: stranger, token, amount: { value: maxUint256, asset: token } },
    },
  ])
})

test('behavior: what an approval says has a finding of its own', async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, 5n] })
  expect(await found([left({ after: 5n })], token, data)).toEqual([])
})

test('behavior: an approval says nothing of another token, nor of more, and one that ends says nothing', async () => {
  const other: Hex = '0x5555555555555555555555555555555555555555'
  const approve = (amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [stranger, amount] })
  expect(await found([left({ token: other })], token, approve(5n))).toMatchObject([{ evidence: { token: other } }])
  expect(await found([left({ after: 6n })], token, approve(5n))).toMatchObject([
    { evidence: { amount: { value: 6n } } },
  ])
  expect(await found([left()], token, approve(0n))).toHaveLength(1)
  const increase = encodeFunctionData({
    abi: parseAbi(['function increaseAllowance(address, uint256)']),
    args: [stranger, 5n],
  })
  expect(await found([left({ before: 9n, after: 14n })], token, increase)).toEqual([])
})

test('behavior: nobody is told of what ends, shrinks, or is not the Safe’s', async () => {
  expect(
    await found([left({ before: 9n, after: 0n }), left({ before: 9n, after: 5n }), left({ owner: stranger })]),
  ).toEqual([])
})
