import { addAbi, addSafe, call, confirmTransaction, proposeTransaction } from '@countersign/contract'
import { demoAccounts, deployOldSafe } from '@countersign/devnet'
import { encodeSignatures } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, getAddress, type Hex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiToken, delegate, safeMessage, viewer } from '../../db/team-schema.ts'
import { hashToken } from '../../http/random-token.ts'
import { createActor } from '../../test/safe-actor.ts'
import { asAlice, asBob, devnet, openScene, server } from '../../test/scene.ts'
import {
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'
import { newTxClient, type TxClient } from '../../test/tx-client.ts'
import { storeWarrant } from '../../warrants/store.ts'
import { wireSchemas } from './answer-schemas.ts'

const [alice, bob, carol, dave, erin] = demoAccounts
const chainId = 31337

let open: TestServer
let safeAddress: Address
let executed: Hex
let queued: Hex
/** An owner; somebody who added the Safe; a delegate; a viewer; somebody with nothing to do with it; nobody. */
let clients: Record<'owner' | 'listed' | 'delegate' | 'viewer' | 'stranger' | 'nobody', TxClient>
let anybody: TxClient

openScene([alice, bob])

beforeAll(async () => {
  const chain = devnetChain(devnet.rpcUrl)
  const asDave = await signInAs(server, dave)
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  for (const browser of [asAlice, asDave]) await call(browser, addSafe, { chainId, address: safeAddress })
  const paid = await signedTx(safeAddress, alice, { nonce: 0n, to: carol.address })
  const { signature } = await signedTx(safeAddress, bob, { nonce: 0n, to: carol.address })
  await call(asAlice, proposeTransaction, { chainId, safeAddress, ...paid, origin: '{"note":"rent"}' })
  await call(asBob, confirmTransaction, { chainId, safeTxHash: paid.safeTxHash, signature })
  const waiting = await signedTx(safeAddress, alice, { nonce: 1n, to: carol.address })
  await call(asAlice, proposeTransaction, { chainId, safeAddress, ...waiting })
  ;[executed, queued] = [paid.safeTxHash, waiting.safeTxHash]
  const signatures = [
    { owner: alice.address, signature: paid.signature },
    { owner: bob.address, signature },
  ]
  const data = encodeExecTransaction(paid.safeTx, encodeSignatures(signatures))
  await createActor(devnet.rpcUrl).send({ to: safeAddress, data })

  const createdAt = new Date()
  const team = { chainId, safeAddress, label: 'one', createdAt }
  await server.db.insert(delegate).values({ ...team, delegate: carol.address, delegator: alice.address })
  await server.db.insert(viewer).values({ ...team, account: erin.address, invitedBy: alice.address })
  await server.db.insert(safeMessage).values({
    chainId,
    safeAddress,
    safeMessageHash: `0x${'ab'.repeat(32)}`,
    content: '"hello"',
    proposer: alice.address,
    submissionDate: createdAt,
    modifiedDate: createdAt,
  })
  clients = {
    owner: await newTxClient(server, asAlice),
    listed: await newTxClient(server, asDave),
    delegate: await newTxClient(server, await signInAs(server, carol)),
    viewer: await newTxClient(server, await signInAs(server, erin)),
    stranger: await newTxClient(server, await signInAs(server, demoAccounts[5])),
    nobody: await newTxClient(server, null),
  }
  open = await startTestServer({
    chains: [{ ...chain, txService: { publicReads: true } }],
    databaseUrl: server.databaseUrl,
  })
  anybody = await newTxClient(open, null)
  await eventually(async () => (await clients.owner.kit.getTransaction(executed)).isExecuted)
})

afterAll(async () => {
  await open?.stop()
})

const list = () => `/v2/safes/${safeAddress}/multisig-transactions/`

test('behavior: members of a team see its ABIs, their own before those of others', async () => {
  const contract = getAddress('0x5afe000000000000000000000000000000005afe')
  const abiOf = (name: string) => JSON.stringify([{ type: 'function', name, inputs: [], outputs: [] }])
  await call(asAlice, addAbi, { chainId, safeAddress, contract, name: 'Of Alice', abi: abiOf('mine') })
  await call(asBob, addAbi, { chainId, safeAddress, contract, name: 'Of Bob', abi: `{"abi":${abiOf('his')}}` })
  const found: Record<string, unknown> = {}
  for (const [who, client] of Object.entries({ ...clients, bob: await newTxClient(server, asBob), anybody })) {
    const one = await client.ask(`/v1/contracts/${contract}/`)
    const list = await client.ask('/v1/contracts/?limit=200')
    if (list.status === 200) wireSchemas.Contracts.parse(list.body)
    const listed = (list.body.results ?? []).find(({ address }: { address: string }) => address === contract)
    // The list says of it the same as it says alone.
    if (one.status === 200) expect(listed).toEqual(one.body)
    else expect([who, listed]).toEqual([who, undefined])
    found[who] = one.status === 200 ? [one.body.name, one.body.contractAbi.abi[0].name] : one.status
  }
  expect(found).toEqual({
    owner: ['Of Alice', 'mine'],
    bob: ['Of Bob', 'his'],
    listed: 404,
    stranger: 404,
    nobody: 401,
    anybody: 404,
    delegate: ['Of Bob', 'his'],
    viewer: ['Of Bob', 'his'],
  })
  expect((await clients.owner.ask(`/v1/contracts/${contract}/`)).body).toEqual({
    address: contract,
    name: 'Of Alice',
    displayName: 'Of Alice',
    logoUri: null,
    trustedForDelegateCall: false,
    contractAbi: { abi: JSON.parse(abiOf('mine')), description: 'Of Alice', relevance: 100 },
  })
})

describe('who sees what', () => {
  test('default: the team sees all of it', async () => {
    for (const client of [clients.owner, clients.delegate, clients.viewer]) {
      const { body } = await client.ask(list())
      expect(body).toMatchObject({ count: 2, countUniqueNonce: 2 })
      expect(body.results.map(({ safeTxHash }: { safeTxHash: Hex }) => safeTxHash)).toEqual([queued, executed])
      const transaction = (await client.ask(`/v2/multisig-transactions/${executed}/`)).body
      expect(transaction).toMatchObject({ proposer: alice.address, origin: '{"note": "rent"}', isExecuted: true })
      expect(transaction.confirmations).toHaveLength(2)
      expect((await client.ask(`/v1/safes/${safeAddress}/messages/`)).body.count).toBe(1)
      expect((await client.ask(`/v2/delegates/?safe=${safeAddress}`)).body.count).toBe(1)
    }
  })

  test('behavior: who added the Safe, and anybody where reading is public, sees what is on the chain', async () => {
    for (const client of [clients.listed, anybody]) {
      const { body } = await client.ask(list())
      expect(body).toMatchObject({ count: 1, countUniqueNonce: 1 })
      const [transaction] = body.results
      expect(transaction).toMatchObject({
        safeTxHash: executed,
        isExecuted: true,
        to: carol.address,
        nonce: '0',
        proposer: null,
        proposedByDelegate: null,
        origin: '{}',
        confirmations: [],
        submissionDate: transaction.executionDate,
        modified: transaction.executionDate,
        trusted: true,
      })
      expect((await client.ask(`/v2/multisig-transactions/${executed}/`)).body).toEqual(transaction)
      expect(await client.ask(`/v2/multisig-transactions/${queued}/`)).toMatchObject({
        status: 404,
        body: { detail: 'No MultisigTransaction matches the given query.' },
      })
      expect((await client.ask(`/v1/multisig-transactions/${executed}/confirmations/`)).body.count).toBe(0)
      expect((await client.ask(`/v1/safes/${safeAddress}/messages/`)).body.count).toBe(0)
      expect((await client.ask(`/v2/delegates/?safe=${safeAddress}`)).body.count).toBe(0)
      expect((await client.ask(`/v1/safes/${safeAddress}/`)).status).toBe(200)
      const history = await client.ask(`/v2/safes/${safeAddress}/all-transactions/`)
      expect(history.body.results[0]).toMatchObject({ safeTxHash: executed, proposer: null, confirmations: [] })
    }
  })

  test('behavior: a filter tells others nothing that the answer keeps from them', async () => {
    const before = (await anybody.ask(list())).body.results[0].executionDate
    const { body } = await clients.owner.ask(`/v2/multisig-transactions/${executed}/`)
    expect(body.submissionDate).not.toBe(before)
    for (const query of [
      'has_confirmations=true',
      `submission_date__lte=${new Date(Date.parse(before) - 1).toISOString()}`,
      `modified__gt=${new Date(Date.parse(before) + 1).toISOString()}`,
    ])
      expect((await anybody.ask(`${list()}?${query}`)).body.count).toBe(0)
    expect((await anybody.ask(`${list()}?has_confirmations=false&submission_date__lte=${before}`)).body.count).toBe(1)
  })

  test('behavior: for a stranger nothing is there, not even that it is', async () => {
    const { stranger } = clients
    const empty = { status: 200, body: { count: 0, results: [] } }
    expect(await stranger.ask(list())).toMatchObject({ ...empty, body: { ...empty.body, countUniqueNonce: 0 } })
    for (const path of ['all-transactions', 'transfers', 'incoming-transfers', 'module-transactions', 'messages'])
      expect(await stranger.ask(`/v1/safes/${safeAddress}/${path}/`)).toMatchObject(empty)
    for (const path of ['/', '/creation/', '/balances/', '/export/'])
      expect(await stranger.ask(`/v1/safes/${safeAddress}${path}`)).toMatchObject({ status: 404, body: '' })
    expect(await stranger.ask(`/v2/safes/${safeAddress}/collectibles/`)).toMatchObject({ status: 404, body: '' })
    expect((await stranger.ask(`/v2/multisig-transactions/${executed}/`)).status).toBe(404)
    expect((await stranger.ask(`/v1/owners/${alice.address}/safes/`)).body).toEqual({ safes: [] })
    expect((await stranger.ask(`/v2/delegates/?delegator=${alice.address}`)).body.count).toBe(0)
  })

  test('behavior: nobody is told to show a token, whatever is asked', async () => {
    for (const path of [list(), '/v1/about/', `/v1/safes/${safeAddress}/`, '/v1/tokens/', '/v2/delegates/']) {
      const { status, body, headers } = await clients.nobody.ask(path)
      expect([status, body]).toEqual([401, { detail: 'Authentication credentials were not provided.' }])
      expect(headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  test('behavior: a contract account is itself on its own chain alone', async () => {
    const ask = async (proofChainId: number) => {
      const token = `csn_${String(proofChainId).padStart(43, 'A')}`
      const warrantId = await storeWarrant(
        server.db,
        { account: alice.address, chainId: proofChainId, hash: pad('0x1'), signature: '0x', ground: [], signers: [] },
        { now: new Date() },
      )
      await server.db.insert(apiToken).values({
        warrantId,
        tokenHash: hashToken(token),
        id: `token-${proofChainId}`,
        account: alice.address,
        chainId: proofChainId,
        provenBy: 'contract',
        name: 'contract',
        scopes: ['read'],
        createdAt: new Date(),
      })
      return clients.nobody.ask(list(), { headers: { authorization: `Bearer ${token}` } })
    }
    expect((await ask(chainId)).body.count).toBe(2)
    expect((await ask(1)).status).toBe(401)
  })

  test('behavior: an owner who was removed is of the team no more', async () => {
    await server.db.execute(`update safe set owners = owners[2:2], is_stale = false where chain_id = ${chainId}`)
    expect((await clients.delegate.ask(list())).body.count).toBe(0)
    expect((await clients.viewer.ask(list())).body.count).toBe(0)
    // Alice added it, so what is on the chain she sees still.
    expect((await clients.owner.ask(list())).body.count).toBe(1)
  })
})

describe('estimations', () => {
  test('default: before 1.3.0 the Safe itself measures', async () => {
    const old = await deployOldSafe({
      rpcUrl: devnet.rpcUrl,
      version: '1.1.1',
      owners: [alice.address],
      threshold: 1,
      saltNonce: 1n,
    })
    await call(await signInAs(open, alice), addSafe, { chainId, address: old })
    const path = `/v1/safes/${old}/multisig-transactions/estimations/`
    const transaction = { to: carol.address, value: 0, data: null, operation: 0 }
    const { status, body } = await anybody.post(path, transaction)
    expect(status).toBe(200)
    expect(Number(body.safeTxGas)).toBeGreaterThan(10_000)
    expect(Number(body.safeTxGas)).toBeLessThan(60_000)
    expect(await anybody.post(path, { ...transaction, value: '1' })).toMatchObject({
      status: 422,
      body: { code: 30, message: 'Gas estimation failed', arguments: [expect.any(String)] },
    })
    expect(await anybody.post(path, { to: carol.address.toLowerCase(), value: -1 })).toMatchObject({
      status: 400,
      body: {
        to: [`Address ${carol.address.toLowerCase()} is not checksumed`],
        value: ['Ensure this value is greater than or equal to 0.'],
        operation: ['This field is required.'],
      },
    })
  })

  test('error: the node is away', async () => {
    const away = await startTestServer({
      chains: [{ ...devnetChain('http://127.0.0.1:9'), txService: { publicReads: true } }],
      databaseUrl: server.databaseUrl,
    })
    const client = await newTxClient(away, null)
    const said = {
      exception: 'Problem connecting to Ethereum network',
      trace: expect.stringContaining('NodeConnection'),
    }
    for (const path of ['/', '/balances/'])
      expect(await client.ask(`/v1/safes/${safeAddress}${path}`)).toMatchObject({ status: 503, body: said })
    for (const path of ['/v1/about/singletons', '/v1/about/ethereum-rpc/', '/v1/about/indexing/'])
      expect(await client.ask(path)).toMatchObject({ status: 503, body: said })
    expect((await client.ask(list())).body.count).toBe(1)
    await away.stop()
  })
})
