import { createHash } from 'node:crypto'
import {
  call,
  confirmMessage,
  confirmTransaction,
  exportActivity,
  getMessage,
  getTransaction,
  inviteViewer,
  listActivity,
  proposeMessage,
  proposeTransaction,
  type Reviewed,
  recordExecution,
  reportLimits,
} from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { type Address, type Hex, pad } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  carol,
  chainId,
  dave,
  found,
  openTeam,
  proposed,
  queueOf,
  server,
  transport,
} from '../../test/scene.ts'
import { type Browser, codeOf, signedTx } from '../../test/test-server.ts'
import { confirm } from '../transactions/confirm.ts'

openTeam()

const key = pad('0xacce')

/** An approval without limit that was accepted. */
const report: Reviewed = {
  verdict: 'matches-with-warnings',
  policyVersion: null,
  block: 120,
  grade: 'said-by-one-node',
  findings: [{ id: 'APPROVE-UNLIMITED', severity: 'high', evidence: 'token TUSD, spender 0x1234' }],
  acknowledgements: [
    { key, id: 'APPROVE-UNLIMITED', words: 'This account may take all TUSD, without limit', reason: 'market maker' },
  ],
  leftOut: 0,
}

const reportsOf = async (safeTxHash: Hex, browser: Browser = asAlice) =>
  (await call(browser, getTransaction, { chainId, safeTxHash })).reports

const entriesOf = async (safeAddress: Address) => (await call(asAlice, listActivity, { chainId, safeAddress })).entries

async function confirmAs(account: DemoAccount, browser: Browser, safeTxHash: Hex, reviewed?: Reviewed) {
  const signature = await sign({ hash: safeTxHash, privateKey: account.privateKey, to: 'hex' })
  return call(browser, confirmTransaction, { chainId, safeTxHash, signature, reviewed })
}

/** A body as no client of ours writes it. */
async function post(browser: Browser, path: string, body: string): Promise<{ status: number; text: string }> {
  const response = await browser.fetch(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin },
    body,
  })
  return { status: response.status, text: await response.text() }
}

describe('findReports', () => {
  test('default: what proposer, owner and executor saw, each as their own claim', async () => {
    const safeAddress = await addedSafe()
    const signed = await signedTx(safeAddress, alice)
    const { safeTxHash } = signed
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, reviewed: report })
    const pack = { hash: pad('0xbac4'), block: 119 }
    const seen: Reviewed = { ...report, verdict: 'matches', findings: [], acknowledgements: [], policyVersion: 3, pack }
    await confirmAs(bob, asBob, safeTxHash, seen)
    const sent = pad('0x5e')
    await call(asAlice, recordExecution, { chainId, safeTxHash, transactionHash: sent, reviewed: report })
    expect(await reportsOf(safeTxHash)).toEqual([
      { account: alice.address, at: expect.any(String), verb: 'sent', reviewed: report },
      { account: bob.address, at: expect.any(String), verb: 'confirmed', reviewed: seen },
      { account: alice.address, at: expect.any(String), verb: 'proposed', reviewed: report },
    ])
    const confirmed = (await entriesOf(safeAddress)).find(({ verb }) => verb === 'confirmed')
    expect(confirmed?.reviewed?.pack).toEqual(pack)
    expect(confirmed?.hashed).toContain(pack.hash)
  })

  test('behavior: who says again and again that they sent it fills no log with reports', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    for (let at = 1; at <= 22; at++) {
      const sent = pad(`0x${at.toString(16).padStart(2, '0')}`)
      await call(asAlice, recordExecution, { chainId, safeTxHash, transactionHash: sent, reviewed: report })
    }
    const entries = (await entriesOf(safeAddress)).filter(({ verb }) => verb === 'sent')
    expect(entries).toHaveLength(22)
    expect(entries.filter(({ reviewed }) => reviewed !== null)).toHaveLength(20)
    await confirmAs(bob, asBob, safeTxHash, report)
    expect((await reportsOf(safeTxHash)).map(({ account }) => account)).toEqual([bob.address, alice.address])
  })

  test('behavior: of a message too', async () => {
    const safeAddress = await addedSafe()
    const content = '"Hello Safe"'
    const context = { chainId, safeAddress, version: '1.4.1', content: parseMessageContent(content) }
    const { safeMessageHash } = hashSafeMessage(context)
    const signatureOf = (account: DemoAccount) =>
      privateKeyToAccount(account.privateKey).signTypedData(safeMessageTypedData(context))
    const proposal = { chainId, safeAddress, content, safeMessageHash }
    await call(asAlice, proposeMessage, { ...proposal, signature: await signatureOf(alice), reviewed: report })
    await call(asBob, confirmMessage, { chainId, safeMessageHash, signature: await signatureOf(bob), reviewed: report })
    const { reports } = await call(asBob, getMessage, { chainId, safeMessageHash })
    expect(reports.map(({ account, verb, reviewed }) => [account, verb, reviewed])).toEqual([
      [bob.address, 'confirmed-message', report],
      [alice.address, 'proposed-message', report],
    ])
  })

  test('behavior: nobody reports for another owner: neither by import, nor with a signature behind their own', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address, carol.address] })
    const { safeTxHash } = await proposed(safeAddress)
    const bobs = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    const carols = await sign({ hash: safeTxHash, privateKey: carol.privateKey, to: 'hex' })
    const imported = { chainId, safeTxHash, signature: bobs, isImported: true, reviewed: report }
    expect(await codeOf(call(asAlice, confirmTransaction, imported))).toBe('INVALID_REQUEST')
    expect(await reportsOf(safeTxHash)).toEqual([])
    const [first, second] = [bobs, carols].toSorted((signature) => (signature === bobs ? -1 : 1))
    const both = `${first}${second?.slice(2)}` as Hex
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature: both, reviewed: report })
    expect((await found(safeTxHash)).confirmations).toHaveLength(3)
    expect((await reportsOf(safeTxHash)).map(({ account, verb }) => [account, verb])).toEqual([
      [bob.address, 'confirmed'],
    ])
  })

  test('behavior: what comes without a report, or by another transport, has none', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const signatures = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    await confirm(transport(), { chainId, safeTxHash, signatures, account: null, mustSign: null })
    expect(await reportsOf(safeTxHash)).toEqual([])
    expect((await entriesOf(safeAddress)).every(({ reviewed }) => reviewed === null)).toBe(true)
  })

  test('behavior: a claim changes nothing of the transaction, and comes with the first confirmation alone', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const claim: Reviewed = { ...report, verdict: 'do-not-sign' }
    await confirmAs(bob, asBob, safeTxHash, claim)
    const [transaction] = await queueOf(safeAddress)
    expect(transaction?.confirmations).toHaveLength(2)
    expect(
      JSON.stringify(transaction, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('do-not-sign')
    await confirmAs(bob, asBob, safeTxHash, report).catch(() => {})
    expect((await reportsOf(safeTxHash)).map(({ reviewed }) => reviewed)).toEqual([claim])
  })

  test('behavior: for the team alone', async () => {
    const safeAddress = await addedSafe()
    const signed = await signedTx(safeAddress, alice)
    const { safeTxHash } = signed
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, reviewed: report })
    expect(await codeOf(reportsOf(safeTxHash, asStranger))).toBe('TRANSACTION_NOT_FOUND')
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: dave.address, label: 'Dave' })
    expect(await reportsOf(safeTxHash, asDave)).toHaveLength(1)
    const bySender = { chainId, safeTxHash, transactionHash: pad('0x01'), reviewed: report }
    expect(await codeOf(call(asDave, recordExecution, bySender))).toBe('NOT_OWNER_OR_DELEGATE')
    // The execution is on the chain and seen by whoever follows the Safe; what people said is not.
    await server.db.execute(sql`update multisig_transaction set is_executed = true, execution_date = now()
      where safe_tx_hash = decode(${safeTxHash.slice(2)}, 'hex')`)
    await server.db.execute(sql`insert into safe_list_entry (account, chain_id, safe_address, added_at)
      values (decode(${demoAccounts[3].address.slice(2)}, 'hex'), ${chainId}, decode(${safeAddress.slice(2)}, 'hex'), now())`)
    expect(await reportsOf(safeTxHash, asStranger)).toEqual([])
  })
})

describe('the activity log', () => {
  test('default: holds the report, and its hash covers it', async () => {
    const safeAddress = await addedSafe()
    const signed = await signedTx(safeAddress, alice)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, reviewed: report })
    await confirmAs(bob, asBob, signed.safeTxHash)
    const entries = await entriesOf(safeAddress)
    expect(entries.map(({ verb, reviewed }) => [verb, reviewed])).toEqual([
      ['confirmed', null],
      ['proposed', report],
      ['added-safe', null],
    ])
    for (const { hash, previousHash, hashed } of entries) {
      const sum = createHash('sha256')
        .update(Buffer.from(previousHash.slice(2), 'hex'))
        .update(hashed)
        .digest('hex')
      expect(hash).toBe(`0x${sum}`)
    }
    expect(JSON.parse(entries[1]?.hashed ?? '{}')).toMatchObject({ verb: 'proposed', reviewed: report })
    // A report that is changed in the database changes the text, which has another hash then.
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    await client.query('alter table activity disable trigger activity_chain')
    await client.query(`update activity set reviewed = jsonb_set(reviewed, '{verdict}', '"matches"') where verb = 'proposed'
      and safe_address = decode('${safeAddress.slice(2)}', 'hex')`)
    await client.query('alter table activity enable trigger activity_chain')
    await client.end()
    const [, forged] = await entriesOf(safeAddress)
    const sum = createHash('sha256')
      .update(Buffer.from(forged?.previousHash.slice(2) ?? '', 'hex'))
      .update(forged?.hashed ?? '')
    expect(`0x${sum.digest('hex')}`).not.toBe(forged?.hash)
  })

  test('behavior: is exported with it, in the text that the hash covers', async () => {
    const safeAddress = await addedSafe()
    const signed = await signedTx(safeAddress, alice)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, reviewed: report })
    const path = exportActivity.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
    const csv = await (await asAlice.fetch(`${server.origin}${path}`)).text()
    expect(csv).toContain('This account may take all TUSD, without limit')
  })

  test('behavior: pages end by the bytes of reports', async () => {
    const safeAddress = await addedSafe()
    const words = 'x'.repeat(reportLimits.words)
    const acknowledgements = Array.from({ length: 26 }, () => ({ key, id: 'APPROVE-UNLIMITED', words }))
    const long: Reviewed = { ...report, acknowledgements }
    for (let nonce = 0n; nonce < 40n; nonce += 1n) {
      const signed = await signedTx(safeAddress, alice, { nonce })
      await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, reviewed: long })
    }
    const first = await call(asAlice, listActivity, { chainId, safeAddress })
    expect(first.entries.length).toBeLessThan(40)
    const rest = await call(asAlice, listActivity, { chainId, safeAddress, cursor: first.nextCursor ?? undefined })
    expect(first.entries.length + rest.entries.length).toBe(41)
  })
})

describe('reviewed', () => {
  const hostile: [string, (good: Reviewed) => unknown][] = [
    ['another field', (good) => ({ ...good, note: 'x' })],
    ['another field of a finding', (good) => ({ ...good, findings: [{ ...good.findings[0], where: {} }] })],
    ['a verdict that there is not', (good) => ({ ...good, verdict: 'safe' })],
    ['an id that is none', (good) => ({ ...good, findings: [{ id: '__proto__', severity: 'high' }] })],
    ['a control character', (good) => ({ ...good, findings: [{ ...good.findings[0], evidence: 'a\u0007b' }] })],
    [
      'a character that turns the line',
      (good) => ({ ...good, findings: [{ ...good.findings[0], evidence: 'a\u202eb' }] }),
    ],
    ['half a character', (good) => ({ ...good, findings: [{ ...good.findings[0], evidence: 'a\ud800b' }] })],
    ['a line break', (good) => ({ ...good, acknowledgements: [{ ...good.acknowledgements[0], reason: 'a\nb' }] })],
    ['an empty reason', (good) => ({ ...good, acknowledgements: [{ ...good.acknowledgements[0], reason: ' ' }] })],
    [
      'words that are too long',
      (good) => ({ ...good, acknowledgements: [{ ...good.acknowledgements[0], words: 'x'.repeat(501) }] }),
    ],
    ['too many findings', (good) => ({ ...good, findings: Array(51).fill(good.findings[0]) })],
    [
      'too many bytes, though each text is short enough',
      (good) => ({
        ...good,
        acknowledgements: Array(50).fill({ ...good.acknowledgements[0], words: '€'.repeat(300) }),
      }),
    ],
    ['a block below zero', (good) => ({ ...good, block: -1 })],
    ['a block that is no number', (good) => ({ ...good, block: 1.5 })],
    ['a list', () => []],
    ['a text', () => 'matches'],
  ]

  test.each(hostile)('error: INVALID_REQUEST for %s, and nothing is stored', async (_, make) => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    expect(await codeOf(confirmAs(bob, asBob, safeTxHash, make(report) as Reviewed))).toBe('INVALID_REQUEST')
    expect((await found(safeTxHash)).confirmations).toHaveLength(1)
    expect(await reportsOf(safeTxHash)).toEqual([])
  })

  test('error: prototype keys, NUL, ten megabytes and great depth are refused before anything is stored', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const signature = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    const path = `/api/chains/${chainId}/transactions/${safeTxHash}/confirmations`
    const body = (reviewed: string) => `{"signature":"${signature}","reviewed":${reviewed}}`
    const good = JSON.stringify(report)
    const bad = [
      good.replace('{', '{"__proto__":{"verdict":"matches"},'),
      good.replace('{', '{"constructor":{"prototype":{}},'),
      good.replace('TUSD', 'TU\\u0000SD'),
      good.replace('TUSD', 'x'.repeat(10 * 1024 * 1024)),
      good.replace('"leftOut":0', `"leftOut":${'['.repeat(5_000)}${']'.repeat(5_000)}`),
    ]
    for (const report of bad) expect([400, 413]).toContain((await post(asBob, path, body(report))).status)
    expect((await found(safeTxHash)).confirmations).toHaveLength(1)
    expect((await post(asBob, path, body(good))).status).toBe(200)
    expect((await reportsOf(safeTxHash)).map(({ reviewed }) => reviewed)).toEqual([report])
  })

  test('behavior: a report of another transaction is kept as said, and stands under this one alone', async () => {
    const safeAddress = await addedSafe()
    const proposal = await proposed(safeAddress)
    const other = await proposed(safeAddress, { nonce: 1n })
    await confirmAs(bob, asBob, proposal.safeTxHash, report)
    await confirmAs(bob, asBob, other.safeTxHash)
    expect(await reportsOf(proposal.safeTxHash)).toHaveLength(1)
    expect(await reportsOf(other.safeTxHash)).toEqual([])
  })
})
