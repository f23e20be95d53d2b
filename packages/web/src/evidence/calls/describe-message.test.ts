import { type MessageTypedData, parseMessageContent } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { describeMessageFields, type MessageToDescribe } from './describe.ts'

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const spender = '0x3fC91A3afd70395Cd496C647d5a6CC9D4B2b7FAD'
const details = [
  { name: 'token', type: 'address' },
  { name: 'amount', type: 'uint160' },
  { name: 'expiration', type: 'uint48' },
  { name: 'nonce', type: 'uint48' },
]
const single = [
  { name: 'details', type: 'PermitDetails' },
  { name: 'spender', type: 'address' },
  { name: 'sigDeadline', type: 'uint256' },
]
const permit = {
  domain: { name: 'Permit2', chainId: 1, verifyingContract: permit2 },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    PermitSingle: single,
    PermitDetails: details,
  },
  primaryType: 'PermitSingle',
  message: {
    details: { token: usdc, amount: '1250000000', expiration: '1767225600', nonce: '0' },
    spender,
    sigDeadline: '1767225600',
  },
}

function ask(typedData: object, chainId = 1) {
  const content = parseMessageContent(JSON.stringify(typedData))
  const read = (content as { typedData: MessageTypedData }).typedData
  const asked: MessageToDescribe = {
    chainId,
    account: spender,
    typedData: read,
    tokens: [{ address: usdc, name: 'USD Coin', symbol: 'USDC', decimals: 6 }],
    chain: { name: 'Ethereum', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
  }
  return describeMessageFields(asked)
}

describe('describeMessageFields', () => {
  test('default: a permit of Permit2 in the words of its descriptor, with the source', async () => {
    const described = await ask(permit)
    expect(described).toMatchObject({ path: 'registry/uniswap/eip712-uniswap-permit2.json' })
    expect(described?.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(described?.fields.map(({ value }) => value).join(' ')).toContain('1,250 USDC'.replace(',', ''))
  })

  test.each([
    ['another chain than that of the Safe', permit, 10],
    ['a domain of another chain', { ...permit, domain: { ...permit.domain, chainId: 10 } }, 1],
    [
      'a domain without a chain',
      {
        ...permit,
        domain: { verifyingContract: permit2 },
        types: { ...permit.types, EIP712Domain: [{ name: 'verifyingContract', type: 'address' }] },
      },
      1,
    ],
    ['another contract', { ...permit, domain: { ...permit.domain, verifyingContract: spender } }, 1],
    [
      'another type of the same name',
      {
        ...permit,
        types: { ...permit.types, PermitSingle: [...single, { name: 'more', type: 'uint256' }] },
        message: { ...permit.message, more: '1' },
      },
      1,
    ],
    [
      'the name of a prototype',
      { ...permit, primaryType: 'constructor', types: { ...permit.types, constructor: single } },
      1,
    ],
  ])('behavior: nothing is said of %s', async (_, typedData, chainId) =>
    expect(await ask(typedData, chainId)).toBeNull(),
  )
})
