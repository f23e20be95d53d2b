import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { addSafe, attachPack, call, inviteViewer } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  chainId,
  dave,
  isExecuted,
  openTeam,
  proposed,
  server,
} from '../test/scene.ts'
import { type Browser, eventually, newBrowser, newSafe } from '../test/test-server.ts'

openTeam()

const LONG = 700_000

/** Announces a body, and sends nothing of it. @returns what is answered to the headers alone */
function announce(browser: Browser, path: string, length: number | null = LONG): Promise<string> {
  return new Promise((resolve, reject) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const size = length === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }
    const headers = { cookie, origin: server.origin, 'content-type': 'application/json', ...size }
    const sent = request(`${server.origin}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        resolve(text && JSON.parse(text).code)
        sent.destroy()
      })
    })
    sent.on('error', reject)
    sent.flushHeaders()
  })
}

/** Sends part of a body for two seconds, and reads the answer only afterwards. @throws if the connection is reset meanwhile */
async function answerAfterSending(path: string, framing: string): Promise<string> {
  const { hostname, port, host } = new URL(server.origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const failed = new Promise<never>((_, reject) => socket.once('error', reject))
  const sending = async () => {
    const lines = [`POST ${path} HTTP/1.1`, `host: ${host}`, `origin: ${server.origin}`, framing]
    socket.write(`${lines.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n`)
    const part = framing.startsWith('transfer') ? `10000\r\n${'x'.repeat(0x10000)}\r\n` : 'x'.repeat(0x4000)
    for (let at = 0; at < 40; at += 1) {
      socket.write(part)
      await delay(50)
    }
    socket.end()
    return (await socket.setEncoding('utf8').toArray()).join('')
  }
  return Promise.race([sending(), failed]).finally(() => socket.destroy())
}

const packsOf = (safeAddress: Address, safeTxHash: Hex) =>
  `/api/chains/${chainId}/safes/${safeAddress}/transactions/${safeTxHash}/packs`
const unknownHash: Hex = `0x${'1'.repeat(64)}`

describe('a long body that will be refused', () => {
  let safeAddress: Address
  let packs: string
  let book: string

  beforeAll(async () => {
    safeAddress = await addedSafe()
    packs = packsOf(safeAddress, (await proposed(safeAddress, { nonce: 0n })).safeTxHash)
    book = `/api/chains/${chainId}/safes/${safeAddress}`
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: dave.address, label: 'Dave' })
    await call(asDave, addSafe, { chainId, address: safeAddress })
  })

  test.each<[string, string, () => [Browser, string, (number | null)?]]>([
    ['nobody is signed in', 'NOT_SIGNED_IN', () => [newBrowser(server), packs]],
    ['by a stranger', 'SAFE_NOT_FOUND', () => [asStranger, packs]],
    ['by a viewer', 'NOT_OWNER_OR_DELEGATE', () => [asDave, packs]],
    ['about nothing', 'TRANSACTION_NOT_FOUND', () => [asAlice, packsOf(safeAddress, unknownHash)]],
    ['of a length that is not said', 'TRANSACTION_NOT_FOUND', () => [asAlice, packsOf(safeAddress, unknownHash), null]],
    ['in a path that is none', 'INVALID_REQUEST', () => [asAlice, packsOf(safeAddress, '0x12')]],
    ['longer than any', 'REQUEST_TOO_LARGE', () => [asAlice, packs, 2_000_000]],
    ['an ABI by a stranger', 'SAFE_NOT_FOUND', () => [asStranger, `${book}/abis`]],
    ['an ABI by a viewer', 'NOT_OWNER_OR_DELEGATE', () => [asDave, `${book}/abis`]],
    ['a draft by a stranger', 'SAFE_NOT_FOUND', () => [asStranger, `${book}/drafts`]],
    [
      'a draft by a viewer, of a length that is not said',
      'NOT_OWNER_OR_DELEGATE',
      () => [asDave, `${book}/drafts`, null],
    ],
  ])('error: %s: %s before a byte of it comes', async (_name, code, of) => {
    expect(await announce(...of())).toBe(code)
  })

  test('error: TOO_MANY when the limit of the pack, of the share or of the account is reached', async () => {
    const mine = (await proposed(safeAddress, { nonce: 1n })).safeTxHash
    for (const text of ['1', '2', '3']) await call(asBob, attachPack, { chainId, safeAddress, safeTxHash: mine, text })
    expect(await announce(asBob, packsOf(safeAddress, mine))).toBe('TOO_MANY')
    const other = (await proposed(safeAddress, { nonce: 2n })).safeTxHash
    await server.db.execute(sql`
      insert into proposal_pack (chain_id, safe_address, safe_tx_hash, author, pack_hash, text, attached_at)
      select chain_id, safe_address, ${sql.param(Buffer.from(other.slice(2), 'hex'))}, author, sha256(text::bytea), repeat('y', 8500000), now()
      from proposal_pack where text = '1' limit 1`)
    const third = (await proposed(safeAddress, { nonce: 3n })).safeTxHash
    expect(await announce(asBob, packsOf(safeAddress, third))).toBe('TOO_MANY')
    expect(await announce(asAlice, packsOf(safeAddress, third), 2_000_000)).toBe('REQUEST_TOO_LARGE')
  })

  test('error: TRANSACTION_ALREADY_EXECUTED', async () => {
    const place = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash } = await proposed(place, { to: bob.address })
    await actor.execute(place, { to: bob.address })
    await eventually(() => isExecuted(safeTxHash))
    expect(await announce(asAlice, packsOf(place, safeTxHash))).toBe('TRANSACTION_ALREADY_EXECUTED')
  })

  test('behavior: a valid pack is received and stored', async () => {
    const place = await newSafe(server.chains.get(chainId)?.settings.rpcUrls[0] ?? '')
    await call(asAlice, addSafe, { chainId, address: place })
    const { safeTxHash } = await proposed(place, { nonce: 0n })
    const text = 'x'.repeat(LONG)
    const added = await call(asAlice, attachPack, { chainId, safeAddress: place, safeTxHash, text })
    expect(added.bytes).toBe(LONG)
    expect(await call(asAlice, attachPack, { chainId, safeAddress: place, safeTxHash, text })).toEqual(added)
  })
})

test('error: REQUEST_TOO_LARGE when a body without a stated length becomes too long', async () => {
  const headers = { origin: server.origin, 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const status = await new Promise<number>((resolve, reject) => {
    const path = '/api/session/message'
    const sent = request(`${server.origin}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      resolve(response.statusCode ?? 0)
      sent.destroy()
    })
    sent.on('error', reject)
    sent.write('x'.repeat(1_100_000))
  })
  expect(status).toBe(413)
})

test.each([
  ['is for people who are signed in', packsOf(alice.address, unknownHash), 'content-length: 1000000', 401],
  ['is longer than any', '/api/session/message', 'content-length: 4000000', 413],
  ['becomes longer than any', '/api/session/message', 'transfer-encoding: chunked', 413],
])('behavior: a client that still sends a body that %s gets the answer', async (_name, path, framing, status) => {
  expect(await answerAfterSending(path, framing)).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*connection: close`, 'i'))
})

test('behavior: a request that follows the refused one on its connection is not carried out', async () => {
  const { hostname, port, host } = new URL(server.origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).setEncoding('utf8')
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${server.origin}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const messages = () => server.db.execute(sql`select 1 from sign_in_nonce`)
  const before = (await messages()).rows.length
  let answer = ''
  socket.on('data', (text) => (answer += String(text)))
  socket.write(head(packsOf(alice.address, unknownHash), 2))
  await once(socket, 'end')
  expect(answer).toMatch(/^HTTP\/1.1 401 /)
  const body = JSON.stringify({ address: alice.address, chainId })
  socket.end(`{}${head('/api/session/message', body.length)}${body}`)
  await once(socket, 'close')
  await delay(500)
  expect((await messages()).rows).toHaveLength(before)
})
