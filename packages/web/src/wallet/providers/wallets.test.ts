import type { Chain } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { type AnnouncedWallet, addAnnouncement } from './announced-wallets.ts'
import { walletWarnings } from './wallet-warnings.ts'
import { listWallets, type Situation, type WalletSettings } from './wallets.ts'

const devnet: Chain = {
  chainId: 31337,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  publicRpcUrl: null,
  nameRegistry: null,
  bringFrom: null,
  listRevision: null,
  explorerUrl: null,
  isDevnet: true,
  index: 'whole-chain',
  status: 'ok',
  proof: { sources: 1, wallet: false, maxBlocksBehind: 25 },
  tokens: [],
}

let count = 0
const announcement = (rdns: string, name: string, more: Record<string, unknown> = {}) => ({
  info: { uuid: `uuid-${++count}`, rdns, name, icon: 'data:image/png;base64,AAAA', ...more },
  provider: { request: async () => null },
})
const announce = (...details: unknown[]) => announceAfter(null, ...details)
const announceAfter = (recentId: string | null, ...details: unknown[]) =>
  details.reduce<readonly AnnouncedWallet[]>((known, detail) => addAnnouncement(known, detail, recentId), [])

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
    .filter(({ id, group }) => group !== 'from-entry' && !['coinbase', 'safe', 'walletConnect'].includes(id))
    .map(({ id, group, presence }) => `${group} ${id}${presence === 'ready' ? '' : ` (${presence})`}`)

describe('listWallets', () => {
  test('default: nothing installed', () =>
    expect(names({})).toEqual(['other injected (not-installed)', 'other metaMask (not-installed)', 'demo demo']))

  test('behavior: MetaMask that announces itself takes the place of its entry, under our name for it', () => {
    const announced = announce(announcement('io.metamask', 'MetaMask (the real one)'))
    expect(names({ announced })).toEqual(['installed io.metamask', 'demo demo'])
    expect(list({ announced })[0]).toMatchObject({ name: 'MetaMask', rdns: 'io.metamask' })
  })

  test('behavior: a Safe is named where no interface is around the page, and is in no list by itself', () => {
    expect(placeOf('linked-safe', {})).toMatchObject({ group: 'from-entry', presence: 'ready' })
    expect(placeOf('linked-safe', { isFramed: true })).toBeUndefined()
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

  test('behavior: two programs under one rdns are both listed, each under an id of its own', () => {
    const announced = announce(announcement('io.metamask', 'MetaMask'), announcement('IO.MetaMask', 'MetaMask'))
    expect(list({ announced }).slice(0, 2)).toMatchObject([
      { id: 'io.metamask', isContested: true },
      { id: 'io.metamask~2', isContested: true },
    ])
  })
})

describe('walletWarnings', () => {
  const warn = (...details: unknown[]) =>
    Object.fromEntries(
      [...walletWarnings(list({ announced: announce(...details) }))].map(([id, { kind }]) => [id, kind]),
    )

  test('default: a wallet under its own name needs none', () =>
    expect(
      warn(
        announcement('io.metamask', 'MetaMask'),
        announcement('io.metamask.flask', 'MetaMask Flask'),
        announcement('io.rabby', 'Rabby Wallet'),
        announcement('app.safepal', 'SafePal'),
        announcement('test.owl', 'Сова'),
        announcement('test.fox', 'Test Fox'),
      ),
    ).toEqual({}))

  test.each([
    ['the same name', 'MetaMask'],
    ['Cyrillic letters', '\u041c\u0435t\u0430Mask'],
    ['all of it in Cyrillic and Greek', '\u039c\u0435\u03a4\u0430\u041c\u0430\u0455\u03ba'],
    ['a zero-width space', 'Meta\u200bMask'],
    ['fullwidth letters', '\uff2d\uff45\uff54\uff41\uff2d\uff41\uff53\uff4b'],
    ['mathematical letters', '\u{1d40c}etaMask'],
    ['accents and spaces', 'M\u00e9ta  M\u0101sk'],
    ['rn for m', 'rnetaMask'],
    ['Cherokee capitals', '\u13b7etaMask'],
    ['more words around it', 'MetaMask Wallet (official)'],
  ])('behavior: MetaMask imitated by %s', (_, name) =>
    expect(warn(announcement('io.metamask', 'MetaMask'), announcement('evil.fox', name))).toEqual({
      'evil.fox': 'imitates',
    }),
  )

  test('behavior: marked also when the real one is not installed, and for our own entries', () =>
    expect(warn(announcement('evil.fox', 'Coinbase'), announcement('evil.safe', 'S\u0430fe'))).toEqual({
      'evil.fox': 'imitates',
      'evil.safe': 'imitates',
    }))

  test('behavior: two names that look alike, one id twice, one rdns twice, several alphabets', () => {
    expect(warn(announcement('a.one', 'Same'), announcement('b.two', 'S\u0430ME'))).toEqual({
      'a.one': 'sameName',
      'b.two': 'sameName',
    })
    expect(warn(announcement('a.one', 'One', { uuid: 'u' }), announcement('b.two', 'Two', { uuid: 'u' }))).toEqual({
      'a.one': 'sameId',
      'b.two': 'sameId',
    })
    expect(warn(announcement('a.one', 'One'), announcement('a.one', 'Two'))).toEqual({
      'a.one': 'contested',
      'a.one~2': 'contested',
    })
    expect(warn(announcement('a.one', 'Owl \u0416'))).toEqual({ 'a.one': 'mixedScripts' })
  })
})

describe('addAnnouncement', () => {
  test('behavior: the same wallet again changes nothing', () => {
    const fox = announcement('test.fox', 'Test Fox')
    expect(announce(fox, fox, { ...fox, info: { ...fox.info, uuid: 'other' } })).toHaveLength(1)
  })

  test('behavior: nobody takes the place of another by its id, its rdns or its provider', () => {
    const fox = announcement('test.fox', 'Test Fox')
    const copied = announce(fox, { ...fox, provider: { request: async () => null } })
    expect(list({ announced: copied }).slice(0, 2)).toMatchObject([{ isContested: true }, { isContested: true }])
    const borrowed = announce({ info: announcement('evil.fox', 'Evil').info, provider: fox.provider }, fox)
    expect(borrowed.map(({ id }) => id)).toEqual(['evil.fox', 'test.fox'])
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

  const throwing = () => {
    throw new Error('mine')
  }
  test.each([
    ['a detail that throws', new Proxy({}, { get: throwing })],
    ['an info that throws', { info: new Proxy({}, { get: throwing }), provider: announcement('a.b', 'x').provider }],
    [
      'a name that throws',
      {
        ...announcement('a.b', 'x'),
        info: {
          rdns: 'a.b',
          uuid: 'u',
          get name() {
            return throwing()
          },
        },
      },
    ],
    ['a provider that throws', { ...announcement('a.b', 'x'), provider: new Proxy({}, { get: throwing }) }],
    ['a request that is no function', { ...announcement('a.b', 'x'), provider: { request: 'ask me' } }],
    ['an info of other types', { ...announcement('a.b', 'x'), info: { rdns: 7, uuid: {}, name: [] } }],
  ])('behavior: %s is no announcement, and hurts nobody', (_, detail) =>
    expect(announce(detail, announcement('test.fox', 'Test Fox'))).toHaveLength(1),
  )

  test('behavior: what is frozen is read like the rest', () => {
    const { info, provider } = announcement('test.fox', 'Test Fox')
    expect(announce(Object.freeze({ info: Object.freeze(info), provider: Object.freeze(provider) }))).toHaveLength(1)
  })

  test('behavior: a flood of announcements ends, and pushes out neither a known wallet nor the one used last', () => {
    const fakes = Array.from({ length: 2_000 }, (_, index) => announcement(`a.b${index}`, 'x'))
    const flooded = announceAfter(
      'test.fox',
      ...fakes,
      announcement('test.fox', 'Test Fox'),
      announcement('io.metamask', 'MetaMask'),
    )
    expect(flooded.length).toBe(502)
    expect(flooded.map(({ id }) => id)).toEqual(expect.arrayContaining(['test.fox', 'io.metamask']))
  })

  test('behavior: the pictures of a flood do not fill the memory', () => {
    const icon = `data:image/png;base64,${'A'.repeat(150_000)}`
    const flooded = announce(...Array.from({ length: 100 }, (_, index) => announcement(`a.b${index}`, 'x', { icon })))
    expect(flooded).toHaveLength(100)
    expect(flooded.filter((wallet) => wallet.icon !== undefined).length).toBeLessThan(30)
  })
})
