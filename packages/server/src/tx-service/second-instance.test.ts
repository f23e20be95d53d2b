import { createServer } from 'node:http'
import {
  addSafe,
  call,
  callNode,
  createApiToken,
  getConfiguration,
  getSafe,
  getTransaction,
  listOutboundHosts,
  proposeTransaction,
  readOtherService,
} from '@countersign/contract'
import { readServiceQueue } from '@countersign/safe-core'
import { expect, test } from 'vitest'
import { addedSafe, alice, asAlice, bob, chainId, devnet, openTeam, proposed, queueOf, server } from '../test/scene.ts'
import { devnetChain, eventually, signInAs, startTestServer } from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'

openTeam()

test('what a second instance answers on the wire is a queue that can be brought here', async () => {
  const safeAddress = await addedSafe()
  const other = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], hasRateLimits: false })
  try {
    const there = await signInAs(other, alice)
    await call(there, addSafe, { chainId, address: safeAddress })
    await proposed(safeAddress, { value: 1n }, bob)
    const [mine] = await queueOf(safeAddress)
    // There and not here: this instance is the one that is moved from.
    const { kit } = await newTxClient(server, asAlice)
    const pages = [await kit.getMultisigTransactions(safeAddress), await kit.getPendingTransactions(safeAddress)]
    const text = JSON.stringify(pages)
    const { proposals, unusable } = readServiceQueue(text, { chainId, safeAddress, version: '1.4.1' })
    expect(unusable).toEqual([])
    expect(proposals).toHaveLength(1)
    for (const { safeTx, safeTxHash, origin, signatures } of proposals)
      for (const { owner, signature } of signatures) {
        const signed = { safeTx, safeTxHash, origin, sender: owner, signature, isImported: true }
        await call(there, proposeTransaction, { chainId, safeAddress, ...signed })
      }
    const brought = await call(there, getTransaction, { chainId, safeTxHash: mine?.safeTxHash ?? '0x' })
    const signatureOf = ({ owner, signature }: { owner: string; signature: string }) => [owner, signature]
    expect(brought.transaction).toMatchObject({ safeTx: mine?.safeTx, proposer: bob.address })
    expect(brought.transaction.confirmations.map(signatureOf)).toEqual(mine?.confirmations.map(signatureOf))
  } finally {
    await other.stop()
  }
})

test('what waits at the service that the operator names is read from it, a page at a time', async () => {
  const safeAddress = await addedSafe()
  await proposed(safeAddress, { value: 1n }, bob)
  const { token } = await call(asAlice, createApiToken, { name: 'move', scopes: ['read'], expiresAt: null })
  const bringFrom = { url: `${server.origin}/tx-service/${chainId}/api`, apiKey: token }
  const other = await startTestServer({
    chains: [{ ...devnetChain(devnet.rpcUrl), bringFrom }],
    hasRateLimits: false,
  })
  try {
    const there = await signInAs(other, alice)
    const place = { chainId, safeAddress }
    await expect(call(there, readOtherService, place)).rejects.toMatchObject({ code: 'SAFE_NOT_FOUND' })
    await call(there, addSafe, { chainId, address: safeAddress })
    const { content } = await call(there, readOtherService, place)
    const { proposals, unusable } = readServiceQueue(content, { ...place, version: '1.4.1' })
    expect(unusable).toEqual([])
    expect(proposals).toHaveLength(1)
    expect(JSON.parse((await call(there, readOtherService, { ...place, page: 2 })).content).results).toEqual([])
    const { host } = new URL(server.origin)
    expect((await call(there, getConfiguration, {})).chains[0]).toMatchObject({ bringFrom: host })
    const { hosts } = await call(there, listOutboundHosts, {})
    const contact = hosts.find(({ purpose }) => purpose === 'transaction-service')
    expect(contact).toMatchObject({ host, by: 'server', lastAt: expect.any(String) })
    // Here nobody names another one.
    await expect(call(asAlice, readOtherService, place)).rejects.toMatchObject({
      ...{ code: 'OTHER_SERVICE_FAILED', data: { reason: 'none' } },
    })
  } finally {
    await other.stop()
  }
})

test('a service that fails, sends elsewhere, hangs up or answers without end is told by its host', async () => {
  const asked: string[] = []
  let answer: 'status' | 'redirect' | 'end' | 'flood' = 'status'
  const hostile = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (answer === 'end') return void request.socket.destroy()
    if (answer === 'status') return void response.writeHead(403).end('<html>')
    if (answer === 'redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    const write = () => {
      while (response.write('x'.repeat(100_000)));
    }
    response
      .writeHead(200)
      .on('drain', write)
      .on('error', () => {})
    write()
  })
  await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
  const { port } = hostile.address() as { port: number }
  const bringFrom = { url: `http://127.0.0.1:${port}/api` }
  const here = await startTestServer({ chains: [{ ...devnetChain(devnet.rpcUrl), bringFrom }], hasRateLimits: false })
  try {
    const safeAddress = await addedSafe()
    const owner = await signInAs(here, alice)
    await call(owner, addSafe, { chainId, address: safeAddress })
    const read = () => call(owner, readOtherService, { chainId, safeAddress })
    const host = `127.0.0.1:${port}`
    for (const [how, data] of [
      ['status', { reason: 'status', host, status: 403 }],
      ['redirect', { reason: 'status', host, status: 302 }],
      ['end', { reason: 'unreachable', host }],
      ['flood', { reason: 'unreachable', host }],
    ] as const) {
      answer = how
      await expect(read(), how).rejects.toMatchObject({ code: 'OTHER_SERVICE_FAILED', data })
    }
    expect(
      asked.every((url) => url.startsWith(`/api/v2/safes/${safeAddress}/multisig-transactions/?executed=false`)),
    ).toBe(true)
  } finally {
    await here.stop()
    hostile.closeAllConnections()
    hostile.close()
  }
})

test('a service that does not answer holds up nobody who asks for something else', async () => {
  const asked: unknown[] = []
  const silent = createServer((request) => void asked.push(request.url))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  const bringFrom = { url: `http://127.0.0.1:${port}` }
  const here = await startTestServer({ chains: [{ ...devnetChain(devnet.rpcUrl), bringFrom }], hasRateLimits: false })
  const waiting: Promise<unknown>[] = []
  try {
    const safeAddress = await addedSafe()
    const owners = await Promise.all([alice, bob].map((account) => signInAs(here, account)))
    for (const owner of owners) {
      await call(owner, addSafe, { chainId, address: safeAddress })
      for (let at = 0; at < 40; at += 1)
        waiting.push(call(owner, readOtherService, { chainId, safeAddress }).catch((error: unknown) => error))
    }
    await eventually(async () => asked.length === 4)
    for (const owner of owners)
      for (let at = 0; at < 20; at += 1) {
        await call(owner, getSafe, { chainId, safeAddress })
        await call(owner, callNode, { chainId, body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] } })
      }
    // Two of each account are asked for at a time, beside the lanes of reads and of nodes.
    expect(asked).toHaveLength(4)
  } finally {
    silent.closeAllConnections()
    silent.close()
    const end = here.stop()
    await Promise.all(waiting)
    await end
  }
})
