import type { MessageTypedData } from '@countersign/safe'
import { maxUint256, zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { outflowsOfMessage } from '../../policy/message-outflows.ts'
import { otherOwner, owner, safeAddress, stranger, token, typedDataOf as typed } from '../../scene.ts'
import { reviewTypedData } from './typed-data.ts'

const worthless = '0x00000000000000000000000000000000000000EE'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const uniswap = { name: 'Permit2', chainId: 1, verifyingContract: permit2 }
const detailsType = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const permittedType = 'TokenPermissions(address token,uint256 amount)'
const erc2612Type = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'
const daiType = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)'
const authorizationFields =
  '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
const orderType =
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)'

const erc2612 = { owner: safeAddress, spender: stranger, value: 7n, nonce: 0n, deadline: 1_800_000_000n }
const dai = { holder: safeAddress, spender: stranger, nonce: 0n, expiry: 1_800_000_000n, allowed: true }
const nft = { spender: stranger, tokenId: 3n, nonce: 0n, deadline: 1_800_000_000n }
const authorization = {
  from: safeAddress,
  to: stranger,
  value: 7n,
  validAfter: 0n,
  validBefore: 1_800_000_000n,
  nonce: zeroHash,
}
const details = { token, amount: 7n, expiration: 1_800_000_000n, nonce: 0n }
const allowance = { details, spender: stranger, sigDeadline: 1_700_000_000n }
const permitted = { token, amount: 7n }
const transfer = { permitted, spender: stranger, nonce: 0n, deadline: 1_800_000_000n }
/** Decoy fields with the names of permit fields. No contract reads them. */
const dummy = { token: worthless, amount: 1n, spender: otherOwner, to: owner, details, permitted }
const dummyType = `Dummy(address token,uint256 amount,address spender,address to)`
const order = {
  sellToken: token,
  buyToken: otherOwner,
  receiver: stranger,
  sellAmount: 5n,
  buyAmount: 1n,
  validTo: 1_800_000_000,
  appData: zeroHash,
  feeAmount: 2n,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
}

const seven = { spender: [stranger], token, amount: { text: '7', asset: token }, deadline: '1800000000' }
const received = { receiver: [stranger], token, amount: seven.amount, deadline: seven.deadline }
const byUniswap = { ...seven, verifier: permit2 }
const single = (name: string, more = '') =>
  `${name}(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline${more})${permittedType}`
const several = (name: string, more = '') => single(name, more).replace('TokenPermissions', 'TokenPermissions[]')

const exact: [string, MessageTypedData, object][] = [
  ['ERC-2612', typed(erc2612Type, erc2612), seven],
  ['DAI', typed(daiType, dai), { ...seven, amount: { text: String(maxUint256), asset: token } }],
  ['DAI without an end', typed(daiType, { ...dai, expiry: 0n }), { spender: [stranger], token }],
  [
    'ERC-4494',
    typed('Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)', nft),
    { spender: [stranger], token, deadline: '1800000000' },
  ],
  ['ERC-3009, sent', typed(`TransferWithAuthorization${authorizationFields}`, authorization), received],
  ['ERC-3009, received', typed(`ReceiveWithAuthorization${authorizationFields}`, authorization), received],
  [
    'Permit2, an allowance',
    typed(`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${detailsType}`, allowance, uniswap),
    byUniswap,
  ],
  [
    'Permit2, allowances',
    typed(
      `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${detailsType}`,
      { ...allowance, details: [details] },
      uniswap,
    ),
    byUniswap,
  ],
  ['Permit2, a transfer', typed(single('PermitTransferFrom'), transfer, uniswap), byUniswap],
  [
    'Permit2, transfers',
    typed(several('PermitBatchTransferFrom'), { ...transfer, permitted: [permitted] }, uniswap),
    byUniswap,
  ],
  [
    'Permit2, a transfer with a struct as its witness',
    typed(single('PermitWitnessTransferFrom', ',Dummy witness') + dummyType, { ...transfer, witness: dummy }, uniswap),
    byUniswap,
  ],
  [
    'Permit2, a transfer with a number as its witness, named like the amount',
    typed(single('PermitWitnessTransferFrom', ',uint256 amount'), { ...transfer, amount: 1n }, uniswap),
    byUniswap,
  ],
  [
    'Permit2, transfers with a list as their witness',
    typed(
      several('PermitBatchWitnessTransferFrom', ',Dummy[] details') + dummyType,
      { ...transfer, permitted: [permitted], details: [dummy, dummy] },
      uniswap,
    ),
    byUniswap,
  ],
  ['an order of CoW', typed(orderType, order), received],
]

describe('a permit whose type is exactly that of the contract', () => {
  it.each(exact)('shows the values that the contract reads: %s', (_name, typedData, read) => {
    const { domain: _domain, primaryType, amount, ...shown } = evidenceOf(typedData)
    expect(primaryType).toBe(typedData.primaryType)
    expect({ amount, ...shown }).toMatchObject(read)
    expect(shown).not.toHaveProperty('case')
  })

  it.each(exact)('counts the values that the contract reads towards a policy: %s', (_name, typedData) => {
    const { amounts, unbounded } = outflowsOfMessage({ encoding: 'EIP712', typedData }, safeAddress)
    expect(unbounded.has('*') || amounts.get(token.toLowerCase()) === 7n).toBe(true)
  })
})

const withDomainOf = (field: { name: string; type: string }): MessageTypedData => {
  const permit = typed(erc2612Type, erc2612)
  return { ...permit, types: { EIP712Domain: [field], ...permit.types } }
}
/** Its type has the hash of a permit whose witness has the type `W w)W(bytes32 permitted,…)`: Permit2 would accept it. */
const wrapped = ((): MessageTypedData => {
  const hidden = { ...transfer, permitted: zeroHash, witness: zeroHash }
  const bare = typed(
    'W(bytes32 permitted,address spender,uint256 nonce,uint256 deadline,bytes32 witness)',
    hidden,
    uniswap,
  )
  const name =
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,W w)W'
  return { ...bare, primaryType: name, types: { [name]: bare.types.W ?? [] } }
})()

/** Typed data that looks like a permit or an order. No contract of these standards accepts it. */
const hostile: [string, MessageTypedData][] = [
  [
    'a permit with a further field',
    typed(erc2612Type.replace('deadline)', 'deadline,uint256 limit)'), { ...erc2612, limit: maxUint256 }),
  ],
  [
    'a permit without its owner',
    typed('Permit(address spender,uint256 value,uint256 nonce,uint256 deadline)', erc2612),
  ],
  [
    'a permit whose fields are in another order',
    typed('Permit(address owner,address spender,uint256 nonce,uint256 value,uint256 deadline)', erc2612),
  ],
  [
    'a permit with a smaller number',
    typed('Permit(address owner,address spender,uint128 value,uint256 nonce,uint256 deadline)', erc2612),
  ],
  [
    'a mixture of ERC-2612 and DAI',
    typed(`${erc2612Type.slice(0, -1)},bool allowed)`, { ...erc2612, value: 1n, allowed: true }),
  ],
  [
    'a revocation of DAI with a further field',
    typed(`${daiType.slice(0, -1)},uint256 amount)`, { ...dai, allowed: false, amount: maxUint256 }),
  ],
  [
    'a permit of Permit2 whose details name another token first',
    typed(
      'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce,address asset)',
      { ...allowance, details: { ...details, token: worthless, asset: token } },
      uniswap,
    ),
  ],
  [
    'a witness that consists of two fields',
    typed(
      single('PermitWitnessTransferFrom', ',uint256 witness,uint256 limit'),
      { ...transfer, witness: 1n, limit: 2n },
      uniswap,
    ),
  ],
  ['a witness that is missing', typed(single('PermitWitnessTransferFrom'), transfer, uniswap)],
  [
    'a witness beside a permission of another form',
    typed(
      `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,bool witness)TokenPermissions(address token,uint256 amount,uint256 more)`,
      { ...transfer, permitted: { ...permitted, more: maxUint256 }, witness: true },
      uniswap,
    ),
  ],
  ['a permit of Permit2 whose permission is a hash, in a name that contains the other types', wrapped],
  ['a permit under another name', typed(erc2612Type.replace('Permit', 'Greeting'), erc2612)],
  ['an authorization under another name', typed(`Greeting${authorizationFields}`, authorization)],
  ['a permit inside another type', typed(`Greeting(Permit contents)${erc2612Type}`, { contents: erc2612 })],
  ['a permit in Cyrillic letters', typed(erc2612Type.replace('Permit', 'Реrmіt'), erc2612)],
  ['a permit in capitals', typed(erc2612Type.replace('Permit', 'PERMIT'), erc2612)],
  ['a permit whose contract is a text in its domain', withDomainOf({ name: 'verifyingContract', type: 'string' })],
  ['a permit whose domain does not name its contract', withDomainOf({ name: 'name', type: 'string' })],
  ['an order with a further field', typed(`${orderType.slice(0, -1)},uint256 more)`, { ...order, more: maxUint256 })],
  ['an order without a fee', typed(orderType.replace('uint256 feeAmount,', ''), order)],
  [
    'a cancellation with a receiver',
    typed('CancelAuthorization(address authorizer,bytes32 nonce,address to)', {
      authorizer: safeAddress,
      nonce: zeroHash,
      to: stranger,
    }),
  ],
]

describe('typed data that only resembles a permit', () => {
  it.each(hostile)('is reported as similar to a permit, with the same severity: %s', (_name, typedData) => {
    const [found, ...others] = reviewTypedData(typedData).filter(({ id }) => id !== 'TEXT-CONTROL')
    expect(others).toEqual([])
    expect(found).toMatchObject({ id: 'PERMIT-SIGN', severity: 'high', evidence: { case: 'resembles' } })
  })

  it.each(hostile)('counts as unlimited for a policy: %s', (_name, typedData) => {
    const { amounts, unbounded } = outflowsOfMessage({ encoding: 'EIP712', typedData }, safeAddress)
    expect([...amounts.keys()]).toEqual([])
    expect([...unbounded.keys()]).toEqual(['*'])
  })

  it('does not include orders and rights with other names', () => {
    const limit = typed('LimitOrder(address makerToken,uint256 makerAmount)', { makerToken: token, makerAmount: 1n })
    expect(evidenceOf(limit)).not.toHaveProperty('case')
    const inner = { ...dummy, inner: dummy }
    const nested = typed(`LimitOrder(address token,uint256 amount,Dummy inner)${dummyType}`, inner)
    expect(evidenceOf(nested)).not.toHaveProperty('token')
    expect(evidenceOf(nested)).not.toHaveProperty('amount')
  })
})

const cancelled = { authorizer: safeAddress, nonce: zeroHash }
const revoking: [string, MessageTypedData, object][] = [
  ['DAI', typed(daiType, { ...dai, allowed: false }), { spender: [stranger], token }],
  ['ERC-2612', typed(erc2612Type, { ...erc2612, value: 0n }), { spender: [stranger], token }],
  [
    'Permit2',
    typed(
      `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${detailsType}`,
      { ...allowance, details: { ...details, amount: 0n } },
      uniswap,
    ),
    { spender: [stranger], token, verifier: permit2 },
  ],
  [
    'ERC-3009',
    typed('CancelAuthorization(address authorizer,bytes32 nonce)', cancelled),
    { token, nonce: zeroHash, case: 'cancellation' },
  ],
]

describe('typed data that revokes a permission', () => {
  it.each(revoking)('is reported as a revocation: %s', (_name, typedData, evidence) => {
    const [found, ...others] = reviewTypedData(typedData)
    expect(others).toEqual([])
    expect(found).toMatchObject({ id: 'PERMIT-REVOKE', severity: 'high', evidence })
    expect(found?.evidence).not.toHaveProperty('amount')
  })

  it.each(revoking)('does not count towards a policy: %s', (_name, typedData) => {
    const nothing = { amounts: new Map(), unbounded: new Map(), receivers: [] }
    expect(outflowsOfMessage({ encoding: 'EIP712', typedData }, safeAddress)).toEqual(nothing)
  })

  it('is a permit if one of several entries allows something', () => {
    const batch = typed(
      `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${detailsType}`,
      { ...allowance, details: [{ ...details, amount: 0n }, details] },
      uniswap,
    )
    expect(reviewTypedData(batch).map(({ id }) => id)).toEqual(['PERMIT-REVOKE', 'PERMIT-SIGN'])
    const { amounts, receivers } = outflowsOfMessage({ encoding: 'EIP712', typedData: batch }, safeAddress)
    expect(amounts.get(token.toLowerCase())).toBe(7n)
    expect(receivers).toContainEqual({ address: stranger, call: [] })
  })

  it('is a transfer of zero if a transfer is signed', () => {
    const nothing = typed(`TransferWithAuthorization${authorizationFields}`, { ...authorization, value: 0n })
    expect(evidenceOf(nothing)).toMatchObject({ amount: { text: '0', asset: token } })
  })
})

function evidenceOf(typedData: MessageTypedData): Record<string, unknown> {
  const [found, ...others] = reviewTypedData(typedData).filter(({ id }) => id === 'PERMIT-SIGN')
  expect(others).toEqual([])
  return { ...found?.evidence }
}
