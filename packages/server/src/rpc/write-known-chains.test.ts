import { transform } from '@swc/core'
import { type Chain, defineChain } from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { writeKnownChains } from './write-known-chains.ts'

const ours = (more: object): Chain => ({ ...defineChain({ ...mainnet, id: 7_777 }), ...more }) as Chain

/** The chains of the module that is written, as it is read by who imports it. */
async function written(...list: Chain[]): Promise<Record<string, object>> {
  const { code } = await transform(writeKnownChains(list), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
  })
  const { knownChains } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return knownChains
}

describe('writeKnownChains', () => {
  test('default: name, coin, explorer, public node, contract for several calls, seconds between blocks', async () => {
    expect(await written(mainnet)).toEqual({
      1: {
        name: 'Ethereum',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        explorerUrl: 'https://etherscan.io',
        publicNode: expect.stringMatching(/^https:\/\//),
        multicall: '0xcA11bde05977b3631167028862bE2a173976CA11',
        blockSeconds: 12,
      },
    })
  })

  test.each([
    ['number', { id: 1.5 }],
    ['number', { id: -1 }],
    ['number', { id: 2 ** 60 }],
    ['name', { name: '' }],
    ['name', { name: 'Ether\u202emuere' }],
    ['name', { name: 'x'.repeat(101) }],
    ['coin', { nativeCurrency: { name: 'Ether', symbol: 'E\u200bTH', decimals: 18 } }],
    ['coin', { nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 300 } }],
    ['coin', { nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: '18' } }],
  ])('behavior: a chain whose %s misleads is left out: %j', async (_, more) => {
    expect(Object.keys(await written(ours(more), mainnet))).toEqual(['1'])
  })

  test.each([
    ['explorerUrl', { blockExplorers: { default: { name: 'x', url: 'javascript:alert(1)' } } }],
    ['explorerUrl', { blockExplorers: { default: { name: 'x', url: 'https://a:b@elsewhere.example/' } } }],
    ['explorerUrl', { blockExplorers: { default: { name: 'x', url: 'https://one.example/?next="><script>' } } }],
    [
      'publicNode',
      { rpcUrls: { default: { http: ['http://plain.example', 'file:///etc/passwd', 'wss://x.example'] } } },
    ],
    ['multicall', { contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976cA11' } } }],
    ['multicall', { contracts: { multicall3: { address: '0x12' } } }],
    ['blockSeconds', { blockTime: 0 }],
    ['blockSeconds', { blockTime: -12_000 }],
    ['blockSeconds', { blockTime: Number.NaN }],
    ['blockSeconds', { blockTime: 1e300 }],
  ])('behavior: %s that is none is left out: %j', async (field, more) => {
    expect((await written(ours({})))[7_777]).toHaveProperty(field)
    const found = (await written(ours(more)))[7_777]
    expect(found).toMatchObject({ name: 'Ethereum' })
    expect(found).not.toHaveProperty(field)
  })

  test('behavior: nothing of a list is code; of two with one number counts the one whose coins are worth something', async () => {
    const names = [
      "'}; process.exit(9); //",
      `$\{process.exit(9)}`,
      '`',
      '\\',
      "'",
      '*/ process.exit(9) /*',
      '__proto__',
    ]
    for (const name of names) expect(await written(ours({ name }))).toMatchObject({ 7777: { name } })
    const test = ours({ name: 'Test', testnet: true })
    expect(await written(test, ours({ name: 'True' }), test)).toMatchObject({ 7777: { name: 'True' } })
    expect(await written(ours({ rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } } }))).toEqual({})
  })
})
