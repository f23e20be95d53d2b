import type { MessageTypedData } from '@countersign/safe'
import { maxUint256, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { outflowsOfMessage } from '../../policy/message-outflows.ts'
import { otherOwner, owner, safeAddress, stranger, token } from '../../scene.ts'
import { reviewTypedData } from './typed-data.ts'

type Field = [name: string, type: string, value: unknown]
const worthless = '0x00000000000000000000000000000000000000EE'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const struct = (fields: Field[]) => ({
  declared: fields.map(([name, type]) => ({ name, type })),
  value: Object.fromEntries(fields.map(([name, _type, value]) => [name, value])),
})
const typed = (
  primaryType: string,
  fields: Field[],
  types: MessageTypedData['types'] = {},
  domain: MessageTypedData['domain'] = { chainId: 1, verifyingContract: token },
): MessageTypedData => {
  const { declared, value } = struct(fields)
  return { domain, types: { [primaryType]: declared, ...types }, primaryType, message: value }
}

/** Fields that are named like those of a permit and that no token contract reads. */
const dummies: Field[] = [
  ['token', 'address', worthless],
  ['amount', 'uint256', 1n],
  ['value', 'uint256', 1n],
  ['spender', 'address', zeroAddress],
  ['taker', 'address', zeroAddress],
  ['operator', 'address', otherOwner],
  ['delegate', 'address', owner],
  ['delegatee', 'address', worthless],
  ['to', 'address', safeAddress],
  ['deadline', 'uint256', 4_000_000_000n],
]
const dummy = struct(dummies)
const uppercase = struct(dummies.map(([name, type, value]): Field => [name.toUpperCase(), type, value]))
const nested = struct([
  ['inner', 'Dummy[]', [dummy.value, dummy.value]],
  ['details', 'Dummy', dummy.value],
  ['permitted', 'Dummy[]', [dummy.value]],
])
const added: MessageTypedData['types'] = { Dummy: dummy.declared, Upper: uppercase.declared, Nested: nested.declared }
const witnesses: [string, Field][] = [
  ['a struct', ['witness', 'Dummy', dummy.value]],
  ['a struct named like the details of an allowance', ['details', 'Dummy', dummy.value]],
  ['a list of structs', ['witness', 'Dummy[]', [dummy.value, dummy.value]]],
  ['names in capitals', ['witness', 'Upper', uppercase.value]],
  ['structs in structs', ['witness', 'Nested', nested.value]],
  ['a plain field named like the token', ['token', 'address', worthless]],
  ['a plain field named like the amount', ['amount', 'uint256', 1n]],
  ['a plain field named like an account', ['operator', 'address', zeroAddress]],
]

const details = struct([
  ['token', 'address', token],
  ['amount', 'uint160', 7n],
  ['expiration', 'uint48', 1_800_000_000n],
  ['nonce', 'uint48', 0n],
])
const permitted = struct([
  ['token', 'address', token],
  ['amount', 'uint256', 7n],
])
const uniswap = { name: 'Permit2', chainId: 1, verifyingContract: permit2 }
const allowance = (primaryType: string, value: Field, more: Field[]) =>
  typed(
    primaryType,
    [value, ['spender', 'address', stranger], ['sigDeadline', 'uint256', 1_700_000_000n], ...more],
    { PermitDetails: details.declared, ...added },
    uniswap,
  )
const transfer = (primaryType: string, value: Field, more: Field[]) =>
  typed(
    primaryType,
    [
      value,
      ['spender', 'address', stranger],
      ['nonce', 'uint256', 0n],
      ['deadline', 'uint256', 1_800_000_000n],
      ...more,
    ],
    { TokenPermissions: permitted.declared, ...added },
    uniswap,
  )
const tokenPermit = (fields: Field[], more: Field[]) =>
  typed('Permit', [['spender', 'address', stranger], ...fields, ...more], added)

const erc2612: Field[] = [
  ['value', 'uint256', 7n],
  ['nonce', 'uint256', 0n],
  ['deadline', 'uint256', 1_800_000_000n],
]
const single: Field = ['permitted', 'TokenPermissions', permitted.value]
const batch: Field = ['permitted', 'TokenPermissions[]', [permitted.value]]
const extra: Field = ['extra', 'Dummy', dummy.value]
const seven = { spender: [stranger], token, amount: { text: '7', asset: token }, deadline: '1800000000' }
/** One permit, and the values that the contract reads. */
const shapes: [string, MessageTypedData, object][] = [
  ['ERC-2612 with a struct', tokenPermit(erc2612, [extra]), seven],
  ['ERC-2612 with details like those of Permit2', tokenPermit(erc2612, [['details', 'Dummy', dummy.value]]), seven],
  ['ERC-2612 with a token and an amount', tokenPermit(erc2612, dummies.slice(0, 2)), seven],
  ['ERC-2612 with names in capitals', tokenPermit(erc2612, [['extra', 'Upper', uppercase.value]]), seven],
  [
    'DAI with a struct',
    tokenPermit(
      [
        ['expiry', 'uint256', 1_800_000_000n],
        ['allowed', 'bool', true],
      ],
      [extra],
    ),
    { ...seven, amount: { text: String(maxUint256), asset: token } },
  ],
  [
    'an NFT with a struct',
    tokenPermit(
      [
        ['tokenId', 'uint256', 3n],
        ['deadline', 'uint256', 1_800_000_000n],
      ],
      [extra],
    ),
    { spender: [stranger], token, deadline: '1800000000' },
  ],
  [
    'ERC-3009 with a struct',
    typed(
      'TransferWithAuthorization',
      [
        ['from', 'address', safeAddress],
        ['to', 'address', stranger],
        ['value', 'uint256', 7n],
        ['validBefore', 'uint256', 1_800_000_000n],
        extra,
      ],
      added,
    ),
    { receiver: [stranger], token, amount: seven.amount, deadline: seven.deadline },
  ],
  [
    'an allowance of Permit2 with a struct',
    allowance('PermitSingle', ['details', 'PermitDetails', details.value], [extra]),
    seven,
  ],
  [
    'allowances of Permit2 with a list',
    allowance('PermitBatch', ['details', 'PermitDetails[]', [details.value]], [['extra', 'Dummy[]', [dummy.value]]]),
    seven,
  ],
  ['a transfer of Permit2 with a struct', transfer('PermitTransferFrom', single, [extra]), seven],
  ...witnesses.flatMap(([name, witness]): typeof shapes => [
    [`a witness: ${name}`, transfer('PermitWitnessTransferFrom', single, [witness]), seven],
    [`a witness of a batch: ${name}`, transfer('PermitBatchWitnessTransferFrom', batch, [witness]), seven],
  ]),
]

describe('a permit with fields that the contract does not read', () => {
  it.each(shapes)('shows the values that it reads: %s', (_name, typedData, read) => {
    const { domain, verifier: _verifier, primaryType: _type, ...shown } = evidenceOf(typedData)
    expect(domain).toBe(typedData.domain.name)
    expect(shown).toEqual(read)
  })

  it.each(shapes)('counts for a policy what it reads: %s', (_name, typedData) => {
    const { amounts, unbounded } = outflowsOfMessage({ encoding: 'EIP712', typedData }, safeAddress)
    const counted = unbounded.has('*') || amounts.get(token.toLowerCase()) === 7n
    expect(counted).toBe(true)
  })

  it('names no token or amount of an unknown form that has several', () => {
    const order = typed('LimitOrder', [...dummies.slice(0, 2), ['inner', 'Dummy', dummy.value]], added)
    expect(evidenceOf(order)).not.toHaveProperty('token')
    expect(evidenceOf(order)).not.toHaveProperty('amount')
  })
})

function evidenceOf(typedData: MessageTypedData): Record<string, unknown> {
  const [found, ...others] = reviewTypedData(typedData).filter(({ id }) => id === 'PERMIT-SIGN')
  expect(others).toEqual([])
  return { ...found?.evidence }
}
