import type { Chain } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import type { Connector } from 'wagmi'
import { listWallets } from './wallets.ts'

const devnet: Chain = {
  chainId: 31337,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  publicRpcUrl: null,
  explorerUrl: null,
  isDevnet: true,
  status: 'ok',
  tokens: [],
}
const fox = { id: 'test.fox', name: 'Test Fox' } as Connector
const names = (situation: Partial<Parameters<typeof listWallets>[0]>) =>
  listWallets({ chains: [devnet], announced: [], hasInjected: false, ...situation }).map(
    ({ id, isInstalled }) => `${id}${isInstalled ? '' : ' (not installed)'}`,
  )

describe('listWallets', () => {
  test('default: nothing installed', () => expect(names({})).toEqual(['injected (not installed)', 'demo']))

  test('behavior: a wallet that announces itself appears once', () =>
    expect(names({ announced: [fox], hasInjected: true })).toEqual(['test.fox', 'demo']))

  test('behavior: a wallet that does not announce itself', () =>
    expect(names({ hasInjected: true })).toEqual(['injected', 'demo']))

  test.each([
    ['another chain', { ...devnet, chainId: 1 }],
    ['not the built-in devnet', { ...devnet, isDevnet: false }],
  ])('behavior: no Demo wallet: %s', (_, chain) =>
    expect(names({ chains: [chain] })).toEqual(['injected (not installed)']),
  )
})
