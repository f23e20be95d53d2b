import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  call,
  findListedTokens,
  getConfiguration,
  listOutboundHosts,
  listTokenLists,
  type TokenListStatus,
} from '@countersign/contract'
import { type Address, getAddress, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { alice, chainId, devnet, openChain } from '../test/scene.ts'
import {
  type Browser,
  createDatabase,
  devnetChain,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { openListFile, type TokenListSettings } from './settings.ts'

openChain()

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A host of lists that answers as it is told, and remembers what it was asked. */
let host: { origin: string; asked: IncomingMessage[]; answer: Answer; close: () => Promise<void> }
const listed: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const other: Address = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'

const entry = (address: string, symbol: string, of = chainId) => ({
  chainId: of,
  address,
  symbol,
  name: `${symbol} coin`,
  decimals: 6,
})
const listOf = (tokens: unknown[]) => JSON.stringify({ name: 'Host list', timestamp: '2026-11-01T00:00:00Z', tokens })
const giving =
  (text: string, headers: Record<string, string> = {}, status = 200): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end(text)

beforeAll(async () => {
  const asked: IncomingMessage[] = []
  const http = createServer((request, response) => {
    asked.push(request)
    host.answer(request, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  host = {
    origin: `http://127.0.0.1:${port}`,
    asked,
    answer: giving('', {}, 500),
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
})
afterAll(() => host.close())

let database: string
const servers: TestServer[] = []
beforeEach(async () => {
  database = await createDatabase()
  host.asked.length = 0
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

async function start(lists?: TokenListSettings[]): Promise<{ server: TestServer; asAlice: Browser }> {
  const urlList = { kind: 'url' as const, url: new URL(`${host.origin}/list.json?key=secret`), everyHours: 24 }
  const server = await startTestServer({
    chains: [devnetChain(devnet.rpcUrl)],
    databaseUrl: database,
    tokenLists: lists ?? [urlList],
    hasRateLimits: false,
  })
  servers.push(server)
  return { server, asAlice: await signInAs(server, alice) }
}

const statusOf = async (browser: Browser): Promise<TokenListStatus | undefined> =>
  (await call(browser, listTokenLists, {})).lists.at(-1)
const symbolsOf = async (browser: Browser, addresses: Address[], names: string[] = []) =>
  (await call(browser, findListedTokens, { chainId, addresses, names })).tokens.map(({ symbol }) => symbol)

const until = (check: () => Promise<void>) =>
  expect.poll(() => check().then(() => true), { timeout: 150_000, interval: 200 }).toBe(true)
const untilFault = (browser: Browser, reason: string) =>
  until(async () => expect((await statusOf(browser))?.fault?.reason).toBe(reason))

describe('keepTokenLists', () => {
  test('default: a list of a URL is fetched, told, and named among the hosts without its key', async () => {
    host.answer = giving(listOf([entry(listed, 'LST'), entry(other, 'ELSE', 5), entry(other, 'E\u202eVIL')]))
    const { asAlice } = await start()
    await until(async () => expect(await symbolsOf(asAlice, [listed, other])).toEqual(['LST']))
    expect(await symbolsOf(asAlice, [], ['LЅT'])).toEqual(['LST'])
    const found = await statusOf(asAlice)
    expect(found).toMatchObject({
      name: 'Host list',
      kind: 'url',
      everyHours: 24,
      fault: null,
      otherChains: 1,
      source: `${new URL(host.origin).host}/list.json`,
      chains: [{ chainId, tokens: 1 }],
      refused: [{ reason: 'text', count: 1, examples: [`EVIL ${other}`] }],
    })
    expect(JSON.stringify(found)).not.toContain('secret')
    const { hosts } = await call(asAlice, listOutboundHosts, {})
    expect(hosts.find(({ purpose }) => purpose === 'token-list')).toMatchObject({
      host: new URL(host.origin).host,
      lastAt: expect.any(String),
    })
    const { chains } = await call(asAlice, getConfiguration, {})
    expect(chains[0]?.listRevision).toEqual(expect.any(String))
  })

  test('behavior: it is asked for again when due, by its tag, and a new one is used without a start', async () => {
    host.answer = giving(listOf([entry(listed, 'OLD')]), { etag: '"one"' })
    const { server, asAlice } = await start()
    await until(async () => expect(await symbolsOf(asAlice, [listed])).toEqual(['OLD']))
    const before = await statusOf(asAlice)
    host.answer = (request, response) => {
      expect(request.headers['if-none-match']).toBe('"one"')
      response.writeHead(304).end()
    }
    server.pass(25 * 3_600_000)
    await until(async () => expect((await statusOf(asAlice))?.confirmedAt).not.toBe(before?.confirmedAt))
    expect((await statusOf(asAlice))?.fetchedAt).toBe(before?.fetchedAt)
    const revision = (await call(asAlice, getConfiguration, {})).chains[0]?.listRevision
    host.answer = giving(listOf([entry(listed, 'NEW')]))
    server.pass(25 * 3_600_000)
    await until(async () => expect(await symbolsOf(asAlice, [listed])).toEqual(['NEW']))
    expect((await call(asAlice, getConfiguration, {})).chains[0]?.listRevision).not.toBe(revision)
  })

  test.each<[string, Answer]>([
    ['status', giving('busy', {}, 503)],
    ['status', giving('', { location: '/elsewhere' }, 302)],
    ['not-json', giving('<html>busy</html>')],
    ['no-list', giving('{"tokens":7}')],
    ['too-large', giving(`${listOf([])}${' '.repeat(10_000_001)}`)],
    ['unreachable', (_, response) => void response.destroy()],
    [
      'unreachable',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('{"name"')
        setTimeout(() => response.destroy(), 50)
      },
    ],
  ])('behavior: the last good one stays where its host says something else: %s', async (reason, answer) => {
    host.answer = giving(listOf([entry(listed, 'GOOD')]))
    const { server, asAlice } = await start()
    await until(async () => expect(await symbolsOf(asAlice, [listed])).toEqual(['GOOD']))
    const { fetchedAt } = (await statusOf(asAlice)) ?? {}
    host.answer = answer
    server.pass(25 * 3_600_000)
    await untilFault(asAlice, reason)
    expect(await symbolsOf(asAlice, [listed])).toEqual(['GOOD'])
    expect((await statusOf(asAlice))?.fetchedAt).toBe(fetchedAt)
    // It is asked again after minutes, not after a day.
    host.answer = giving(listOf([entry(listed, 'BACK')]))
    server.pass(11 * 60_000)
    await until(async () => expect(await symbolsOf(asAlice, [listed])).toEqual(['BACK']))
  })

  test('behavior: a new start and another process have what was fetched, and ask nobody', async () => {
    host.answer = giving(listOf([entry(listed, 'KEPT')]))
    const { asAlice } = await start()
    await until(async () => expect(await symbolsOf(asAlice, [listed])).toEqual(['KEPT']))
    host.answer = giving('', {}, 500)
    const second = await start()
    expect(await symbolsOf(second.asAlice, [listed])).toEqual(['KEPT'])
    expect(host.asked).toHaveLength(1)
  })

  test('behavior: a stop does not wait for a host that is silent', async () => {
    host.answer = () => {}
    const { server } = await start()
    await until(async () => expect(host.asked).toHaveLength(1))
    await server.stop()
    servers.length = 0
    host.asked[0]?.socket.destroy()
  })

  test('behavior: ten megabytes of duplicates, wrong checksums, other chains and imitations leave what is true, and hold up nobody', async () => {
    const EACH = 10_000
    const addressAt = (at: number) => getAddress(numberToHex(2n ** 150n + BigInt(at), { size: 20 }))
    const wrong = (address: string) =>
      address.replace(/[a-f]/i, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      )
    // Letters of other alphabets that look like those of the true one, and of the coin.
    const imitations = ['ΤRUE', 'TRUЕ', 'ТRUE', 'ΕTH', 'EТH', 'ETН']
    const padded = { logoURI: `https://logos.example/${'x'.repeat(20)}`, tags: ['stable'] }
    const entries = Array.from({ length: EACH }, (_, at) => [
      entry(addressAt(at), `A${at}`),
      entry(listed, 'TRUE'),
      { ...entry(wrong('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'), `C${at}`) },
      entry(addressAt(at), `O${at}`, 5),
      entry(addressAt(EACH + at), imitations[at % imitations.length] ?? ''),
    ]).flat()
    const text = listOf(entries.map((one) => ({ ...one, ...padded })))
    expect(text.length).toBeGreaterThan(9_000_000)
    expect(text.length).toBeLessThan(10_000_000)
    const folder = mkdtempSync(join(tmpdir(), 'countersign-lists-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'hostile.json')
    writeFileSync(path, text)
    host.answer = giving(text)
    const fromFile = async (): Promise<TokenListSettings> => ({ kind: 'file', path, list: openListFile(path) })
    for (const settings of [undefined, fromFile]) {
      const turns = vi.spyOn(globalThis, 'setImmediate')
      onTestFinished(() => turns.mockRestore())
      const { asAlice } = await (settings ? settings().then((one) => start([one])) : start())
      await until(async () => expect(await symbolsOf(asAlice, [listed])).toEqual(['TRUE']))
      // Others are answered between turns of the event loop: no turn reads more than some hundred entries.
      expect(turns.mock.calls.length).toBeGreaterThan(entries.length / 1_000)
      turns.mockRestore()
      expect(await statusOf(asAlice)).toMatchObject({
        fault: null,
        otherChains: EACH,
        chains: [{ chainId, tokens: EACH + 1 }],
        refused: [
          { reason: 'checksum', count: EACH },
          { reason: 'twice', count: EACH - 1 },
          { reason: 'imitates', count: EACH },
        ],
      })
      const found = await symbolsOf(asAlice, [addressAt(EACH), addressAt(0)])
      expect(found).toContain('A0')
      expect(found.filter((symbol) => imitations.includes(symbol))).toEqual([])
      expect(await symbolsOf(asAlice, [], ['ТRUE'])).toEqual(['TRUE'])
    }
  }, 300_000)

  test('behavior: nobody is asked where no URL is named, and a file is used', async () => {
    const list = { name: 'Own file', madeAt: null, version: null, entries: [entry(listed, 'FILE')] }
    const { asAlice } = await start([{ kind: 'file', path: '/somewhere/own.json', list }])
    expect(await symbolsOf(asAlice, [listed])).toEqual(['FILE'])
    expect(await statusOf(asAlice)).toMatchObject({
      name: 'Own file',
      kind: 'file',
      source: 'own.json',
      everyHours: null,
    })
    expect(host.asked).toEqual([])
  })
})
