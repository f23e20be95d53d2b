import type { Chain } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { addAnnouncement, toAnnouncedWallets } from './announced-wallets.ts'
import { listWallets, type Situation, type WalletSettings } from './wallets.ts'

const devnet: Chain = {
  chainId: 31337,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  publicRpcUrl: null,
  explorerUrl: null,
  isDevnet: true,
  index: 'whole-chain',
  status: 'ok',
  tokens: [],
}

let count = 0
const announcement = (rdns: string, name: string, more: Record<string, unknown> = {}) => ({
  info: { uuid: `uuid-${++count}`, rdns, name, icon: 'data:image/png;base64,AAAA', ...more },
  provider: { request: async () => null },
})
const announce = (...details: unknown[]) =>
  toAnnouncedWallets(details.reduce<ReturnType<typeof addAnnouncement>>(addAnnouncement, []))

type Given = Partial<Situation> & Partial<WalletSettings>
const list = ({ chains = [devnet], safeHosts = [], hasCoinbase = false, walletConnect = null, ...situation }: Given) =>
  listWallets({
    configuration: { chains, safeHosts, hasCoinbase, walletConnect },
    announced: [],
    hasInjected: false,
    isFramed: false,
    ...situation,
  })
const placeOf = (id: string, situation: Given) => list(situation).find((wallet) => wallet.id === id)
const names = (situation: Parameters<typeof list>[0]) =>
  list(situation)
    .filter(({ id }) => !['coinbase', 'safe', 'walletConnect'].includes(id))
    .map(({ id, group, presence }) => `${group} ${id}${presence === 'ready' ? '' : ` (${presence})`}`)

describe('listWallets', () => {
  test('default: nothing installed', () =>
    expect(names({})).toEqual(['other injected (not-installed)', 'other metaMask (not-installed)', 'demo demo']))

  test('behavior: MetaMask that announces itself takes the place of its entry, under our name for it', () => {
    const announced = announce(announcement('io.metamask', 'MetaMask (the real one)'))
    expect(names({ announced })).toEqual(['installed io.metamask', 'demo demo'])
    expect(list({ announced })[0]).toMatchObject({ name: 'MetaMask', rdns: 'io.metamask' })
  })

  test('behavior: a wallet that does not announce itself', () => {
    expect(names({ hasInjected: true })[0]).toBe('installed injected')
    const announced = announce(announcement('test.fox', 'Test Fox'))
    expect(names({ announced, hasInjected: true })).toContain('other injected')
    expect(names({ announced })).not.toContain('other injected (not-installed)')
  })

  test.each([
    ['another chain', { ...devnet, chainId: 1 }],
    ['not the built-in devnet', { ...devnet, isDevnet: false }],
  ])('behavior: no Demo wallet: %s', (_, chain) => expect(names({ chains: [chain] })).not.toContain('demo demo'))

  test('behavior: Coinbase Wallet by its extension, else by a window if the operator says so', () => {
    expect(placeOf('coinbase', {})).toMatchObject({ presence: 'not-installed', installUrl: expect.any(String) })
    expect(placeOf('coinbase', { hasCoinbase: true })).toMatchObject({ presence: 'ready' })
    const announced = announce(announcement('com.coinbase.wallet', 'Coinbase'))
    expect(placeOf('coinbase', { announced, hasCoinbase: true })).toBeUndefined()
    expect(placeOf('com.coinbase.wallet', { announced })).toMatchObject({ name: 'Coinbase Wallet', presence: 'ready' })
  })

  test('behavior: Safe inside a frame of a named host alone', () => {
    const safeHosts = ['https://app.safe.global']
    expect(placeOf('safe', {})).toMatchObject({ presence: 'not-available', reason: 'wallet.safe.off' })
    expect(placeOf('safe', { isFramed: true })).toMatchObject({ presence: 'not-available', reason: 'wallet.safe.off' })
    expect(placeOf('safe', { safeHosts })).toMatchObject({ presence: 'not-available', reason: 'wallet.safe.outside' })
    expect(placeOf('safe', { safeHosts, isFramed: true })).toMatchObject({ presence: 'ready', group: 'installed' })
  })

  test('behavior: a name that belongs to another entry is shown with its rdns', () => {
    const announced = announce(
      announcement('evil.fox', ' Meta\u200bMask'),
      announcement('a.one', 'Same'),
      announcement('b.two', 'SAME'),
    )
    expect(list({ announced }).map(({ warning }) => warning?.rdns)).toEqual(
      expect.arrayContaining(['evil.fox', 'a.one', 'b.two']),
    )
  })

  test('behavior: two programs under one rdns are both listed, and both marked', () => {
    const announced = announce(announcement('io.metamask', 'MetaMask'), announcement('io.metamask', 'MetaMask'))
    expect(list({ announced }).slice(0, 2)).toMatchObject([
      { id: 'io.metamask', warning: { kind: 'contested' } },
      { id: 'io.metamask~2', warning: { kind: 'contested' } },
    ])
  })
})

describe('addAnnouncement', () => {
  test('behavior: the same wallet again changes nothing', () => {
    const fox = announcement('test.fox', 'Test Fox')
    expect(announce(fox, fox, { ...fox, info: { ...fox.info, uuid: 'other' } })).toHaveLength(1)
    expect(announce(fox, { ...fox, provider: { request: async () => null } })).toHaveLength(1)
  })

  test('behavior: names are cleaned and capped', () => {
    const named = (name: unknown) => announce(announcement('test.fox', String(name), { name }))[0]?.name
    expect(named('pay\u202E\u0000\u200B me\n now')).toBe('pay me now')
    expect(named('x'.repeat(5000))).toBe(`${'x'.repeat(40)}…`)
    expect(named('\u200B')).toBe('test.fox')
    expect(named(7)).toBe('test.fox')
  })

  test.each([
    ['https://evil.example/pixel.png'],
    ['javascript:alert(1)'],
    ['data:text/html,<script>alert(1)</script>'],
    [`data:image/png;base64,${'A'.repeat(300_000)}`],
    [undefined],
  ])('behavior: a picture that is no small data: picture is left out: %.30s', (icon) =>
    expect(announce(announcement('test.fox', 'Test Fox', { icon }))[0]?.icon).toBeUndefined(),
  )

  test.each([
    ['nothing', undefined],
    ['no provider', { info: { uuid: 'u', rdns: 'a.b', name: 'x' } }],
    ['a provider without request', { info: { uuid: 'u', rdns: 'a.b', name: 'x' }, provider: {} }],
    ['an rdns of other characters', announcement('<img>', 'x')],
    ['no rdns', announcement('', 'x')],
  ])('behavior: %s is no announcement', (_, detail) => expect(announce(detail)).toEqual([]))

  test('behavior: an rdns cannot take the id of an entry of ours', () =>
    expect(announce(announcement('demo', 'Demo'))[0]?.id).toBe('announced.demo'))

  test('behavior: a flood of announcements ends', () =>
    expect(announce(...Array.from({ length: 500 }, (_, index) => announcement(`a.b${index}`, 'x')))).toHaveLength(30))
})
