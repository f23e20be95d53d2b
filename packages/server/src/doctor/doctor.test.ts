import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call, createApiToken } from '@countersign/contract'
import { deployPriceFeed, deployPricePool, testContractAbi, testContracts } from '@countersign/devnet'
import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nameBackup } from '../backup/write-backup.ts'
import { playing, providers, type Taking } from '../test/providers.ts'
import { actor, alice, chainId, devnet, openChain } from '../test/scene.ts'
import { changing, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import {
  createDatabase,
  createEmptyDatabase,
  devnetChain,
  newSafe,
  signInAs,
  startTestServer,
} from '../test/test-server.ts'
import { examine } from './examine.ts'
import { describeFindings, type Finding } from './finding.ts'
import { lookAtBackups } from './look-at-backups.ts'
import { lookAtDisk } from './look-at-machine.ts'

openChain()

let directory: string
let node: ScriptedNode | null = null

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-doctor-'))
})
afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
})
afterEach(async () => {
  await node?.close()
  node = null
})

const head = async () => Number(await actor.rpc('eth_blockNumber'))

async function play(taking: Taking): Promise<string> {
  node = await startScriptedNode(
    devnet.rpcUrl,
    playing(() => taking, head),
  )
  return node.url
}

type Looked = { rpcUrl?: string; chain?: object; url?: string; now?: Date; text?: string; prices?: object }

/** Looks with a configuration file of one chain. */
async function look({ rpcUrl = devnet.rpcUrl, chain = {}, url, now = new Date(), text, prices }: Looked = {}) {
  const path = join(directory, 'countersign.config.json')
  const chains = [{ chainId, name: 'Own chain', rpcUrls: [rpcUrl], ...chain }]
  writeFileSync(path, text ?? JSON.stringify({ chains, prices, backup: { directory, everyHours: 24, keep: 7 } }))
  const database = { url: url ?? (await createDatabase()) }
  return examine({ env: { COUNTERSIGN_CONFIG: path }, dataDirectory: directory, database, now })
}

const faults = (found: readonly Finding[]) => found.filter(({ level }) => level === 'fault')
const about = (found: readonly Finding[], words: RegExp) =>
  found.find(({ about, says }) => words.test(`${about}: ${says}`))

describe('examine', () => {
  test('default: nodes, database, clock, disk and hosts, without a fault', async () => {
    const found = await look()
    expect(faults(found)).toEqual([])
    for (const words of [
      /^Own chain .*answers in \d+ ms, block \d+$/,
      /offers traces$/,
      /takes logs of 500 contracts in a query$/,
      /takes logs of \d+ blocks; a year of one Safe: 5 requests, about 1 s$/,
      /^Database: PostgreSQL \d+/,
      /^Schema: of this version$/,
      /^Clock: not behind/,
      /^Disk: .* GB free/,
      /^Outbound: 127\.0\.0\.1:\d+, by the server: node of Own chain$/,
    ])
      expect(about(found, words), String(words)).toMatchObject({ level: 'good' })
    expect(describeFindings(found)).toMatch(/^0 faults, \d+ notices?$/m)
  })

  test('behavior: what a node refuses is told with its remedy, and what a history costs with it', async () => {
    const several = await look({ rpcUrl: await play(providers['has no traces, proofs, overrides, simulation']) })
    expect(about(several, /offers no traces$/)).toMatchObject({
      level: 'notice',
      remedy: expect.stringContaining('debug_traceBlockByNumber'),
    })
    expect(about(several, /offers no proofs$/)?.level).toBe('notice')
    await node?.close()
    await actor.rpc('anvil_mine', '0x20')
    const small = await look({ rpcUrl: await play(providers['takes 10 blocks, and names them']) })
    expect(about(small, /takes logs of 10 blocks; a year of one Safe: \d+ requests/)).toBeDefined()
    await node?.close()
    const named = await look({ rpcUrl: await play(providers['needs an address']) })
    expect(about(named, /offers no logs without an address$/)?.remedy).toContain('transfers of known tokens')
    await node?.close()
    const names = { most: 10, code: -32602, words: 'too many addresses: the maximum is 10' }
    const few = await look({ rpcUrl: await play({ names }) })
    expect(about(few, /takes logs of 10 contracts in a query$/)).toMatchObject({
      level: 'notice',
      remedy: expect.stringContaining('nothing is missing'),
    })
  })

  test('behavior: where old blocks do not tell how long a year is, what is known of the chain does', async () => {
    await actor.rpc('anvil_mine', '0x190')
    const script = playing(() => providers['takes 10 blocks, and names them'], head)
    node = await startScriptedNode(devnet.rpcUrl, async (asked, truth) => {
      const answers = await script(asked, truth)
      if (!Array.isArray(answers)) return answers
      const isOld = (id: number) =>
        asked.some((call) => call.id === id && call.method === 'eth_getBlockByNumber' && call.params[0] !== 'latest')
      const error = { code: -32000, message: 'pruned' }
      return answers.map((answer) => (isOld(answer.id) ? { jsonrpc: '2.0', id: answer.id, error } : answer))
    })
    const daily = await look({ rpcUrl: node.url, chain: { blockSeconds: 86_400 } })
    expect(about(daily, /takes logs of 10 blocks; a year of one Safe: 185 requests/)).toBeDefined()
    const unknown = await look({ rpcUrl: node.url })
    expect(about(unknown, /takes logs of 10 blocks; a year of one Safe: 185 requests/)).toBeUndefined()
  })

  test('error: a node of another chain, one that is away, and one that answers no logs', async () => {
    node = await startScriptedNode(
      devnet.rpcUrl,
      changing((answer, { method }) => (method === 'eth_chainId' ? { ...answer, result: '0x1' } : answer)),
    )
    expect(faults(await look({ rpcUrl: node.url }))).toEqual([
      expect.objectContaining({ says: 'is a node of another chain' }),
    ])
    await node.close()
    expect(faults(await look({ rpcUrl: node.url }))[0]).toMatchObject({ says: 'does not answer (ECONNREFUSED)' })
    const none = await look({ rpcUrl: await play({ lacks: ['eth_getLogs'] }) })
    expect(faults(none)[0]).toMatchObject({ says: 'answers no query for logs' })
  })

  test.each([
    [{ status: 401, text: 'no key' }, /key \(HTTP 401\)/, /key in `rpcUrls`/],
    [{ status: 429, text: 'slow' }, /too often/, /requestsPerSecond/],
    [{ status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } }, /HTTP 302/, /redirects are not followed/],
    [{ status: 502, text: 'bad gateway' }, /HTTP 502/, /why the node fails/],
    [{ text: '<html>' }, /something else than JSON-RPC/, /Correct its URL/],
    [null, /in time/, /hangs/],
  ])('error: a node that answers %j: why, and what to do', async (reply, says, remedy) => {
    node = await startScriptedNode(devnet.rpcUrl, async () => reply ?? new Promise(() => {}))
    const found = faults(await look({ rpcUrl: node.url }))
    expect(found).toEqual([
      {
        level: 'fault',
        about: expect.any(String),
        says: expect.stringMatching(says),
        remedy: expect.stringMatching(remedy),
      },
    ])
  })

  test('error: a node whose name nobody knows', async () => {
    expect(faults(await look({ rpcUrl: 'http://node.invalid/' }))[0]).toMatchObject({
      remedy: expect.stringContaining('DNS'),
    })
  })

  test('error: a clock that is behind, a disk that is full, a database that is away, a wrong configuration', async () => {
    await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const late = await look({ now: new Date(Date.now() - 3_600_000) })
    expect(faults(late)).toEqual([expect.objectContaining({ about: 'Clock', remedy: expect.stringContaining('NTP') })])
    expect(lookAtDisk(directory, 1_000_000).level).toBe('fault')
    expect(lookAtDisk(directory, 1_000_000_000).level).toBe('notice')
    const away = await look({ url: 'postgres://nobody@127.0.0.1:1/none' })
    expect(faults(away)).toEqual([expect.objectContaining({ about: 'Database' })])
    const unusable = await look({ url: 'postgres://127.0.0.1:99999/none' })
    expect(faults(unusable).map(({ about }) => about)).toEqual(['Configuration', 'Database'])
    const wrong = await look({ text: '{ "chains": [{ "chainId": 5 }] }' })
    expect(faults(wrong)[0]).toMatchObject({ about: 'Configuration', says: expect.stringContaining('rpcUrls') })
  })

  test('behavior: each source of prices: reached or not, how old, contradicted, and what to do', async () => {
    const { erc20 } = testContracts
    const feed = await deployPriceFeed(devnet.rpcUrl, alice.address)
    const pool = await deployPricePool(devnet.rpcUrl, alice.address, [erc20.address, feed])
    const send = async (functionName: string, ...args: unknown[]) =>
      actor.send({
        from: alice.address,
        to: feed,
        data: encodeFunctionData({ abi: testContractAbi('PriceFeed'), functionName, args }),
      })
    const ago = (seconds: number) => BigInt(Math.floor(Date.now() / 1000) - seconds)
    await send('describe', 'ETH / USD', 8)
    await send('set', 300_000_000_000n, ago(600))
    const file = join(directory, 'prices.json')
    const write = (price: string, at: Date) =>
      writeFileSync(
        file,
        JSON.stringify({ currency: 'USD', prices: [{ chainId, token: 'native', price, at: at.toISOString() }, 1] }),
      )
    write('3100', new Date(Date.now() - 7_200_000))
    const chain = {
      tokens: [erc20],
      priceFeeds: [{ token: 'native', feed }],
      pricePools: [{ token: erc20.address, pool, quote: feed }],
    }
    const prices = { currency: 'USD', sources: [{ file }, { url: 'http://127.0.0.1:1/usd.json?key=secret' }] }
    const found = (await look({ chain, prices })).filter((finding) => finding.about.startsWith('Price'))
    expect(found).toEqual([
      {
        level: 'notice',
        about: 'Prices of prices.json',
        says: '1 price, the newest 2 h old; 1 line not used',
        remedy: expect.stringContaining('README'),
      },
      {
        level: 'notice',
        about: 'Prices of 127.0.0.1:1/usd.json',
        says: 'does not answer',
        remedy: expect.stringContaining('correct its URL'),
      },
      {
        level: 'good',
        about: `Price of the coin on Own chain, feed ${feed}`,
        says: '3000 USD, 10 min old',
        remedy: null,
      },
      {
        level: 'notice',
        about: `Price of TUSD on Own chain, pool of 30 minutes ${pool}`,
        says: 'keeps too few observations for its minutes',
        remedy: expect.stringContaining('increaseObservationCardinalityNext'),
      },
    ])
    const misnamed = await look({ chain: { ...chain, multicall: alice.address }, prices: { currency: 'USD' } })
    expect(about(misnamed, /^Prices on Own chain: are asked one by one: no contract is at 0x/)).toMatchObject({
      level: 'notice',
      remedy: expect.stringContaining('multicall'),
    })
    write('4000', new Date())
    const twisted = await look({ chain, prices: { currency: 'USD', sources: [{ file }] } })
    expect(
      about(twisted, /^Price of the coin on Own chain: sources contradict each other: 3000 by 0x.* 4000 by/),
    ).toMatchObject({
      level: 'notice',
      remedy: expect.stringContaining('wrong'),
    })
    await send('set', 300_000_000_000n, ago(27 * 3_600))
    const old = await look({ chain, prices: { currency: 'USD' } })
    expect(about(old, /feed 0x.*: has no price that is new enough/)?.remedy).toContain('maxAgeHours')
    expect(about(await look({ prices: { currency: 'USD' } }), /^Prices: no source/)?.level).toBe('notice')
    expect(faults(old)).toEqual([])
  })

  test('behavior: backups that are not written any more, cannot be, or never were', async () => {
    const place = mkdtempSync(join(directory, 'backups-'))
    const now = new Date('2026-11-22T12:00:00Z')
    const at = (hours: number, of = place) =>
      lookAtBackups(
        { directory: of, everyMilliseconds: 3_600_000, keep: 7 },
        new Date(now.getTime() + hours * 3_600_000),
      )
    expect(lookAtBackups(null, now)).toMatchObject({ level: 'notice', remedy: expect.stringContaining('`backup`') })
    expect(at(0)).toMatchObject({ level: 'notice', says: expect.stringContaining('yet') })
    writeFileSync(join(place, nameBackup(now)), '')
    expect(at(1.5)).toMatchObject({ level: 'good', says: expect.stringContaining('is 2 h old') })
    expect(at(5)).toMatchObject({ level: 'fault', remedy: expect.stringContaining('log') })
    expect(at(0, join(place, nameBackup(now), 'below'))).toMatchObject({
      level: 'fault',
      says: expect.stringContaining('none can'),
    })
  })

  test('behavior: the service that a team comes from: of this chain and how far, or why not and what to do', async () => {
    const served = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    const asAlice = await signInAs(served, alice)
    const { token } = await call(asAlice, createApiToken, { name: 'doctor', scopes: ['read'], expiresAt: null })
    const asked: { url: string; key: string | undefined }[] = []
    let answerOf: (path: string) => { status?: number; text: string } = () => ({ text: '' })
    const service = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://service')
      asked.push({ url: pathname, key: request.headers.authorization })
      const { status = 200, text } = answerOf(pathname)
      response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:1/' } : {}).end(text)
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    const { port } = service.address() as AddressInfo
    const bringFrom = { url: `http://127.0.0.1:${port}/api`, apiKey: 'secret-key' }
    const ofService = async (from: object = bringFrom, now = new Date()) =>
      (await look({ chain: { bringFrom: from }, now })).find((finding) =>
        finding.about.startsWith('Transaction Service'),
      )
    const telling = (chain: object, index: object) => (path: string) => {
      if (path.endsWith('/about/'))
        return { text: JSON.stringify({ name: 'Safe Transaction Service', version: '5.1.0' }) }
      return { text: JSON.stringify(path.endsWith('/ethereum-rpc/') ? chain : index) }
    }
    const at = (seconds: number) => ({
      masterCopiesBlockTimestamp: new Date(Date.now() - 1_000 * seconds).toISOString(),
    })
    try {
      // Another instance of the product is told like any other service.
      const url = `${served.origin}/tx-service/${chainId}/api`
      expect((await ofService({ url, apiKey: token }))?.says).toMatch(/^answers for this chain, version /)
      expect(await ofService({ url })).toMatchObject({ level: 'fault', says: 'wants a key (HTTP 401)' })
      answerOf = telling({ chain_id: chainId }, at(20))
      expect(await ofService()).toEqual({
        level: 'good',
        remedy: null,
        about: `Transaction Service of Own chain, 127.0.0.1:${port}`,
        says: 'answers for this chain, version 5.1.0; its newest block is 20 s old',
      })
      expect(asked.map(({ url }) => url).sort()).toEqual(
        ['', 'ethereum-rpc/', 'indexing/'].map((path) => `/api/v1/about/${path}`),
      )
      expect(asked.every(({ key }) => key === 'Bearer secret-key')).toBe(true)
      answerOf = telling({ chain_id: chainId }, at(7_200))
      expect(await ofService()).toMatchObject({ level: 'notice', says: expect.stringContaining('2 h old') })
      answerOf = telling({ chain_id: 1 }, at(20))
      expect(await ofService()).toMatchObject({ level: 'fault', says: 'is of chain 1' })
      answerOf = telling({}, {})
      expect(await ofService()).toMatchObject({ level: 'notice', says: expect.stringContaining('not say for which') })
      for (const [status, says, remedy] of [
        [401, 'lets nobody in', 'apiKey'],
        [404, 'HTTP 404', 'before `/v1`'],
        [302, 'HTTP 302', 'redirects'],
        [429, 'too often', 'rate'],
        [502, 'HTTP 502', 'operator'],
      ] as const) {
        answerOf = () => ({ status, text: '' })
        expect(await ofService()).toMatchObject({
          says: expect.stringContaining(says),
          remedy: expect.stringContaining(remedy),
        })
      }
      answerOf = () => ({ text: '<html>' })
      expect(await ofService()).toMatchObject({ level: 'fault', says: expect.stringContaining('something else') })
      expect(await ofService({ url: 'http://127.0.0.1:1/api' })).toMatchObject({ says: 'does not answer' })
    } finally {
      service.close()
      await served.stop()
    }
  })

  test('behavior: a database without tables is made by the first start', async () => {
    const found = await look({ url: await createEmptyDatabase() })
    expect(faults(found)).toEqual([])
    expect(about(found, /^Schema: none yet/)?.level).toBe('good')
  })
})
