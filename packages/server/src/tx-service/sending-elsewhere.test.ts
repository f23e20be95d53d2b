import { createServer, type IncomingMessage, type Server } from 'node:http'
import {
  addSafe,
  call,
  confirmTransaction,
  createApiToken,
  listActivity,
  proposeTransaction,
  sendToOtherService,
} from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addedSafe, alice, asAlice, bob, chainId, devnet, openTeam, queueOf, server } from '../test/scene.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'

openTeam()

type Answer = { status: number; text: string } | 'hang up'

/** A service in front of the first installation: it passes on, unless it is told what to answer. */
let service: Server
let here: TestServer
let asOwner: Browser
let asOther: Browser
let posted: string[]
/** Whether the answers to what is posted are lost, though it arrives. */
let isLost: boolean
let instead: (request: IncomingMessage) => Answer | Promise<Answer> | null

beforeEach(async () => {
  posted = []
  isLost = false
  instead = () => null
  const { token } = await call(asAlice, createApiToken, {
    name: 'move',
    expiresAt: null,
    scopes: ['read', 'propose', 'confirm'],
  })
  service = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.method === 'POST') posted.push(request.url ?? '')
    const answer = await instead(request)
    if (answer === 'hang up') return void response.destroy()
    if (answer) return void response.writeHead(answer.status).end(answer.text)
    const passed = await fetch(`${server.origin}/tx-service/${chainId}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    })
    if (isLost && request.method === 'POST') return void response.destroy()
    response.writeHead(passed.status).end(await passed.text())
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as { port: number }
  const bringFrom = { url: `http://127.0.0.1:${port}/api` }
  here = await startTestServer({ chains: [{ ...devnetChain(devnet.rpcUrl), bringFrom }], hasRateLimits: false })
  asOwner = await signInAs(here, alice)
  asOther = await signInAs(here, bob)
})
afterEach(async () => {
  await here?.stop()
  service?.closeAllConnections()
  service?.close()
})

async function proposedHere() {
  const safeAddress = await addedSafe()
  const signed = await signedTx(safeAddress, bob, { value: 3n })
  await call(asOwner, addSafe, { chainId, address: safeAddress })
  const proposal = { chainId, safeAddress, ...signed, origin: 'rent', isImported: true }
  await call(asOther, proposeTransaction, proposal)
  const confirm = async () => {
    const { signature } = await signedTx(safeAddress, alice, { value: 3n })
    await call(asOwner, confirmTransaction, { chainId, safeTxHash: signed.safeTxHash, signature })
  }
  return { safeAddress, safeTxHash: signed.safeTxHash, confirm }
}

const send = (safeTxHash: `0x${string}`) => call(asOwner, sendToOtherService, { chainId, safeTxHash })
const outcomes = async (safeTxHash: `0x${string}`) =>
  (await send(safeTxHash)).signatures.map(({ owner, outcome, isProposal }) => [owner, outcome, isProposal])

describe('sendToOtherService', () => {
  test('default: the proposal, later what was confirmed since; what is there is not sent again', async () => {
    const { safeAddress, safeTxHash, confirm } = await proposedHere()
    expect(await outcomes(safeTxHash)).toEqual([[bob.address, 'taken', true]])
    const [there] = await queueOf(safeAddress)
    expect(there).toMatchObject({
      safeTxHash,
      origin: 'rent',
      proposer: bob.address,
      confirmations: [{ owner: bob.address }],
    })
    await confirm()
    expect(await outcomes(safeTxHash)).toEqual([
      [bob.address, 'there', false],
      [alice.address, 'taken', false],
    ])
    expect((await queueOf(safeAddress))[0]?.confirmations).toHaveLength(2)
    const before = posted.length
    expect((await outcomes(safeTxHash)).map(([, outcome]) => outcome)).toEqual(['there', 'there'])
    expect([before, posted.length]).toEqual([2, 2])
    const { entries } = await call(asOwner, listActivity, { chainId, safeAddress })
    const told = entries.filter(({ verb }) => verb === 'sent-elsewhere').map(({ detail }) => detail?.confirmedBy)
    expect(told).toEqual([alice.address, bob.address])
  })

  test('behavior: an answer that is lost is asked for by the next sending, not sent a second time', async () => {
    const { safeTxHash } = await proposedHere()
    // It arrives, and the answer does not.
    isLost = true
    expect(await send(safeTxHash)).toMatchObject({ signatures: [{ outcome: 'unknown', status: null }], unsent: 0 })
    isLost = false
    expect(await outcomes(safeTxHash)).toEqual([[bob.address, 'there', false]])
    expect(posted).toHaveLength(1)
  })

  test('behavior: a refusal is told in the words of the service, and the others are still sent', async () => {
    const { safeTxHash, confirm } = await proposedHere()
    await confirm()
    instead = (request) =>
      request.method === 'POST' ? { status: 422, text: '{"nonFieldErrors":["Sender=0x1 is not an owner"]}' } : null
    expect((await send(safeTxHash)).signatures).toMatchObject([
      { owner: bob.address, outcome: 'refused', status: 422, words: 'Sender=0x1 is not an owner', isProposal: true },
      { owner: alice.address, outcome: 'refused', isProposal: true },
    ])
    instead = (request) => (request.method === 'POST' ? { status: 502, text: '<html>Bad gateway</html>' } : null)
    expect(await send(safeTxHash)).toMatchObject({
      signatures: [{ outcome: 'unknown', status: 502, words: null }],
      unsent: 1,
    })
    instead = () => null
    expect((await outcomes(safeTxHash)).map(([, outcome]) => outcome)).toEqual(['taken', 'taken'])
  })

  test('error: OTHER_SERVICE_FAILED, where it does not say what it has, and while another sending is under way', async () => {
    const { safeTxHash } = await proposedHere()
    for (const answer of [{ status: 500, text: '' }, { status: 200, text: '<html>' }, 'hang up'] as const) {
      instead = () => answer
      expect(await codeOf(send(safeTxHash))).toBe('OTHER_SERVICE_FAILED')
    }
    expect(posted).toEqual([])
    let goOn = () => {}
    let isAsked = false
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    instead = async () => {
      isAsked = true
      await held
      return { status: 404, text: '{}' }
    }
    const first = send(safeTxHash)
    await eventually(async () => isAsked)
    await expect(send(safeTxHash)).rejects.toMatchObject({ data: { reason: 'sending' } })
    instead = () => null
    goOn()
    expect((await first).signatures).toMatchObject([{ outcome: 'taken' }])
    expect(posted).toHaveLength(1)
  })
})
