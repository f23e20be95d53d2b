import * as contract from '@countersign/contract'
import { call } from '@countersign/contract'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, concat, type Hex, pad, slice, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRandomInt } from '../../../scripts/testing/random-tests.mjs'
import { confirmation, historyEntry, multisigTransaction } from './db/schema.ts'
import { addressBookEntry, deletedProposal, messageConfirmation, note, safeMessage, teamAbi } from './db/team-schema.ts'
import type { AnyEndpoint } from './http/endpoint.ts'
import { alice, asAlice, bob, carol, devnet, openScene, server } from './test/scene.ts'
import { devnetChain, newSafe, signedTx } from './test/test-server.ts'
import { newTxClient, type TxClient } from './test/tx-client.ts'
import { wireSchemas } from './tx-service/wire/answer-schemas.ts'

/* One unreadable row must not break a list. This tests rows of every kind with every reader. */

const chainId = 31337
const library = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
const to = pad('0x22', { size: 20 })
const MAX_UINT256 = 2n ** 256n - 1n
const word = (value: bigint | number): Hex => pad(toHex(value))
const batch = encodeMultiSend([
  { to, value: 1n, data: '0x1234' },
  { to, value: 0n, data: encodeMultiSend([{ to, value: 2n, data: '0x' }]) },
])
const randomInt = createRandomInt()
const randomBytes = (length: number) => toHex(Uint8Array.from({ length }, () => randomInt(256)))

const calldata: Hex[] = [
  '0x8d80ff0a',
  concat(['0x8d80ff0a', word(32)]),
  concat(['0x8d80ff0a', word(4_096), word(0)]),
  concat(['0x8d80ff0a', word(MAX_UINT256), word(0)]),
  concat(['0x8d80ff0a', word(32), word(MAX_UINT256)]),
  concat(['0x8d80ff0a', word(32), word(85), randomBytes(96)]),
  slice(batch, 0, batch.length / 2 - 40),
  encodeMultiSend([{ to, value: 0n, data: '0x8d80ff0a' }]),
  ...(
    ['6a761202', 'ac9650d8', '82ad56cb', 'b63e800d', '468721a7', '24856bc3', '3593564c', '13d79a0b'] as const
  ).flatMap((selector): Hex[] => [
    `0x${selector}`,
    concat([`0x${selector}`, word(MAX_UINT256), word(32), randomBytes(70)]),
  ]),
  ...[1, 3, 4, 5, 36, 68, 400].map(randomBytes),
  // Longer than anything that can be proposed: a contract executed it.
  `0x8d80ff0a${'00'.repeat(140_000)}`,
]
const signatures: Hex[] = [
  '0x',
  '0x00',
  ...[64, 65, 66, 130, 400].map(randomBytes),
  `0x${'00'.repeat(65)}`,
  `0x${'ff'.repeat(195)}`,
]
const origins = [
  '',
  '{',
  '"\\ud800"',
  '\u0001\u202e',
  '{"note":1e999}',
  'null',
  '[]',
  `${'['.repeat(99)}${']'.repeat(99)}`,
  '{"__proto__":1}',
]
const contents = [
  '{',
  '',
  'null',
  '1e999',
  '"\\ud800"',
  '"\\u0000"',
  '[]',
  '{"types":[],"message":"x"}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  '{"types":{"A":[{"name":"a","type":"uint256"}]},"primaryType":"A","domain":{},"message":{"a":1e400}}',
]

let safeAddress: Address
let byAlice: TxClient
let rows = 0

openScene([alice], () => ({
  chains: [{ ...devnetChain(devnet.rpcUrl), txService: { publicReads: true } }],
  hasRateLimits: false,
}))

beforeAll(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  await call(asAlice, contract.addSafe, { chainId, address: safeAddress })
  byAlice = await newTxClient(server, asAlice)
  const good = await signedTx(safeAddress, alice, { nonce: 900n })
  await call(asAlice, contract.proposeTransaction, { chainId, safeAddress, ...good })
  const at = new Date('2026-01-01T00:00:00.500Z')
  const last = new Date('9999-12-31T23:59:59Z')
  const place = { chainId, safeAddress }
  const hashOf = (number: number) => pad(toHex(number + 1))
  for (const [index, data] of calldata.entries())
    for (const [kind, isExecuted] of [false, true].entries()) {
      const safeTxHash = hashOf(2 * index + kind)
      rows += 1
      await server.db.insert(multisigTransaction).values({
        ...place,
        safeTxHash,
        to: index % 2 ? library : to,
        value: MAX_UINT256,
        data,
        operation: index % 2 ? 1 : 0,
        safeTxGas: MAX_UINT256,
        baseGas: MAX_UINT256,
        gasPrice: MAX_UINT256,
        gasToken: to,
        refundReceiver: to,
        nonce: BigInt(index),
        proposer: alice.address,
        origin: origins[index % origins.length] ?? '',
        submissionDate: at,
        isExecuted,
        ...(isExecuted
          ? {
              isSuccessful: true,
              transactionHash: safeTxHash,
              executor: bob.address,
              blockNumber: 5,
              logIndex: index,
              executionDate: index % 3 ? at : last,
              gasUsed: 2n ** 53n - 1n,
              fee: MAX_UINT256,
              maxFeePerGas: MAX_UINT256,
              payment: MAX_UINT256,
              signatures: signatures[index % signatures.length] ?? '0x',
            }
          : {}),
      })
      await server.db.insert(confirmation).values({
        chainId,
        safeTxHash,
        owner: alice.address,
        signature: signatures[index % signatures.length] ?? '0x',
        signatureType: 'EOA',
        submissionDate: index % 3 ? at : last,
      })
      await server.db.insert(historyEntry).values({
        ...place,
        blockNumber: 5,
        logIndex: index,
        part: kind,
        blockTime: index % 3 ? at : last,
        transactionHash: safeTxHash,
        ...(isExecuted
          ? { kind: 'executed', safeTxHash, isSuccessful: true }
          : {
              kind: 'module-executed',
              subject: bob.address,
              isSuccessful: true,
              data,
              operation: 1,
              counterparty: library,
              amount: MAX_UINT256,
            }),
      })
    }
  for (const [part, [tokenKind, token]] of (
    [
      ['native', null],
      ['erc20', to],
      ['erc721', to],
      ['erc1155', to],
    ] as const
  ).entries())
    await server.db.insert(historyEntry).values({
      ...place,
      blockNumber: 6,
      logIndex: 0,
      part,
      blockTime: last,
      transactionHash: hashOf(5_000),
      kind: part % 2 ? 'transfer-out' : 'transfer-in',
      tokenKind,
      token,
      tokenId: part > 1 ? MAX_UINT256 : null,
      counterparty: to,
      amount: MAX_UINT256,
    })
  for (const [index, content] of contents.entries()) {
    const safeMessageHash = hashOf(6_000 + index)
    await server.db.insert(safeMessage).values({
      ...place,
      safeMessageHash,
      content,
      proposer: alice.address,
      origin: origins[index % origins.length] ?? '',
      submissionDate: at,
      modifiedDate: at,
    })
    await server.db.insert(messageConfirmation).values(
      [alice, bob].map(({ address }) => ({
        chainId,
        safeMessageHash,
        owner: address,
        signature: signatures[index % signatures.length] ?? '0x',
        signatureType: 'CONTRACT_SIGNATURE' as const,
        submissionDate: at,
        verifiedBlock: 1,
      })),
    )
    await server.db.insert(deletedProposal).values({
      ...place,
      hash: hashOf(7_000 + index),
      content: index % 2 ? content : null,
      nonce: index % 2 ? null : 800n,
      safeTx: index % 2 ? null : { to: 'x', value: content.slice(0, 50), data: `0x${'00'.repeat(140_000)}` },
      signatures: [{ owner: carol.address, signature: '0x' as const }],
      bytes: 1,
      keptBy: alice.address,
      deletedDate: at,
    })
    const author = pad(toHex(index + 1), { size: 20 })
    const text = `_${content.slice(0, 1_900)}`
    await server.db.insert(teamAbi).values({ ...place, contract: to, name: 'x', abi: text, author, updatedAt: at })
    await server.db.insert(note).values({ ...place, subjectHash: hashOf(0), author, text, createdAt: at })
    await server.db.insert(addressBookEntry).values({ ...place, address: to, name: 'x', author, updatedAt: at })
  }
})

const { MultisigTransactionsV1, MultisigTransactionsV2, TransactionsV1, TransactionsV2 } = wireSchemas
const wireLists: [string, number | null, ...{ parse: (body: unknown) => unknown }[]][] = [
  ['multisig-transactions', calldata.length, MultisigTransactionsV1, MultisigTransactionsV2],
  ['multisig-transactions?executed=true', calldata.length, MultisigTransactionsV1, MultisigTransactionsV2],
  ['all-transactions', null, TransactionsV1, TransactionsV2],
  ['module-transactions', calldata.length, wireSchemas.ModuleTransactions],
  ['transfers', 3, wireSchemas.Transfers],
  ['incoming-transfers', 2, wireSchemas.Transfers],
  ['export', 3, wireSchemas.Export],
  // The wire returns stored contents as they are, whether they are a message or not.
  ['messages', contents.length, wireSchemas.Messages.extend({ results: z.array(z.unknown()) })],
]

describe('rows that cannot be read', () => {
  test.each(wireLists)('behavior: the list %s of the wire has all of them', async (path, least, ...schemas) => {
    for (const [at, schema] of schemas.entries()) {
      const ask = `/v${at + 1}/safes/${safeAddress}/${path.replace('?', '/?')}`
      let seen = 0
      for (let next: string | null = `${ask}${ask.includes('?') ? '&' : '/?'}limit=100`; next; ) {
        const answer = await byAlice.ask(next)
        expect([next, answer.status]).toEqual([next, 200])
        schema.parse(answer.body)
        seen += answer.body.results.length
        next = answer.body.next && String(answer.body.next).replace(/^.*?\/api/, '')
      }
      if (least !== null) expect(seen).toBeGreaterThanOrEqual(least)
    }
  })

  test('behavior: the wire answers each of them, with or without decoded calldata', async () => {
    for (const [index, data] of calldata.entries()) {
      const one = await byAlice.ask(`/v2/multisig-transactions/${pad(toHex(2 * index + 1))}/`)
      expect([one.status, one.body.data]).toEqual([200, data])
      wireSchemas.MultisigTransactionV2.parse(one.body)
      const decoded = await byAlice.post('/v1/data-decoder/', { data })
      expect([data.slice(0, 20), [200, 404, 413, 422].includes(decoded.status)]).toEqual([data.slice(0, 20), true])
    }
    for (const index of contents.keys())
      expect((await byAlice.ask(`/v1/messages/${pad(toHex(6_001 + index))}/`)).status).toBe(200)
  })

  test('behavior: every list of our own API contains all of them, as the page parses it', async () => {
    const lists = Object.values(contract).filter(
      (value): value is AnyEndpoint =>
        typeof value === 'object' &&
        value !== null &&
        'method' in value &&
        value.method === 'GET' &&
        value.session === 'required' &&
        value.path.includes('{safeAddress}') &&
        Boolean(value.reply) &&
        !value.path.includes('{id}') &&
        !['readOtherService', 'getSafeCreation'].includes(value.name),
    )
    expect(lists.length).toBeGreaterThan(15)
    const found: Record<string, number> = {}
    for (const endpoint of lists) {
      let cursor: string | null | undefined
      let count = 0
      do {
        const input = {
          chainId,
          safeAddress,
          subjectHash: pad('0x1'),
          safeTxHash: pad('0x1'),
          ...(endpoint.name === 'listBalanceChanges' ? { token: 'native' } : {}),
          lists: 'claims,abis,policy',
          cursor,
        }
        const reply: Record<string, unknown> = await call(asAlice, endpoint, input).catch((error) => {
          throw new Error(`${endpoint.name}: ${error} ${JSON.stringify(error.data ?? '')} ${error.cause ?? ''}`)
        })
        for (const value of Object.values(reply)) if (Array.isArray(value)) count += value.length
        cursor = reply.nextCursor as string | null
      } while (cursor)
      found[endpoint.name] = count
    }
    expect(found).toMatchObject({
      listQueue: calldata.length + 1,
      listMessages: contents.length,
      listAbis: contents.length,
      listNotes: contents.length,
      listNames: contents.length,
    })
    // Entries of the chain itself come besides.
    expect(found.listHistory).toBeGreaterThanOrEqual(rows + 4)
    expect(found.listSignatures).toBeGreaterThan(calldata.length + contents.length)
  })

  test('behavior: a download contains all of them', async () => {
    for (const { path } of [contract.exportHistory, contract.exportActivity]) {
      const filled = path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
      const response = await asAlice.fetch(`${server.origin}${filled}`)
      const text = await response.text()
      expect([path, response.status]).toEqual([path, 200])
      if (path === contract.exportHistory.path) expect(text.split('\r\n').length).toBeGreaterThanOrEqual(rows + 4)
    }
  })

  test('behavior: deleting one of them keeps the others', async () => {
    await call(asAlice, contract.deleteTransaction, { chainId, safeTxHash: pad(toHex(1)) })
    expect((await byAlice.ask(`/v2/safes/${safeAddress}/multisig-transactions/?executed=false`)).status).toBe(200)
  })
})
