import { newSafeTx, type SafeState } from '@countersign/safe'
import { type Address, getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { provedPayeesQuery } from './proved-payees.ts'

const [safeAddress, payee, other] = ['e5', 'f6', 'a7'].map((byte) => getAddress(`0x${byte.repeat(20)}`)) as [
  Address,
  Address,
  Address,
]
const safeTx = newSafeTx({ to: payee, value: 1n, nonce: 3n })
const subject = { kind: 'transaction', chainId: 1, safeAddress, safeTx } as const
const state = { owners: [other], threshold: 1, nonce: 3n } as unknown as SafeState

function asked(...lists: [paid: readonly Address[] | null | undefined, isPaidWhole?: boolean]): readonly Address[] {
  const [paid, isPaidWhole] = lists
  const { enabled, queryKey } = provedPayeesQuery(subject, { paid, isPaidWhole }, state)
  const payees = [payee, other].filter((account) => String(queryKey[1]).includes(`"payees":["${account}"]`))
  expect(enabled).toBe(payees.length > 0)
  return payees
}

describe('provedPayeesQuery', () => {
  test('default: asks about the payees of the transaction that the server lists as paid', () => {
    expect(asked([other, payee], true)).toEqual([payee])
    expect(asked([other], true)).toEqual([])
    expect(asked([], true)).toEqual([])
  })

  test('behavior: asks about all payees of the transaction if the list is not whole', () => {
    expect(asked([other], false)).toEqual([payee])
  })

  test('behavior: asks nothing if the server did not say whom the Safe has paid', () => {
    expect(asked(null)).toEqual([])
    expect(asked(undefined)).toEqual([])
  })
})
