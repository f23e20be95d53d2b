import { createServer } from 'node:http'
import {
  addSafe,
  call,
  callNode,
  confirmTransaction,
  createApiToken,
  getConfiguration,
  getSafe,
  getTransaction,
  listOutboundHosts,
  listQueue,
  proposeTransaction,
  readOtherService,
} from '@countersign/contract'
import { parseServiceQueue } from '@countersign/safe/service'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  bob,
  chainId,
  devnet,
  openTeam,
  proposed,
  queueOf,
  server,
} from '../test/scene.ts'
import { devnetChain, eventually, signedTx, signInAs, startTestServer } from '../test/test-server.ts'
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
    const { proposals, unusable } = parseServiceQueue(text, { chainId, safeAddress, version: '1.4.1' })
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
  const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 1 })
  // The first nonce is used for something else: what waits there at it waits for ever.
  await proposed(safeAddress, { value: 3n }, bob)
  const { safeTxHash } = await proposed(safeAddress, { value: 1n, nonce: 1n }, bob)
  await actor.execute(safeAddress, { to: bob.address })
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
    const { proposals, unusable } = parseServiceQueue(content, { ...place, version: '1.4.1' })
    expect(unusable).toEqual([])
    expect(proposals.map((proposal) => proposal.safeTxHash)).toEqual([safeTxHash])
    expect(JSON.parse((await call(there, readOtherService, { ...place, page: 2 })).content).results).toEqual([])
    const { host } = new URL(server.origin)
    expect((await call(there, getConfiguration, {})).chains[0]).toMatchObject({ bringFrom: host })
    const { hosts } = await call(there, listOutboundHosts, {})
    const contact = hosts.find(({ purpose }) => purpose === 'transaction-service')
    expect(contact).toMatchObject({ host, by: 'server', lastAt: expect.any(String) })
    // Here nobody names another one.
    await expect(call(asAlice, readOtherService, place)).rejects.toMatchObject({
      code: 'OTHER_SERVICE_FAILED',
      data: { reason: 'none' },
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

test('a service that serves signatures of other hashes, other hashes and pages that loop brings nothing that is not verified', async () => {
  const safeAddress = await addedSafe()
  const place = { chainId, safeAddress }
  const [wanted, another] = [
    await signedTx(safeAddress, alice, { value: 1n, nonce: 0n }),
    await signedTx(safeAddress, bob, { value: 2n, nonce: 1n }),
  ]
  const written = ({ safeTx, safeTxHash }: Pick<typeof wanted, 'safeTx' | 'safeTxHash'>) => ({
    ...Object.fromEntries(Object.entries(safeTx).map(([name, value]) => [name, String(value)])),
    operation: safeTx.operation,
    safe: safeAddress,
    safeTxHash,
    proposer: alice.address,
  })
  const served = [
    // Bob signed the other one.
    {
      ...written(wanted),
      confirmations: [
        { owner: bob.address, signature: another.signature },
        { owner: alice.address, signature: wanted.signature },
      ],
    },
    // Its fields are not those that it names the hash of.
    { ...written({ ...another, safeTxHash: wanted.safeTxHash }), confirmations: [] },
  ]
  const asked: string[] = []
  let results: unknown[] = served
  const lying = createServer((request, response) => {
    asked.push(request.url ?? '')
    const next = `http://${request.headers.host}${request.url}`
    response.writeHead(200).end(JSON.stringify({ count: 100_000, next, previous: next, results }))
  })
  await new Promise<void>((resolve) => lying.listen(0, '127.0.0.1', resolve))
  const { port } = lying.address() as { port: number }
  const bringFrom = { url: `http://127.0.0.1:${port}` }
  const here = await startTestServer({ chains: [{ ...devnetChain(devnet.rpcUrl), bringFrom }], hasRateLimits: false })
  try {
    const owner = await signInAs(here, alice)
    await call(owner, addSafe, { chainId, address: safeAddress })
    const { content } = await call(owner, readOtherService, place)
    const { proposals, unusable } = parseServiceQueue(content, { ...place, version: '1.4.1' })
    expect(unusable).toEqual([{ name: wanted.safeTxHash, reason: 'other-hash', computed: another.safeTxHash }])
    expect(proposals.map(({ safeTxHash, signatures }) => [safeTxHash, signatures.length])).toEqual([
      [wanted.safeTxHash, 2],
    ])
    const [ofBob, ofAlice] = served[0]?.confirmations ?? []
    const { safeTx, safeTxHash } = wanted
    const proposal = { ...place, safeTx, safeTxHash, isImported: true }
    const propose = (sender: Address = alice.address, signature = wanted.signature) =>
      call(owner, proposeTransaction, { ...proposal, sender, signature })
    await expect(propose(ofBob?.owner, ofBob?.signature)).rejects.toMatchObject({ code: 'SIGNATURE_NOT_FROM_OWNER' })
    await propose(ofAlice?.owner, ofAlice?.signature)
    await expect(
      call(owner, confirmTransaction, { chainId, safeTxHash, signature: another.signature, isImported: true }),
    ).rejects.toMatchObject({ code: 'SIGNATURE_NOT_FROM_OWNER' })
    const { transactions } = await call(owner, listQueue, place)
    expect(transactions.map((of) => [of.safeTxHash, of.confirmations.map((one) => one.owner)])).toEqual([
      [safeTxHash, [alice.address]],
    ])
    // Each page is asked for by its number, whatever the service says of the next, and none behind the last.
    for (const page of [2, 200]) await call(owner, readOtherService, { ...place, page })
    await expect(call(owner, readOtherService, { ...place, page: 201 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect(asked.map((url) => new URL(url, bringFrom.url).searchParams.get('offset'))).toEqual(['0', '100', '19900'])
    results = Array.from({ length: 100_000 }, () => served[1])
    await expect(call(owner, readOtherService, place)).rejects.toMatchObject({
      code: 'OTHER_SERVICE_FAILED',
      data: { reason: 'unreachable' },
    })
  } finally {
    await here.stop()
    lying.closeAllConnections()
    lying.close()
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
