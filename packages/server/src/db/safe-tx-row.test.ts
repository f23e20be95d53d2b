import { newSafeTx } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { toSafeTx } from './safe-tx-row.ts'

const row = newSafeTx({ to: zeroAddress, nonce: 7n })

test('default: the ten fields', () => {
  expect(toSafeTx(row)).toEqual(row)
})

test.each(Object.keys(row))('edge: null without %s', (field) => {
  expect(toSafeTx({ ...row, [field]: null })).toBeNull()
})
