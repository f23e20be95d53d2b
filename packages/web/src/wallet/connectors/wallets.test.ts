import type { Chain } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { type AnnouncedWallet, addAnnouncement } from './announced-wallets.ts'
import { arrange, cutToShown } from './arrange.ts'
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
      { id: 'io.metamask', claimants: 2 },
      { id: 'io.metamask~2', claimants: 2 },
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

  test.each([
    'Countersign',
    'COUNTERSIGN',
    'Countersign Wallet',
    'Countersign (official)',
    '\u0421ountersign',
    'C\u043eunt\u0435rs\u0456gn',
    'Counter sign',
    'Counter\u200bsign',
    '\uff23\uff4f\uff55\uff4e\uff54\uff45\uff52\uff53\uff49\uff47\uff4e',
    'C\u00f6untersign',
    'C0untersign',
    'Counters\u0131gn',
  ])('behavior: no wallet is this page: %s', (name) =>
    expect(warn(announcement('evil.fox', name))).toEqual({ 'evil.fox': 'imitates' }),
  )

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

describe('arrange', () => {
  const arrangedWallets = (details: readonly unknown[], recentId: string | null = null) => {
    const members = list({ announced: announceAfter(recentId, ...details) }).filter(
      ({ group }) => group === 'installed',
    )
    return arrange(members, walletWarnings(members), recentId)
  }
  const arranged = (details: readonly unknown[], recentId: string | null = null) => {
    const { rows, contested } = arrangedWallets(details, recentId)
    return {
      rows: rows.map(({ id }) => id),
      contested: contested.map(([first]) => `${first.rdns} ${first.claimants}`),
    }
  }
  const fakes = (count: number, rdns: string) => Array.from({ length: count }, () => announcement(rdns, 'MetaMask'))
  const honest = announcement('test.owl', 'Owl')

  test.each([
    ['before the honest wallet', [...fakes(30, 'io.metamask'), honest], 30],
    ['after it', [honest, ...fakes(30, 'io.metamask')], 30],
    ['around it', [...fakes(15, 'io.metamask'), honest, ...fakes(16, 'io.metamask')], 31],
    ['two', [...fakes(2, 'io.metamask'), honest], 2],
    ['in capitals', [announcement('io.metamask', 'MetaMask'), honest, announcement('IO.MetaMask', 'MetaMask')], 2],
    ['more than are listed', [...fakes(612, 'io.metamask'), honest], 612],
  ])('behavior: fakes that claim to be MetaMask, %s: one row with their number', (_, details, count) =>
    expect(arranged(details)).toEqual({ rows: ['test.owl'], contested: [`io.metamask ${count}`] }),
  )

  test('behavior: each known name has a row of its own, and those come before unknown ones', () => {
    const details = [...fakes(3, 'a.fake'), ...fakes(2, 'io.rabby'), ...fakes(4, 'io.metamask'), honest]
    expect(arranged(details)).toEqual({ rows: ['test.owl'], contested: ['io.rabby 2', 'io.metamask 4', 'a.fake 3'] })
  })

  test('behavior: a program that announces itself again and again counts once, listed or not', () => {
    const many = fakes(505, 'io.metamask')
    expect(arranged([...many, ...many, ...many]).contested).toEqual(['io.metamask 505'])
  })

  test('behavior: the wallet used last comes first, then known, other and marked wallets', () => {
    const details = [
      announcement('evil.fox', 'MetaMask'),
      honest,
      announcement('io.rabby', 'Rabby'),
      announcement('test.last', 'Last'),
    ]
    expect(arranged(details, 'test.last').rows).toEqual(['test.last', 'io.rabby', 'test.owl', 'evil.fox'])
  })

  test('behavior: the name of the wallet used last comes before every other contested name', () => {
    const details = [...fakes(2, 'io.rabby'), ...fakes(2, 'test.last')]
    const [first] = arrangedWallets(details).contested.at(-1) ?? []
    expect(arranged(details, first?.id).contested).toEqual(['test.last 2', 'io.rabby 2'])
  })

  test('behavior: what is not shown at once is counted, names with several programs behind them too', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => fakes(2, `fake.number${index}`)).flat()
    const single = Array.from({ length: 9 }, (_, index) => announcement(`single.number${index}`, `Single ${index}`))
    const cut = (details: readonly unknown[]) => {
      const { rows, contested, hidden } = cutToShown(arrangedWallets(details))
      return [rows.length, contested.length, hidden]
    }
    expect(cut([...names(16), honest])).toEqual([1, 16, 0])
    expect(cut([...names(18), honest])).toEqual([1, 16, 2])
    expect(cut([...names(18), ...single])).toEqual([8, 16, 3])
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
    expect(list({ announced: copied }).slice(0, 2)).toMatchObject([{ claimants: 2 }, { claimants: 2 }])
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
