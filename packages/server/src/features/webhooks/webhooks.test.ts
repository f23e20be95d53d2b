import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  addDelegate,
  call,
  confirmTransaction,
  createWebhook,
  listActivity,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  testWebhook,
} from '@countersign/contract'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { sign } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  bob,
  chainId,
  dave,
  openScene,
  proposed,
  server,
} from '../../test/scene.ts'
import { codeOf, eventually } from '../../test/test-server.ts'

openScene([alice, bob, dave], () => ({ hasRateLimits: false, webhookNetworks: ['127.0.0.1'] }))

type Received = { path: string; headers: IncomingMessage['headers']; body: string }
type Answer = (path: string, count: number) => number | 'silence'

let receiver: Server
let received: Received[]
let answer: Answer

beforeEach(async () => {
  received = []
  answer = () => 204
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body })
      const status = answer(request.url ?? '', received.length)
      if (status === 'silence') return
      if (status === 302) response.setHeader('location', `http://127.0.0.1:${port()}/elsewhere`)
      response.writeHead(status).end('x'.repeat(100))
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})

const port = () => (receiver.address() as AddressInfo).port
const urlOf = (path: string) => `http://127.0.0.1:${port()}/${path}`

const all = ['proposed', 'confirmation-needed', 'ready', 'executed', 'settings-changed', 'signature-refused'] as const

function made(safeAddress: Address, path = 'hook', events: readonly (typeof all)[number][] = all, by = asAlice) {
  return call(by, createWebhook, { chainId, safeAddress, url: urlOf(path), events: [...events] })
}

const types = (path = '/hook') =>
  received.filter((request) => request.path === path).map(({ body }) => JSON.parse(body).type)

/** HMAC as RFC 2104 defines it, and the comparison that a receiver makes: without the server's code. */
async function verify({ headers, body }: Received, secret: string): Promise<boolean> {
  const raw = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const [version, signature = ''] = String(headers['webhook-signature']).split(',')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return (
    version === 'v1' &&
    crypto.subtle.verify('HMAC', key, Buffer.from(signature, 'base64'), new TextEncoder().encode(signed))
  )
}

describe('webhooks', () => {
  test('default: a proposal until it is executed, signed, in order, with ids that stay', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 2 })
    const { secret, webhook } = await made(safeAddress)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { safeTxHash } = await proposed(safeAddress)
    const signature: Hex = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
    await eventually(async () => received.length >= 2)
    const bodies = received.map(({ body }) => JSON.parse(body))
    expect(bodies.map(({ type, data }) => [type, data.events])).toEqual([
      ['proposed', ['proposed', 'confirmation-needed']],
      ['confirmed', ['ready']],
    ])
    expect(bodies[1].data).toMatchObject({ chainId, safeAddress, safeTxHash, account: bob.address })
    for (const request of received) expect(await verify(request, secret)).toBe(true)
    const [first] = received
    if (first) expect(await verify({ ...first, body: first.body.replace('proposed', 'executed') }, secret)).toBe(false)

    const { deliveries } = await eventually(async () => {
      const found = await call(asAlice, listDeliveries, { chainId, safeAddress, id: webhook.id })
      return found.deliveries.every(({ deliveredAt }) => deliveredAt) && found
    })
    expect(deliveries.map(({ status, attempts, failure }) => [status, attempts, failure])).toEqual([
      [204, 1, null],
      [204, 1, null],
    ])
    // The secret is nowhere else.
    expect(JSON.stringify([await call(asAlice, listWebhooks, { chainId, safeAddress }), deliveries])).not.toContain(
      'whsec',
    )

    await call(asAlice, redeliver, { chainId, safeAddress, id: webhook.id, deliveryId: deliveries[0]?.id ?? '' })
    await eventually(async () => received.length === 3)
    expect(received[2]?.headers['webhook-id']).toBe(received[1]?.headers['webhook-id'])
    expect(received[2]?.body).toBe(received[1]?.body)
  })

  test('behavior: approvals on the chain are confirmations: each is counted, and the last required one makes ready', async () => {
    const owners = [alice.address, bob.address, dave.address]
    const safeAddress = await addedSafe({ owners, threshold: 3 })
    await made(safeAddress, 'approvals', ['confirmation-needed', 'ready'])
    const { safeTxHash } = await proposed(safeAddress)
    await eventually(async () => received.length === 1)
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [safeTxHash] })
    for (const { address } of [bob, dave]) await actor.send({ from: address, to: safeAddress, data })
    await eventually(async () => received.length === 3)
    const bodies = received.map(({ body }) => JSON.parse(body))
    expect(bodies.map(({ type, data: { events } }) => [type, events])).toEqual([
      ['proposed', ['proposed', 'confirmation-needed']],
      ['confirmed', ['confirmation-needed']],
      ['confirmed', ['ready']],
    ])
    expect(bodies[2].data).toMatchObject({
      chainId,
      safeAddress,
      safeTxHash,
      account: null,
      detail: { owner: dave.address, confirmations: '3', confirmationsRequired: '3' },
    })
    // The owner who confirmed here already confirms nothing more.
    await actor.send({ from: alice.address, to: safeAddress, data })
    await actor.send({ from: alice.address, to: safeAddress, data: '0x' })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(received).toHaveLength(3)
  })

  test('behavior: settings that change on the chain, and what nobody asked for', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    await made(safeAddress, 'settings', ['settings-changed'])
    const args = [bob.address, 1n] as const
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'addOwnerWithThreshold', args })
    await actor.execute(safeAddress, { to: safeAddress, data })
    await eventually(async () => received.length > 0)
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'changed-settings',
      data: { events: ['settings-changed'], detail: { 'owner-added': bob.address } },
    })
    expect(types('/settings')).toEqual(['changed-settings'])
  })

  test('behavior: a failure is tried again, with the same id, and what comes after it waits', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 2 })
    answer = (_, count) => (count <= 2 ? 500 : 200)
    await made(safeAddress)
    await proposed(safeAddress, { nonce: 0n })
    await proposed(safeAddress, { nonce: 1n })
    await eventually(async () => received.length === 1)
    for (let tries = 2; tries <= 4; tries += 1) {
      await eventually(async () => {
        server.pass(31_000)
        return received.length >= tries
      })
    }
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(ids[3]).not.toBe(ids[0])
    expect(JSON.parse(received[2]?.body ?? '').data.safeTxHash).toBe(
      JSON.parse(received[0]?.body ?? '').data.safeTxHash,
    )
  })

  test('behavior: a slow receiver delays no other', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 2 })
    const other = await addedSafe({ owners: [alice.address, bob.address], threshold: 2 })
    answer = (path) => (path === '/slow' ? 'silence' : 200)
    await made(safeAddress, 'slow')
    await made(other, 'quick')
    await proposed(safeAddress)
    await eventually(async () => types('/slow').length === 1)
    await proposed(other)
    await eventually(async () => types('/quick').length === 1)
  })

  test('behavior: nothing is followed, and no longer sent when its creator is no owner', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 1 })
    answer = () => 302
    const { webhook } = await made(safeAddress, 'away', ['proposed'], asBob)
    await proposed(safeAddress)
    await eventually(async () => types('/away').length === 1)
    const place = { chainId, safeAddress }
    const ofBob = async () => (await call(asAlice, listWebhooks, place)).webhooks[0]
    await eventually(async () => (await ofBob())?.state === 'failing')
    expect(types('/elsewhere')).toEqual([])
    // Other owners see only the origin of the URL.
    expect((await ofBob())?.url).toBe(`http://127.0.0.1:${port()}`)
    const data = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'removeOwner',
      args: [alice.address, bob.address, 1n],
    })
    await actor.execute(safeAddress, { to: safeAddress, data })
    await eventually(async () => (await ofBob())?.state === 'no-owner')
    // The next attempt is due, and the claim of the last has ended.
    server.pass(31_000)
    await eventually(async () => {
      const { deliveries } = await call(asAlice, listDeliveries, { ...place, id: webhook.id })
      return deliveries[0]?.failure === 'stopped'
    })
    expect(types('/away')).toHaveLength(1)
    await call(asAlice, removeWebhook, { ...place, id: webhook.id })
    expect((await call(asAlice, listWebhooks, place)).webhooks).toEqual([])
  })

  test('error: WEBHOOK_URL_REFUSED, NOT_AN_OWNER, WEBHOOK_NOT_FOUND, DELIVERY_NOT_FOUND, TOO_MANY', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 2 })
    const place = { chainId, safeAddress }
    const make = (url: string) => codeOf(call(asAlice, createWebhook, { ...place, url, events: ['proposed'] }))
    for (const url of [
      'http://example.org/x',
      'ftp://example.org',
      'no url',
      'https://a:b@example.org',
      'https://10.0.0.1/',
    ])
      expect([url, await make(url)]).toEqual([url, 'WEBHOOK_URL_REFUSED'])
    await call(asAlice, addDelegate, { ...place, delegate: dave.address, label: 'D', expiryDate: null })
    expect(await codeOf(call(asDave, listWebhooks, place))).toBe('NOT_AN_OWNER')
    const { webhook } = await made(safeAddress)
    const other = await addedSafe({ owners: [alice.address], threshold: 1 })
    const elsewhere = { chainId, safeAddress: other, id: webhook.id }
    expect(await codeOf(call(asAlice, listDeliveries, elsewhere))).toBe('WEBHOOK_NOT_FOUND')
    expect(await codeOf(call(asAlice, testWebhook, elsewhere))).toBe('WEBHOOK_NOT_FOUND')
    expect(await codeOf(call(asAlice, removeWebhook, elsewhere))).toBe('WEBHOOK_NOT_FOUND')
    expect(await codeOf(call(asAlice, redeliver, { ...place, id: webhook.id, deliveryId: '999' }))).toBe(
      'DELIVERY_NOT_FOUND',
    )
    for (let more = 1; more < 10; more += 1) await made(safeAddress, `${more}`)
    expect(await codeOf(made(safeAddress, 'more'))).toBe('TOO_MANY')
  })

  test('behavior: one that fails too often is disabled, and says so; a test enables it', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 2 })
    answer = (path) => (path === '/hook' ? 503 : 200)
    const { webhook } = await made(safeAddress)
    await made(safeAddress, 'beside')
    await proposed(safeAddress)
    const place = { chainId, safeAddress }
    const state = async () =>
      (await call(asAlice, listWebhooks, place)).webhooks.find(({ id }) => id === webhook.id)?.state
    let attempts = 0
    let passedAt = Date.now()
    await eventually(async () => {
      const { deliveries } = await call(asAlice, listDeliveries, { ...place, id: webhook.id })
      const made = deliveries[0]?.attempts ?? 0
      // Eight hours at once: more than any wait. Once more where the attempt was still being written down meanwhile.
      // The session outlives ninety such steps, not more.
      if (made > attempts || Date.now() - passedAt > 2_000) {
        server.pass(28_900_000)
        passedAt = Date.now()
      }
      attempts = made
      return (await state()) === 'disabled'
    })
    expect(types()).toHaveLength(10)
    const { entries } = await call(asAlice, listActivity, place)
    expect(entries[0]).toMatchObject({ verb: 'disabled-webhook', account: null })
    const heardBeside = types('/beside').length
    await proposed(safeAddress, { nonce: 1n })
    // It is read from the log while the webhook is disabled.
    await eventually(async () => types('/beside').length > heardBeside)
    answer = () => 200
    await call(asAlice, testWebhook, { ...place, id: webhook.id })
    await eventually(async () => types().length === 11)
    expect(types().at(-1)).toBe('test')
    await eventually(async () => (await state()) === 'on')
  })
})
