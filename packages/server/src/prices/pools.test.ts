import { addSafe, call, findPastPrices, findPrices, listHistory, listPriceSources } from '@countersign/contract'
import { deployPriceFeed, deployPricePool, deployToken, testContractAbi, testContracts } from '@countersign/devnet'
import { type Address, encodeFunctionData, parseEther } from 'viem'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { actor, alice, chainId, devnet, openChain } from '../test/scene.ts'
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
import type { PricePool } from './pools.ts'
import type { PriceSourceSettings } from './settings.ts'

openChain()

const { erc20 } = testContracts
const HOUR = 3_600
/** Three thousand and some dollars of 6 decimals for a coin of 18, where the coin is the second token. */
const TICK = 196_256
const LIQUIDITY = 10n ** 18n

let coin: Address
let other: Address
let feed: Address
beforeAll(async () => {
  coin = await deployToken(devnet.rpcUrl, alice.address, { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18 })
  other = await deployToken(devnet.rpcUrl, alice.address, { name: 'Other', symbol: 'OTHR', decimals: 8 })
  feed = await deployPriceFeed(devnet.rpcUrl, alice.address)
})

let running: TestServer | null = null
let asAlice: Browser
afterEach(stop)
async function stop(): Promise<void> {
  const last = running
  running = null
  await last?.stop()
}

const now = () => Math.floor(Date.now() / 1000)
const poolOf = (...tokens: [Address, Address]) => deployPricePool(devnet.rpcUrl, alice.address, tokens)

async function send(to: Address, contract: 'PricePool' | 'PriceFeed' | 'TestErc20', name: string, ...args: unknown[]) {
  const data = encodeFunctionData({ abi: testContractAbi(contract), functionName: name, args })
  await actor.send({ from: alice.address, to, data })
}

/** Lets a pool have observed these ticks, each from so many seconds ago on. */
async function observed(pool: Address, ...spans: [secondsAgo: number, tick: number, liquidity?: bigint][]) {
  await send(pool, 'PricePool', 'forget')
  for (const [ago, tick, liquidity = LIQUIDITY] of spans)
    await send(pool, 'PricePool', 'tell', now() - ago, tick, liquidity)
}

const byFile = (token: string, price: string): PriceSourceSettings => {
  const entry = { chainId, token, price, at: new Date(Date.now() - 60_000).toISOString() }
  const opened = openPrices(JSON.stringify({ currency: 'USD', prices: [entry] }), 'USD')
  if ('fault' in opened) throw new Error(opened.fault)
  return { kind: 'file', path: '/etc/own/prices.json', prices: opened }
}

async function start(
  pricePools: PricePool[],
  { sources = [], feeds = [] }: { sources?: PriceSourceSettings[]; feeds?: { token: 'native'; feed: Address }[] } = {},
) {
  const chain = { ...devnetChain(devnet.rpcUrl), tokens: [erc20], priceFeeds: feeds, pricePools }
  const prices = { currency: 'USD', maxAgeMilliseconds: 26 * HOUR * 1000, sources }
  running = await startTestServer({ chains: [chain], prices, hasRateLimits: false, hasReleaseTokenList: false })
  asAlice = await signInAs(running, alice)
}

const askAll = () => call(asAlice, findPrices, { chainId, tokens: ['native', erc20.address, other, coin] })
const pricesNow = async () => (await askAll()).prices.map(({ token, price, source }) => [token, price, source.kind])
const faultsNow = async () => (await call(asAlice, listPriceSources, {})).sources.map(({ fault }) => fault)
const inDollars = (pool: Address, minutes = 30): PricePool => ({
  token: 'native',
  pool,
  quote: erc20.address,
  quoteIs: 'currency',
  minutes,
})

describe('prices by pools', () => {
  test('default: the average over the window, by the decimals of both, whichever of the two is first', async () => {
    const second = await poolOf(erc20.address, coin)
    await observed(second, [2 * HOUR, 0], [HOUR, TICK])
    const first = await poolOf(coin, erc20.address)
    await observed(first, [2 * HOUR, -TICK])
    await start([inDollars(second), inDollars(first)])
    const { prices } = await askAll()
    // 10^12 / 1.0001^196256, cut after 18 digits.
    const price = '3000.104290406328548377'
    expect(prices).toMatchObject([{ token: 'native', price, source: { kind: 'pool', name: second } }])
    const { sources } = await call(asAlice, listPriceSources, {})
    const about = { kind: 'pool', chainId, token: 'native', minutes: 30, prices: 1, fault: null }
    expect(sources).toMatchObject([
      { ...about, name: second },
      { ...about, name: first },
    ])
  })

  test('behavior: what it says at this moment counts as little as that moment is of the window; a jump makes it unfit', async () => {
    const pool = await poolOf(erc20.address, coin)
    // A coin at 5,468 instead of 3,000 for the last minute of an hour.
    await observed(pool, [2 * HOUR, TICK], [60, TICK - 6_000])
    await start([inDollars(pool, 60)])
    const [[, price] = []] = await pricesNow()
    expect(Number(price)).toBeGreaterThan(3_000)
    expect(Number(price)).toBeLessThan(3_060)
    await stop()
    await observed(pool, [2 * HOUR, TICK], [60, -880_000], [30, TICK])
    await start([inDollars(pool)])
    expect(await pricesNow()).toEqual([])
    expect(await faultsNow()).toEqual(['moved'])
  })

  test('behavior: too few observations, none in it, other tokens, no pool at all: each is said', async () => {
    const pool = await poolOf(erc20.address, coin)
    await observed(pool, [1_200, TICK])
    const another = await poolOf(erc20.address, other)
    await observed(another, [HOUR, 0], [700, 0, 0n], [698, 0])
    const twisted = await poolOf(coin, erc20.address)
    await observed(twisted, [HOUR, 8_000_000])
    await start([
      inDollars(pool, 30),
      { ...inDollars(pool, 10) },
      { token: other, pool: another, quote: erc20.address, quoteIs: 'currency', minutes: 30 },
      // Another token than the operator says, and one that cannot be the wrapped coin.
      { token: other, pool, quote: erc20.address, quoteIs: 'currency', minutes: 30 },
      inDollars(another),
      { ...inDollars(pool), quote: other },
      inDollars(erc20.address),
      inDollars(alice.address),
      inDollars(twisted),
      // The token that it is quoted in has no price.
      { token: erc20.address, pool, quote: coin, minutes: 10 },
    ])
    expect(await faultsNow()).toEqual([
      'too-young',
      null,
      'empty',
      'pair',
      'pair',
      'pair',
      'unread',
      'unread',
      'absurd',
      'no-quote',
    ])
    expect((await pricesNow()).map(([token, , kind]) => [token, kind])).toEqual([['native', 'pool']])
  })

  test('behavior: quoted in the coin it takes the price of the coin, by a contract, a pool or a file', async () => {
    const pool = await poolOf(other, coin)
    // 0.01 coins for one whole unit: 10^16 of the smallest for 10^8 is 1.0001^184,216.
    await observed(pool, [HOUR, 184_216])
    const inCoins: PricePool = { token: other, pool, quote: coin, quoteIs: 'native', minutes: 30 }
    await send(feed, 'PriceFeed', 'describe', 'ETH / USD', 8)
    await send(feed, 'PriceFeed', 'set', 200_000_000_000n, BigInt(now()))
    const ofOther = async () => Number((await pricesNow()).find(([token]) => token === other)?.[1])
    await start([inCoins], { feeds: [{ token: 'native', feed }] })
    expect(await ofOther()).toBeCloseTo(20, 2)
    await stop()
    const dollars = await poolOf(erc20.address, coin)
    await observed(dollars, [HOUR, TICK])
    await start([inCoins, inDollars(dollars)])
    expect(await ofOther()).toBeCloseTo(30, 2)
    await stop()
    await start([inCoins], { sources: [byFile('native', '4000')] })
    expect(await ofOther()).toBeCloseTo(40, 2)
    // It is as old as what it rests on.
    running?.pass(25 * HOUR * 1000)
    expect(await ofOther()).toBeCloseTo(40, 2)
    running?.pass(2 * HOUR * 1000)
    expect(await faultsNow()).toEqual(['no-quote', 'stale'])
  })

  test('behavior: what another source contradicts is no price', async () => {
    const pool = await poolOf(erc20.address, coin)
    await observed(pool, [HOUR, TICK])
    await start([inDollars(pool)], { sources: [byFile('native', '3290')] })
    expect((await pricesNow()).map(([, , kind]) => kind)).toEqual(['pool'])
    await stop()
    await start([inDollars(pool)], { sources: [byFile('native', '3310')] })
    expect(await pricesNow()).toEqual([])
  })

  test('default: what it was in the past, at the block of a transfer, also where it is quoted in the coin', async () => {
    const [pool, dollars] = [await poolOf(other, coin), await poolOf(erc20.address, coin)]
    await observed(pool, [HOUR, 184_216])
    await observed(dollars, [HOUR, TICK])
    await start([{ token: other, pool, quote: coin, quoteIs: 'native', minutes: 30 }, inDollars(dollars)])
    const safeAddress = await newSafe(devnet.rpcUrl)
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.send({ from: alice.address, to: safeAddress, value: parseEther('1') })
    await send(other, 'TestErc20', 'mint', safeAddress, 100_000_000n)
    const list = async () => (await call(asAlice, listHistory, { chainId, safeAddress })).entries
    await eventually(async () => (await list()).length >= 3)
    await observed(pool, [HOUR, 191_148])
    await observed(dollars, [HOUR, TICK - 6_932])
    const moments = (await list()).flatMap(({ kind, token, blockNumber }) =>
      kind === 'transfer-in' ? [{ token: token ?? ('native' as const), blockNumber }] : [],
    )
    const { prices } = await call(asAlice, findPastPrices, { chainId, safeAddress, moments })
    expect(prices.map(({ token, price }) => [token, Number(price).toFixed(2)])).toEqual([
      [other, '30.00'],
      ['native', '3000.10'],
    ])
    expect((await pricesNow()).map(([token, price]) => [token, Number(price).toFixed(0)])).toEqual([
      ['native', '6000'],
      [other, '120'],
    ])
  })
})
