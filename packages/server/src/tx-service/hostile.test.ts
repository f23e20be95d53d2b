import { addSafe, call, proposeTransaction } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { encodeMultiSend } from '@countersign/safe/calls'
import { deleteRequestTypedData, serviceHour } from '@countersign/safe/service'
import { type Address, getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { delegate, safeMessage } from '../db/team-schema.ts'
import { usualAdmission } from '../http/admission.ts'
import { asAlice, devnet, openScene, server } from '../test/scene.ts'
import { devnetChain, newSafe, signedTx, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'

/* Requests of programs that mean harm, or mean nothing. */

const [alice, bob, carol, dave] = demoAccounts
const chainId = 31337
const unknown = getAddress('0x5afe000000000000000000000000000000005afe')

let open: TestServer
let byAlice: TxClient
let byDave: TxClient
let anybody: TxClient
let safeAddress: Address
let queued: { safeTxHash: Hex; signature: Hex }

openScene([alice], () => ({ hasRateLimits: false }))

beforeAll(async () => {
  const chain = devnetChain(devnet.rpcUrl)
  byAlice = await newTxClient(server, asAlice)
  byDave = await newTxClient(server, await signInAs(server, dave))
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const proposal = await signedTx(safeAddress, alice, { nonce: 3n })
  await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal, origin: '{"note":"a secret"}' })
  queued = proposal
  open = await startTestServer({
    chains: [{ ...chain, txService: { publicReads: true } }],
    databaseUrl: server.databaseUrl,
    hasRateLimits: false,
  })
  anybody = await newTxClient(open, null)
})

afterAll(async () => {
  await open?.stop()
})

const lists = [
  ...['v1', 'v2'].flatMap((version) => [
    `/${version}/safes/S/multisig-transactions/`,
    `/${version}/safes/S/all-transactions/`,
  ]),
  ...['transfers', 'incoming-transfers', 'module-transactions', 'messages', 'export'].map(
    (path) => `/v1/safes/S/${path}/`,
  ),
  '/v2/safes/S/balances/',
  '/v2/safes/S/collectibles/',
  '/v1/tokens/',
  '/v1/tokens/lists/',
  '/v1/contracts/',
  `/v2/owners/${alice.address}/safes/`,
  `/v2/modules/${alice.address}/safes/`,
  `/v2/delegates/?delegator=${alice.address}`,
]
const at = (path: string) => path.replace('/S/', `/${safeAddress}/`)

describe('lists', () => {
  test('behavior: any limit and offset is a page, and a far one is empty', async () => {
    for (const path of lists) {
      const ask = (query: string) => byAlice.ask(`${at(path)}${path.includes('?') ? '&' : '?'}${query}`)
      const usual = (await ask('')).body
      expect(usual).toMatchObject({ count: expect.any(Number), previous: null, results: expect.any(Array) })
      for (const query of [
        'limit=0',
        'limit=-1',
        'limit=x',
        'limit=1e3',
        'limit=',
        'limit=99999999999999999999',
        'limit=1&limit=7',
        'offset=-1',
        'offset=x',
        'offset=0x1',
        'offset=NaN',
        'offset=',
        'offset=1.5',
      ]) {
        const { status, body } = await ask(query)
        expect([path, query, status, body.count]).toEqual([path, query, 200, usual.count])
      }
      for (const offset of ['999999999', '99999999999999999999', String(Number.MAX_SAFE_INTEGER)]) {
        const { status, body } = await ask(`offset=${offset}`)
        expect([path, status]).toEqual([path, 200])
        // The coin stands before the tokens, on the first page alone.
        expect(body).toMatchObject({ count: usual.count, next: null, results: [] })
      }
    }
  })

  test('behavior: an order that is none is the usual one; of all transactions it is refused', async () => {
    for (const ordering of [
      '',
      '-',
      'nonce;drop table safe',
      '__proto__',
      'constructor',
      '-toString',
      '%00',
      'NONCE',
    ]) {
      for (const path of lists.filter((listed) => !listed.includes('all-transactions'))) {
        const sign = path.includes('?') ? '&' : '?'
        const { status } = await byAlice.ask(`${at(path)}${sign}ordering=${ordering}`)
        expect([path, ordering, status]).toEqual([path, ordering, 200])
      }
    }
    for (const ordering of ['nonce', '__proto__', 'timestamp,-timestamp'])
      expect(await byAlice.ask(at(`/v2/safes/S/all-transactions/?ordering=${ordering}`))).toMatchObject({
        status: 400,
        body: {
          code: 1,
          message: "Ordering field is not valid, only f['timestamp', '-timestamp'] are allowed",
          arguments: [ordering],
        },
      })
  })

  test('error: filters that are none, 400 each by its name', async () => {
    const date = ['Enter a valid date/time.']
    const number = ['Enter a number.']
    const list = '/v2/safes/S/multisig-transactions/'
    for (const [path, query, said] of [
      [list, 'nonce=1e999', { nonce: number }],
      [list, 'nonce=-', { nonce: number }],
      [list, `value=${'9'.repeat(80)}`, { value: number }],
      [list, 'to=hello', { to: ['Enter a valid checksummed Ethereum Address.'] }],
      [
        list,
        `transaction_hash=0x${'a'.repeat(61)}`,
        { transactionHash: [expect.stringMatching('should be 32 bytes.$')] },
      ],
      [list, 'execution_date__gte=yesterday', { executionDate_Gte: date }],
      [list, 'modified__lt=2020-13-45', { modified_Lt: date }],
      ['/v1/safes/S/transfers/', '_from=0x0', { From: expect.any(Array) }],
      ['/v1/safes/S/transfers/', 'block_number__gt=a', { blockNumber_Gt: number }],
      ['/v1/safes/S/export/', 'execution_date__gte=never', { executionDate_Gte: expect.any(Array) }],
      ['/v1/tokens/', 'decimals=x', { decimals: number }],
    ] as const)
      expect(await byAlice.ask(at(`${path}?${query}`))).toMatchObject({ status: 400, body: said })
    for (const far of ['0001-01-01', '9999-12-31T23:59:59.999999Z'])
      expect((await byAlice.ask(at(`${list}?submission_date__gte=${far}`))).status).toBe(200)
    // As UTC they lie in the years 0 and 10000.
    for (const further of ['0000-01-01', '0001-01-01T00:00:00%2B02:00', '9999-12-31T23:00:00-02:00'])
      expect(await byAlice.ask(at(`${list}?modified__gt=${further}`))).toMatchObject({
        status: 400,
        body: { modified_Gt: date },
      })
  })
})

describe('addresses and chains', () => {
  const lower = unknown.toLowerCase()
  const mixed = `0x5AFE${unknown.slice(6)}`

  test('error: 422 with the address as it came, wherever one stands in the path', async () => {
    for (const address of [lower, mixed, '0x12', 'hello', unknown.slice(2), `${unknown}00`]) {
      const said = { code: 1, message: 'Checksum address validation failed', arguments: [address] }
      for (const path of [
        '',
        'creation/',
        'balances/',
        'multisig-transactions/',
        'all-transactions/',
        'transfers/',
        'messages/',
        'export/',
        'incoming-transfers/',
        'module-transactions/',
      ])
        expect(await byAlice.ask(`/v1/safes/${address}/${path}`)).toMatchObject({ status: 422, body: said })
      for (const path of [`/v1/owners/${address}/safes/`, `/v2/modules/${address}/safes/`, `/v1/contracts/${address}/`])
        expect(await byAlice.ask(path)).toMatchObject({ status: 422, body: said })
      expect(await byAlice.post(`/v1/safes/${address}/multisig-transactions/estimations/`, {})).toMatchObject({
        status: 422,
        body: said,
      })
      expect(await byAlice.post(`/v2/safes/${address}/multisig-transactions/`, {})).toMatchObject({
        status: 422,
        body: said,
      })
      expect(await byAlice.post(`/v1/safes/${address}/messages/`, {})).toMatchObject({ status: 422, body: said })
      expect(await byAlice.post(`/v2/delegates/${address}/`, {}, 'DELETE')).toMatchObject({ status: 422, body: said })
      expect(await byAlice.ask(`/v1/tokens/${address}/`)).toMatchObject({
        status: 422,
        body: { ...said, message: 'Invalid ethereum address' },
      })
    }
  })

  test('error: a chain that is none is 404, with a token or without', async () => {
    for (const chain of ['1', '0', '-1', '031337', '31337.0', '0x7a69', '99999999999999999999', 'gor'])
      for (const authorization of ['', `Bearer csn_${'A'.repeat(43)}`]) {
        const headers = { authorization }
        const response = await fetch(`${server.origin}/tx-service/${chain}/api/v1/about/`, { headers })
        expect([chain, response.status, await response.json()]).toEqual([chain, 404, { detail: 'Not found.' }])
      }
  })

  test('error: odd escapes and paths are no failure of the server', async () => {
    for (const path of [
      '/v1/safes/%00/',
      '/v1/safes/%ff/',
      '/v1/safes/..%2f..%2fabout/',
      '/v1/transfer/i%27/',
      '//v1/about/',
    ])
      expect((await byAlice.ask(path)).status).toBeLessThan(500)
  })
})

describe("somebody else's", () => {
  test('error: what a token may not see is answered like what is not there', async () => {
    const ask = async (client: TxClient, path: string) => {
      const { status, body } = await client.ask(path)
      return [status, body]
    }
    for (const path of ['', 'creation/', 'balances/', 'export/'])
      expect(await ask(byDave, `/v1/safes/${safeAddress}/${path}`)).toEqual(
        await ask(byDave, `/v1/safes/${unknown}/${path}`),
      )
    const none: Hex = `0x${'ab'.repeat(32)}`
    for (const path of [
      '/v2/multisig-transactions/H/',
      '/v1/multisig-transactions/H/confirmations/',
      '/v1/messages/H/',
    ]) {
      const [his, other] = [path.replace('H', queued.safeTxHash), path.replace('H', none)]
      expect(JSON.stringify(await ask(byDave, his)).replaceAll(queued.safeTxHash, none)).toBe(
        JSON.stringify(await ask(byDave, other)),
      )
    }
    const { signature } = await signedTx(safeAddress, dave, { nonce: 3n })
    expect(
      await byDave.post(`/v1/multisig-transactions/${queued.safeTxHash}/confirmations/`, { signature }),
    ).toMatchObject({
      status: 404,
      body: { detail: `Multisig transaction with safe-tx-hash=${queued.safeTxHash} was not found` },
    })
    const deletion = deleteRequestTypedData({
      chainId,
      safeAddress,
      safeTxHash: queued.safeTxHash,
      totp: serviceHour(Date.now() / 1000),
    })
    const ofDave = await privateKeyToAccount(dave.privateKey).signTypedData(deletion)
    expect(
      await byDave.post(`/v2/multisig-transactions/${queued.safeTxHash}/`, { signature: ofDave }, 'DELETE'),
    ).toMatchObject({ status: 404, body: { detail: 'Multisig transaction not found' } })
    expect((await byDave.post(`/v1/safes/${safeAddress}/multisig-transactions/estimations/`, {})).status).toBe(404)
  })

  test('error: where reading is public, nothing that was only said here is told, whatever is asked', async () => {
    const at2026 = new Date()
    await server.db.insert(safeMessage).values({
      chainId,
      safeAddress,
      safeMessageHash: queued.safeTxHash,
      content: '"a secret"',
      proposer: alice.address,
      submissionDate: at2026,
      modifiedDate: at2026,
    })
    await server.db.insert(delegate).values({
      chainId,
      safeAddress,
      delegate: carol.address,
      delegator: alice.address,
      label: 'a secret',
      createdAt: at2026,
    })
    const hash = queued.safeTxHash
    for (const path of [
      ...lists.map(at),
      ...['trusted=false', 'executed=false', 'has_confirmations=true', `safe_tx_hash=${hash}`].map((query) =>
        at(`/v2/safes/S/multisig-transactions/?${query}`),
      ),
      `/v2/multisig-transactions/${hash}/`,
      `/v1/multisig-transactions/${hash}/confirmations/`,
      `/v1/messages/${hash}/`,
      `/v2/delegates/?safe=${safeAddress}`,
      `/v1/delegates/?delegate=${carol.address}`,
      at('/v1/safes/S/'),
      at('/v1/safes/S/creation/'),
      at('/v1/safes/S/export/'),
    ]) {
      const text = JSON.stringify((await anybody.ask(path)).body)
      for (const secret of ['a secret', hash, queued.signature].filter((hidden) => !path.includes(hidden)))
        expect([path, text.includes(secret)]).toEqual([path, false])
    }
    for (const [path, method] of [
      [at('/v2/safes/S/multisig-transactions/'), 'POST'],
      [`/v1/multisig-transactions/${hash}/confirmations/`, 'POST'],
      [`/v2/multisig-transactions/${hash}/`, 'DELETE'],
      [at('/v1/safes/S/messages/'), 'POST'],
      [`/v1/messages/${hash}/signatures/`, 'POST'],
      ['/v2/delegates/', 'POST'],
      [`/v2/delegates/${carol.address}/`, 'DELETE'],
      ['/v1/delegates/', 'POST'],
      [at(`/v1/safes/S/delegates/${carol.address}/`), 'DELETE'],
    ] as const)
      expect(await anybody.post(path, {}, method)).toMatchObject({
        status: 401,
        body: { detail: 'Authentication credentials were not provided.' },
      })
  })
})

describe('bodies', () => {
  const writes = [
    ['/v2/safes/S/multisig-transactions/', 'POST'],
    ['/v1/safes/S/messages/', 'POST'],
    ['/v2/delegates/', 'POST'],
    [`/v2/delegates/${carol.address}`, 'DELETE'],
    [`/v1/multisig-transactions/0x${'ab'.repeat(32)}/confirmations/`, 'POST'],
    ['/v1/data-decoder/', 'POST'],
  ] as const
  const send = (path: string, method: string, body: string, type = 'application/json') =>
    byAlice.ask(at(path), { method, body, headers: { 'content-type': type } })

  test('error: 10 MB, nested a hundred thousand deep, of another type, none', async () => {
    for (const [path, method] of writes) {
      expect(await send(path, method, `{"data":"0x${'ab'.repeat(5_000_000)}"}`)).toMatchObject({
        status: 413,
        body: { detail: expect.any(String) },
      })
      expect(await send(path, method, `{"message":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching('^JSON parse error') },
      })
      expect(await send(path, method, '{}', 'text/plain')).toMatchObject({
        status: 415,
        body: { detail: 'Unsupported media type "text/plain" in request.' },
      })
      for (const body of ['{', 'nul', '{"a":1,}', '\u0000', '{"a":"\\u0000"}'])
        expect(await send(path, method, body)).toMatchObject({
          status: 400,
          body: { detail: expect.stringMatching('^JSON parse error') },
        })
      for (const body of ['[]', '7', '"a"', 'true', 'null'])
        expect(await send(path, method, body)).toMatchObject({
          status: 400,
          body: { nonFieldErrors: [expect.any(String)] },
        })
      for (const body of ['{}', '{"__proto__":{"to":1},"constructor":1}'])
        expect([400, 422]).toContain((await send(path, method, body)).status)
    }
  })

  test('behavior: accepts calldata of the maximum length of a transaction, and not one byte more', async () => {
    for (const [bytes, status] of [
      [131_072, 201],
      [131_073, 422],
    ] as const) {
      const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, alice, {
        nonce: 40n,
        data: `0x8d80ff0a${'ab'.repeat(bytes - 4)}`,
      })
      const texts = Object.entries(safeTx).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? `${value}` : value,
      ])
      const body = {
        ...Object.fromEntries(texts),
        contractTransactionHash: safeTxHash,
        sender: alice.address,
        signature,
      }
      const answer = await byAlice.post(at('/v2/safes/S/multisig-transactions/'), body)
      expect([bytes, answer.status]).toEqual([bytes, status])
      if (status === 422) expect(Object.keys(answer.body)).toEqual(['data'])
      else expect((await byAlice.ask(`/v2/multisig-transactions/${safeTxHash}/`)).body.data).toBe(safeTx.data)
    }
  })

  test('error: refuses an endless string of quotation marks, even without a session', async () => {
    const body = `{"a":"${'\\"'.repeat(500_000)}`
    for (const [path, method] of writes) {
      const answer = await send(path, method, body)
      expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringMatching('^JSON parse error') } })
      await anybody.ask(at(path), { method, body, headers: { 'content-type': 'application/json' } })
    }
  })

  test('error: fields of every wrong type are named, and no failure of the server', async () => {
    const names = [
      'to',
      'value',
      'data',
      'operation',
      'nonce',
      'sender',
      'signature',
      'message',
      'safe',
      'delegate',
      'origin',
    ]
    for (const wrong of [
      true,
      [],
      {},
      [[]],
      Number.POSITIVE_INFINITY,
      -0,
      1e21,
      '\ud800',
      ' ',
      '0x',
      'é'.repeat(1_000),
    ])
      for (const [path, method] of writes) {
        const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, wrong])))
        const { status } = await send(path, method, body)
        expect([path, wrong, status < 500 && status >= 400]).toEqual([path, wrong, true])
      }
  })
})

test('behavior: calldata that is decoded is paid for by the length of the answer, with and without a token', async () => {
  const { rates } = usualAdmission
  const small = await startTestServer({
    chains: [{ ...devnetChain(devnet.rpcUrl), txService: { publicReads: true } }],
    databaseUrl: server.databaseUrl,
    admission: { ...usualAdmission, rates: { ...rates, answers: { burst: 100_000, perSecond: 1_000 } } },
  })
  const data = encodeMultiSend(Array.from({ length: 300 }, () => ({ to: bob.address, value: 1n, data: '0x' as const })))
  for (const client of [await newTxClient(small, await signInAs(small, dave)), await newTxClient(small, null)]) {
    const decode = async () => (await client.post('/v1/data-decoder/', { data })).status
    const statuses = [await decode(), await decode(), await decode(), await decode()]
    // The second answer is expected to be as long as the first one.
    expect(statuses).toEqual([200, 429, 429, 429])
  }
  await small.stop()
})

test('behavior: where the node is, with its key, stands in no answer and in no line of the log', async () => {
  const secret = 'k3y-of-the-n0de'
  const away = await startTestServer({
    chains: [{ ...devnetChain(`http://user:${secret}@127.0.0.1:9/${secret}`), txService: { publicReads: true } }],
    databaseUrl: server.databaseUrl,
    hasRateLimits: false,
  })
  const client = await newTxClient(away, null)
  const paths = [...lists.map(at), ...['', 'creation/', 'balances/'].map((ending) => at(`/v1/safes/S/${ending}`))]
  const about = ['', 'ethereum-rpc/', 'ethereum-tracing-rpc/', 'singletons/', 'indexing/', 'deployments/']
  const answers = await Promise.all(
    [...paths, ...about.map((ending) => `/v1/about/${ending}`)].map(async (path) =>
      JSON.stringify(await client.ask(path)),
    ),
  )
  await away.stop()
  expect(answers.join('\n')).toContain('NodeConnectionException')
  for (const text of [...answers, ...away.logged]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain('127.0.0.1:9')
  }
})
