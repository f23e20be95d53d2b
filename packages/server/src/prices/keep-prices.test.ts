import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  addSafe,
  call,
  exportHistory,
  findPastPrices,
  findPrices,
  getConfiguration,
  listHistory,
  listOutboundHosts,
  listPriceSources,
  type PriceFault,
} from '@countersign/contract'
import { deployPriceFeed, testContractAbi, testContracts } from '@countersign/devnet'
import { type Address, encodeFunctionData, getAddress, numberToHex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deployMulticall } from '../test/deploy-multicall.ts'
import { actor, alice, chainId, devnet, openChain } from '../test/scene.ts'
import { startScriptedNode } from '../test/scripted-node.ts'
import {
  type Browser,
  devnetChain,
  eventually,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { openPrices } from './parse-prices.ts'
import type { PriceSourceSettings } from './settings.ts'

openChain()

const HOUR_MS = 3_600_000
const { erc20 } = testContracts
const unlisted: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

type Answer = (response: ServerResponse, path: string) => void
let origin: string
let answer: Answer
const asked: string[] = []
let close: () => Promise<void>

beforeAll(async () => {
  const http = createServer(({ url = '' }, response) => {
    asked.push(url)
    answer(response, url)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  close = async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
})
afterAll(() => close())

let server: TestServer
let asAlice: Browser
afterEach(() => stop())

let running: TestServer | null = null
async function stop(): Promise<void> {
  const last = running
  running = null
  await last?.stop()
}

const giving =
  (text: string, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(text)
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()
const entry = (token: string, price: unknown, at = ago(60_000)) => ({ chainId, token, price, at })
const document = (...prices: unknown[]) => JSON.stringify({ currency: 'USD', prices })
const fileOf = (...prices: unknown[]): PriceSourceSettings => {
  const opened = openPrices(document(...prices), 'USD')
  if ('fault' in opened) throw new Error(opened.fault)
  return { kind: 'file', path: '/etc/own/prices.json', prices: opened }
}
const byUrl = (): PriceSourceSettings => ({
  kind: 'url',
  url: new URL(`${origin}/usd.json?key=secret`),
  everyMinutes: 15,
})

async function start(
  sources: PriceSourceSettings[],
  feeds: { token: 'native' | Address; feed: Address }[] = [],
  own: { rpcUrls?: string[]; multicall?: Address } = {},
) {
  const chain = { ...devnetChain(devnet.rpcUrl), tokens: [erc20], priceFeeds: feeds, ...own }
  const prices = { currency: 'USD', maxAgeMilliseconds: 26 * HOUR_MS, sources }
  server = await startTestServer({ chains: [chain], prices, hasRateLimits: false, hasReleaseTokenList: false })
  running = server
  asAlice = await signInAs(server, alice)
}

const tokens = ['native' as const, erc20.address, unlisted]
const pricesNow = async () =>
  (await call(asAlice, findPrices, { chainId, tokens })).prices.map(({ token, price, source }) => [
    token,
    price,
    source.kind,
  ])
const sourcesNow = async () => (await call(asAlice, listPriceSources, {})).sources

async function tell(functionName: 'describe' | 'set', ...args: unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: testContractAbi('PriceFeed'), functionName, args })
  await actor.send({ from: alice.address, to: await feedAddress(), data })
}
const addressAt = (at: number) => getAddress(numberToHex(2n ** 100n + BigInt(at), { size: 20 }))
const feedAddress = () => deployPriceFeed(devnet.rpcUrl, alice.address)
const seconds = (milliseconds = 0) => BigInt(Math.floor((Date.now() - milliseconds) / 1000))

describe('keepPrices', () => {
  test('default: of a URL, for the coin and listed tokens alone; its host is named without its key', async () => {
    answer = giving(
      document(entry('native', '3412.55'), entry(erc20.address.toLowerCase(), '0.999'), entry(unlisted, '1000000')),
    )
    await start([byUrl()])
    await eventually(async () => (await pricesNow()).length > 0)
    expect(await pricesNow()).toEqual([
      ['native', '3412.55', 'url'],
      [erc20.address, '0.999', 'url'],
    ])
    expect((await call(asAlice, getConfiguration, {})).currency).toBe('USD')
    const { hosts } = await call(asAlice, listOutboundHosts, {})
    expect(hosts.find(({ purpose }) => purpose === 'prices')).toMatchObject({
      host: new URL(origin).host,
      by: 'server',
      lastAt: expect.any(String),
    })
    expect(JSON.stringify([await sourcesNow(), hosts])).not.toContain('secret')
    // The last ones stay until they are old.
    answer = giving('', 500)
    server.pass(25 * HOUR_MS)
    await eventually(async () => (await sourcesNow())[0]?.fault === 'status')
    expect(await pricesNow()).toHaveLength(2)
    server.pass(2 * HOUR_MS)
    expect(await pricesNow()).toEqual([])
  })

  test('behavior: what is not a number above zero, in text and within bounds, is no price', async () => {
    const nothing = ['0', '0.00', '-5', '']
    const other = [3412.55, true, null, ['1'], {}, 'Infinity', 'NaN', '1e400', '1,000']
    const absurd = ['10000000000000000', '9'.repeat(400)]
    await start([nothing, other, absurd].map((given) => fileOf(...given.map((price) => entry('native', price)))))
    expect(await pricesNow()).toEqual([])
    const refused = (await sourcesNow()).map((source) => [source.name, source.prices, source.refused])
    expect(refused).toEqual([nothing, other, absurd].map(({ length }) => ['prices.json', 0, length]))
  })

  test('behavior: a source that answers otherwise has no prices, and is not asked elsewhere', async () => {
    const hostile: [PriceFault, Answer][] = [
      ['status', giving('busy', 503)],
      ['status', giving('', 302, { location: `${origin}/elsewhere` })],
      ['not-json', giving('<html>busy</html>')],
      ['not-json', giving('{"currency":"USD","prices":[')],
      ['no-prices', giving('{"currency":"USD","prices":{"0":1}}')],
      ['no-prices', giving('[]')],
      ['no-prices', giving('{"__proto__":{"currency":"USD","prices":[]}}')],
      ['currency', giving('{"currency":"EUR","prices":[]}')],
      ['too-large', giving(`${document()}${' '.repeat(10_000_000)}`)],
      ['too-many', giving(document(...Array.from({ length: 20_001 }, () => 0)))],
      ['unreachable', (response) => void response.destroy()],
    ]
    answer = (response, path) => hostile[Number(path.slice(1))]?.[1](response, path)
    asked.length = 0
    await start(hostile.map((_, at) => ({ kind: 'url', url: new URL(`${origin}/${at}`), everyMinutes: 15 })))
    await eventually(async () => (await sourcesNow()).every(({ fault }) => fault !== null))
    expect((await sourcesNow()).map(({ fault }) => fault)).toEqual(hostile.map(([fault]) => fault))
    expect(await pricesNow()).toEqual([])
    expect(asked.sort()).toEqual(hostile.map((_, at) => `/${at}`).sort())
  })

  test('behavior: one that is silent, and keys of prototypes, hold up nobody', async () => {
    answer = () => {}
    const odd = [
      { ...entry('native', '5'), ['__proto__']: { price: '7' } },
      { ...entry('__proto__', '1') },
      { ...entry('constructor', '1') },
    ]
    await start([byUrl(), fileOf(...odd)])
    expect(await pricesNow()).toEqual([['native', '5', 'file']])
    await stop()
  })

  test('behavior: old ones, those of the future, and those that contradict each other are none', async () => {
    await start([fileOf(entry('native', '3000', ago(27 * HOUR_MS)), entry(erc20.address, '1', ago(-HOUR_MS)))])
    expect(await pricesNow()).toEqual([])
    await stop()
    await start([
      fileOf(entry('native', '3000'), entry(erc20.address, '1')),
      fileOf(entry('native', '3301'), entry(erc20.address, '1.05')),
    ])
    expect(await pricesNow()).toEqual([[erc20.address, '1', 'file']])
  })

  test('behavior: of a contract of the chain: its answer by its decimals; one that is old, empty, of another currency, or silent is none', async () => {
    const feed = await feedAddress()
    await tell('describe', 'ETH / USD', 8)
    await tell('set', 341_255_000_000n, seconds())
    await start([], [{ token: 'native', feed }])
    expect(await call(asAlice, findPrices, { chainId, tokens })).toMatchObject({
      prices: [{ token: 'native', price: '3412.55', source: { kind: 'feed', name: feed } }],
    })
    expect(await sourcesNow()).toMatchObject([{ kind: 'feed', chainId, token: 'native', fault: null }])
    const then = async (fault: PriceFault, ...given: Parameters<typeof tell>) => {
      await tell(...given)
      server.pass(31_000)
      expect(await pricesNow()).toEqual([])
      expect(await sourcesNow()).toMatchObject([{ fault }])
    }
    await then('stale', 'set', 341_255_000_000n, seconds(27 * HOUR_MS))
    await then('absurd', 'set', 0n, seconds())
    await then('absurd', 'set', -1n, seconds())
    await then('absurd', 'set', 341_255_000_000n, 0n)
    await then('absurd', 'set', (1n << 255n) - 1n, seconds())
    await stop()
    await tell('describe', 'ETH / BTC', 8)
    await tell('set', 341_255_000_000n, seconds())
    await start(
      [],
      [
        { token: 'native', feed },
        { token: erc20.address, feed: erc20.address },
      ],
    )
    expect(await pricesNow()).toEqual([])
    expect((await sourcesNow()).map(({ fault }) => fault)).toEqual(['currency', 'unread'])
    await tell('describe', 'ETH / USD', 8)
  })

  test('behavior: contracts are asked for what somebody asks about alone, all in one request where the chain has a contract for that', async () => {
    const feed = await feedAddress()
    await tell('describe', 'ETH / USD', 8)
    await tell('set', 341_255_000_000n, seconds())
    const node = await startScriptedNode(devnet.rpcUrl)
    const others = Array.from({ length: 20 }, (_, at) => ({ token: addressAt(at), feed: addressAt(100 + at) }))
    // Each passes on what the feed says.
    for (const other of others)
      await actor.rpc('anvil_setCode', other.feed, `0x365f5f375f5f365f73${feed.slice(2)}5afa503d5f5f3e3d5ff3`)
    const feeds = [{ token: 'native' as const, feed }, ...others]
    const calls = async (asked: (Address | 'native')[]) => {
      server.pass(31_000)
      const before = node.exchanges.flat().filter(isCall).length
      const { prices } = await call(asAlice, findPrices, { chainId, tokens: asked })
      expect(prices.map(({ price }) => price)).toEqual(asked.map(() => '3412.55'))
      return node.exchanges.flat().filter(isCall).length - before
    }
    const { address: multicall } = await deployMulticall(actor)
    const targets = [multicall, ...feeds.map((one) => one.feed)].map((to) => `"to":"${to.toLowerCase()}"`)
    const isCall = ({ method, params: [asked] }: { method: string; params: unknown[] }) =>
      method === 'eth_call' && targets.some((to) => JSON.stringify(asked).toLowerCase().includes(to))
    const all = feeds.map(({ token }) => token)
    try {
      await start([], feeds, { rpcUrls: [node.url] })
      // The first time also for what does not change of a feed: its decimals, and its description.
      const counts = async () => [await calls(['native']), await calls(['native']), await calls(all), await calls(all)]
      expect(await counts()).toEqual([3, 1, 61, 21])
      await stop()
      await start([], feeds, { rpcUrls: [node.url], multicall })
      expect(await counts()).toEqual([2, 1, 2, 1])
    } finally {
      await stop()
      await node.close()
    }
  })

  test('default: what it cost then, in the history and its CSV: of the contract at the block, of files by their times', async () => {
    const feed = await feedAddress()
    await tell('describe', 'ETH / USD', 8)
    await tell('set', 200_000_000_000n, seconds(60_000))
    await start(
      [fileOf(entry(erc20.address, '0.5', ago(HOUR_MS)), entry(erc20.address, '9', ago(-HOUR_MS)))],
      [{ token: 'native', feed }],
    )
    const safeAddress = await newSafe(devnet.rpcUrl)
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.send({ from: alice.address, to: safeAddress, value: parseEther('1.5') })
    const mint = encodeFunctionData({
      abi: testContractAbi('TestErc20'),
      functionName: 'mint',
      args: [safeAddress, 3_000_000n],
    })
    await actor.send({ from: alice.address, to: erc20.address, data: mint })
    await tell('set', 400_000_000_000n, seconds())
    await eventually(async () => (await call(asAlice, listHistory, { chainId, safeAddress })).entries.length >= 3)
    const { entries: found } = await call(asAlice, listHistory, { chainId, safeAddress })
    const moments = found.flatMap(({ kind, token, blockNumber }) =>
      kind === 'transfer-in' ? [{ token: token ?? ('native' as const), blockNumber }] : [],
    )
    const { prices } = await call(asAlice, findPastPrices, {
      chainId,
      safeAddress,
      moments: [...moments, { token: 'native' as const, blockNumber: 0 }],
    })
    expect(prices.map(({ token, price }) => [token, price])).toEqual([
      [erc20.address, '0.5'],
      ['native', '2000'],
    ])
    const csv = await (
      await asAlice.fetch(
        `${server.origin}${exportHistory.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)}`,
      )
    ).text()
    const [head = '', ...lines] = csv.trim().split('\r\n')
    expect(head).toMatch(/,value,currency,price,price at \(UTC\),price by$/)
    expect(lines.find((line) => line.includes(',1.5,ETH,'))).toContain(`,3000.00,USD,2000,`)
    expect(lines.find((line) => line.includes(',3,TUSD,'))).toContain(',1.50,USD,0.5,')
    expect(lines.find((line) => line.includes(',created,'))).toMatch(/,,,,,$/)
  })
})
