import {
  call,
  confirmTransaction,
  deleteTransaction,
  getTransaction,
  listActivity,
  listHistory,
  listMessages,
  listQueue,
  listTokens,
  proposeTransaction,
} from '@countersign/contract'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { multisigTransaction } from '../../db/schema.ts'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  chainId,
  found,
  openTeam,
  proposed,
  queueOf,
  server,
  stranger,
  verbsOf,
} from '../../test/scene.ts'
import { codeOf, devnetChain, eventually, signedTx, signInAs, startTestServer } from '../../test/test-server.ts'

openTeam()

async function post(path: string, body: string): Promise<{ status: number; problem: Record<string, unknown> }> {
  const response = await asAlice.fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { origin: server.origin, 'content-type': 'application/json' },
    body,
  })
  const problem: Record<string, unknown> = JSON.parse(await response.text())
  return { status: response.status, problem }
}

describe('a proposal that cannot be read', () => {
  test('error: INVALID_REQUEST names the field; nothing is kept', async () => {
    const safeAddress = await addedSafe()
    const { safeTx, ...rest } = await signedTx(safeAddress, alice)
    const wire = { ...safeTx, value: '0', safeTxGas: '0', baseGas: '0', gasPrice: '0', nonce: '0' }
    const path = `/api/chains/${chainId}/safes/${safeAddress}/transactions`
    const attempt = (changes: object, outside: object = {}) =>
      post(path, JSON.stringify({ ...rest, safeTx: { ...wire, ...changes }, ...outside }))
    const wrong: [object, object, string][] = [
      [{ to: wire.to.replace('A', 'a') }, {}, 'safeTx.to'],
      [{ to: '0x12' }, {}, 'safeTx.to'],
      [{ value: 0 }, {}, 'safeTx.value'],
      [{ value: '-1' }, {}, 'safeTx.value'],
      [{ value: '1e3' }, {}, 'safeTx.value'],
      [{ value: (2n ** 256n).toString() }, {}, 'safeTx.value'],
      [{ operation: 2 }, {}, 'safeTx.operation'],
      [{ operation: '0' }, {}, 'safeTx.operation'],
      [{ data: '0x123' }, {}, 'safeTx.data'],
      [{ nonce: null }, {}, 'safeTx.nonce'],
      [{}, { safeTxHash: '0x12' }, 'safeTxHash'],
      [{}, { signature: 'signed' }, 'signature'],
      [{}, { sender: [] }, 'sender'],
      [{}, { origin: 'x'.repeat(201) }, 'origin'],
    ]
    for (const [changes, outside, field] of wrong) {
      const { status, problem } = await attempt(changes, outside)
      expect([field, status, problem.code]).toEqual([field, 400, 'INVALID_REQUEST'])
      expect(problem.data).toMatchObject({ errors: [{ path: field }] })
    }
    for (const body of ['', '{', '[]', '"', 'null', '{"safeTx":'.repeat(60), `{"a":"\\u0000"}`])
      expect((await post(path, body)).problem.code).toBe('INVALID_REQUEST')
    const deep = await post(path, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
    expect([deep.status, deep.problem.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(deep.problem.detail).toContain('64')
    expect(await queueOf(safeAddress)).toEqual([])
    expect((await attempt({})).status).toBe(200)
  })

  test('error: INVALID_REQUEST for U+0000 in every path parameter and query', async () => {
    const safeAddress = await addedSafe()
    const place = `/api/chains/${chainId}/safes/${safeAddress}`
    for (const path of [
      '/webhooks/%00/deliveries',
      '/webhooks/a%00b/deliveries',
      '/queue?cursor=%00',
      '/history?cursor=a%00',
      '/messages?limit=%00',
      '/activity?cursor=%00',
      '/notes/%00',
      '/balances?token=%00',
      '/review-lists?lists=%00',
    ]) {
      const { status } = await asAlice.fetch(`${server.origin}${place}${path}`)
      expect([path, status === 400 || status === 404]).toEqual([path, true])
    }
  })

  test('error: REQUEST_TOO_LARGE for ten megabytes', async () => {
    const safeAddress = await addedSafe()
    const path = `/api/chains/${chainId}/safes/${safeAddress}/transactions`
    const { status, problem } = await post(path, JSON.stringify({ data: 'a'.repeat(10_000_000) }))
    expect([status, problem.code]).toEqual([413, 'REQUEST_TOO_LARGE'])
  })
})

describe('the node is away', () => {
  test('error: CHAIN_UNREACHABLE, and nothing is written', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const bobs = await signedTx(safeAddress, bob)
    const next = await signedTx(safeAddress, bob, { nonce: 1n })
    const without = await startTestServer({
      chains: [devnetChain('http://127.0.0.1:9')],
      databaseUrl: server.databaseUrl,
    })
    try {
      const [browser, asOther] = [await signInAs(without, bob), await signInAs(without, alice)]
      const asNobody = await signInAs(without, stranger)
      const { signature } = bobs
      expect(await codeOf(call(browser, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
        'CHAIN_UNREACHABLE',
      )
      // Nor does the silence of the node tell a stranger that it is there.
      for (const hash of [safeTxHash, next.safeTxHash])
        expect(await codeOf(call(asNobody, confirmTransaction, { chainId, safeTxHash: hash, signature }))).toBe(
          'TRANSACTION_NOT_FOUND',
        )
      expect(await codeOf(call(browser, proposeTransaction, { chainId, safeAddress, ...next }))).toBe(
        'CHAIN_UNREACHABLE',
      )
      expect(await codeOf(call(asOther, deleteTransaction, { chainId, safeTxHash }))).toBe('CHAIN_UNREACHABLE')
      expect((await call(browser, getTransaction, { chainId, safeTxHash })).transaction.confirmations).toHaveLength(1)
    } finally {
      await without.stop()
    }
    expect(await queueOf(safeAddress)).toHaveLength(1)
    expect(await verbsOf(safeAddress)).toEqual(['proposed', 'added-safe'])
  })
})

describe('a cursor', () => {
  test('error: INVALID_REQUEST for one that no page ended with', async () => {
    const safeAddress = await addedSafe()
    const place = { chainId, safeAddress }
    const asked: [string, (cursor: string) => Promise<unknown>, string][] = [
      ['queue', (cursor) => call(asAlice, listQueue, { ...place, cursor }), '0|DATE|HASH'],
      ['messages', (cursor) => call(asAlice, listMessages, { ...place, cursor }), 'DATE|HASH'],
      ['activity', (cursor) => call(asAlice, listActivity, { ...place, cursor }), '-1'],
      ['history', (cursor) => call(asAlice, listHistory, { ...place, cursor }), '1|1|9999999999'],
      ['tokens', (cursor) => call(asAlice, listTokens, { ...place, cursor }), '1|1|x'],
    ]
    const dates = ['2024-13-45T99:99:99.999Z', '0000-01-01T00:00:00.000Z', '2023-02-29T00:00:00.000Z']
    for (const [list, ask, form] of asked)
      for (const date of dates) {
        const cursor = Buffer.from(form.replace('DATE', date).replace('HASH', '0'.repeat(64))).toString('base64url')
        expect([list, date, await codeOf(ask(cursor))]).toEqual([list, date, 'INVALID_REQUEST'])
      }
    const good = Buffer.from(`0|2024-02-29T00:00:00.000Z|${'0'.repeat(64)}`).toString('base64url')
    expect(await codeOf(call(asAlice, listQueue, { ...place, cursor: good }))).toBe('no error')
    const since = '0000-01-01T00:00:00Z'
    expect(await codeOf(call(asAlice, listHistory, { ...place, since }))).toBe('INVALID_REQUEST')
  })
})

describe('ETag', () => {
  test('default: who has the answer already gets none', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const url = `${server.origin}/api/chains/${chainId}/transactions/${safeTxHash}`
    const ask = (tag?: string) => asAlice.fetch(url, tag ? { headers: { 'if-none-match': tag } } : {})
    const first = await ask()
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, '*']) {
      const again = await ask(known)
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
    }
    const { signature } = await signedTx(safeAddress, bob)
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
    const changed = await ask(tag)
    expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false])
    // Nobody else's, and no store's between: whoever knows the tag is asked who they are all the same.
    const now = changed.headers.get('etag') ?? ''
    const others = await asStranger.fetch(url, { headers: { 'if-none-match': now } })
    expect([others.status, others.headers.get('etag')]).toEqual([404, null])
    for (const answer of [first, await ask(now), changed, others])
      expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('an execution', () => {
  test('default: what it cost and carried is kept, and goes with its block', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash, signature } = await proposed(safeAddress, { to: bob.address })
    const snapshot = await actor.rpc('evm_snapshot')
    const { transactionHash } = await actor.execute(safeAddress, { to: bob.address })
    const done = await eventually(async () => {
      const transaction = await found(safeTxHash)
      return transaction.isExecuted && transaction
    })
    const receipt = await actor.rpc('eth_getTransactionReceipt', transactionHash)
    if (typeof receipt !== 'object' || receipt === null) throw new Error('unreachable')
    const { gasUsed, effectiveGasPrice }: Record<string, string> = { ...receipt }
    expect(done.gasUsed).toBe(BigInt(gasUsed ?? 0))
    expect(done.fee).toBe(BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0))
    const signaturesOf = async () =>
      (await server.db.select().from(multisigTransaction).where(eq(multisigTransaction.safeTxHash, safeTxHash)))[0]
        ?.signatures
    expect(await signaturesOf()).toBe(signature)
    await actor.revert(snapshot)
    await actor.rpc('anvil_mine', '0x5')
    const open = await eventually(async () => {
      const transaction = await found(safeTxHash)
      return !transaction.isExecuted && transaction
    })
    expect([open.gasUsed, open.fee, await signaturesOf()]).toEqual([null, null, null])
  })
})
