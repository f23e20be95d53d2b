import { describe, expect, test } from 'vitest'
import { parseApproval, parseEventAccount } from './approval.ts'
import { readConnection } from './connection.ts'
import { parseDeepLink } from './deep-link.ts'

const anna = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bruno = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const of = (...accounts: string[]) => ({
  topic: 'topic',
  namespaces: { eip155: { accounts, methods: ['personal_sign'] } },
})

describe('parseApproval', () => {
  test('default: accounts and methods of all Ethereum namespaces, addresses with their checksum', () => {
    const namespaces = {
      eip155: { accounts: [`eip155:1:${anna.toLowerCase()}`], methods: ['personal_sign', 'eth_sendTransaction'] },
      'eip155:10': { accounts: [`eip155:10:${bruno}`], methods: ['personal_sign'] },
      solana: { accounts: ['solana:1:abc'], methods: ['solana_signMessage'] },
    }
    expect(parseApproval(namespaces)).toEqual({
      accounts: [
        { chainId: 1, address: anna },
        { chainId: 10, address: bruno },
      ],
      methods: ['personal_sign', 'eth_sendTransaction'],
    })
  })

  test.each([
    '',
    'eip155:1',
    `eip155:0:${anna}`,
    `eip155:1:${anna}:x`,
    `cosmos:1:${anna}`,
    'eip155:1:0x12',
    `eip155:1e3:${anna}`,
  ])('behavior: `%s` is no account', (account) => expect(parseApproval(of(account).namespaces).accounts).toEqual([]))
})

describe('parseEventAccount', () => {
  test('default: plain, with its chain, or nothing of use', () => {
    expect(parseEventAccount([anna.toLowerCase()])).toBe(anna)
    expect(parseEventAccount([`eip155:1:${anna}`])).toBe(anna)
    for (const data of [[], undefined, [1], 'x']) expect(parseEventAccount(data)).toBeUndefined()
  })
})

describe('readConnection', () => {
  const both = of(`eip155:10:${anna}`, `eip155:1:${bruno}`, `eip155:1:${anna}`)

  test('default: the first configured chain that is approved, and its first account', () =>
    expect(readConnection(both, [5, 1, 10], {})).toMatchObject({ topic: 'topic', chainId: 1, account: bruno }))

  test('behavior: what was used before stays, as long as it is approved', () => {
    expect(readConnection(both, [1], { preferredChainId: 10 })?.chainId).toBe(10)
    expect(readConnection(both, [1], { preferredChainId: 7 })?.chainId).toBe(1)
    expect(readConnection(both, [1], { accounts: [undefined, anna] })?.account).toBe(anna)
    expect(readConnection(both, [10], { accounts: [bruno] })?.account).toBe(anna)
  })

  test('behavior: a chain that the phone says it is on is believed, approved or not', () =>
    expect(readConnection(both, [1], { chainId: 137, accounts: [anna] })).toMatchObject({
      chainId: 137,
      account: anna,
    }))

  test('behavior: no configured chain, no account at all', () => {
    expect(readConnection(both, [5], {})?.chainId).toBe(10)
    expect(readConnection(of(), [1], {})).toBeNull()
    expect(readConnection(of(), [1], { chainId: 1 })).toBeNull()
  })
})

describe('parseDeepLink', () => {
  test('default: a link of an app', () => expect(parseDeepLink('metamask://')).toBe('metamask://'))

  test.each([undefined, '', 'metamask', 'https://a.example', 'javascript://%0aalert(1)', 'JavaScript://x', 'data://x'])(
    'behavior: `%s` is none',
    (named) => expect(parseDeepLink(named)).toBeNull(),
  )
})
