import {
  addSafe,
  call,
  createApiToken,
  deleteTransaction,
  inviteViewer,
  listActivity,
  listQueue,
  proposeTransaction,
  signOut,
} from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import { delegateTypedData, deleteRequestTypedData, serviceHour } from '@countersign/safe/service'
import { sql } from 'drizzle-orm'
import { type Address, concatHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { delegate, deletedProposal } from '../../db/team-schema.ts'
import { usualAdmission } from '../../http/admission.ts'
import { devnet, openChain } from '../../test/scene.ts'
import { type ScriptedNode, startScriptedNode } from '../../test/scripted-node.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  newSafe,
  signedTx,
  signInAs,
  signInAsSafe,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'
import { newTxClient, type TxClient } from '../../test/tx-client.ts'

/* Attempts to delete what somebody else proposed, and to have deletions cost the server much. */

const [alice, bob, carol, dave] = demoAccounts
const chainId = 31337
const OTHER_CHAIN = 31338
const ATTEMPTS = 200

let node: ScriptedNode
let server: TestServer
let asAlice: Browser
let asBob: Browser
let asDave: Browser
let byAlice: TxClient
let byBob: TxClient
let safeAddress: Address
let proposal: Awaited<ReturnType<typeof signedTx>>

openChain()

beforeAll(async () => {
  node = await startScriptedNode(devnet.rpcUrl)
  server = await startTestServer({
    chains: [devnetChain(node.url), devnetChain(node.url, OTHER_CHAIN)],
    hasRateLimits: false,
  })
  asAlice = await signInAs(server, alice)
  asBob = await signInAs(server, bob)
  asDave = await signInAs(server, dave)
  byAlice = await newTxClient(server, asAlice)
  byBob = await newTxClient(server, asBob)
})
beforeEach(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  proposal = await propose({ value: 7n })
})
afterAll(async () => {
  await server?.stop()
  await node?.close()
})

async function propose(fields: Parameters<typeof signedTx>[2], account: DemoAccount = alice) {
  const signed = await signedTx(safeAddress, account, fields)
  await call(account === alice ? asAlice : asBob, proposeTransaction, { chainId, safeAddress, ...signed })
  return signed
}

const remove = (browser: Parameters<typeof call>[0], safeTxHash = proposal.safeTxHash, on = chainId) =>
  codeOf(call(browser, deleteTransaction, { chainId: on, safeTxHash }))

async function byWire(client: TxClient, signature: Hex, safeTxHash = proposal.safeTxHash): Promise<string> {
  const { status } = await client.post(`/v2/multisig-transactions/${safeTxHash}/`, { signature }, 'DELETE')
  return String(status)
}

type Request = Parameters<typeof deleteRequestTypedData>[0]

/** Signs a request of this hour to delete the proposal, as its proposer does, with some of its fields replaced. */
function request(changes: Partial<Request> = {}, { privateKey }: DemoAccount = alice): Promise<Hex> {
  const { safeTxHash } = proposal
  const totp = serviceHour(Date.now() / 1000)
  const typed = deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp, ...changes })
  return privateKeyToAccount(privateKey).signTypedData(typed)
}

async function deletions(): Promise<number> {
  const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
  return entries.filter(({ verb }) => verb === 'deleted').length
}

describe('a proposal of somebody else', () => {
  test.each<[string, () => Promise<string>, string[]]>([
    [
      'by a viewer',
      async () => {
        await call(asAlice, inviteViewer, { chainId, safeAddress, account: dave.address, label: 'Dave' })
        return remove(asDave)
      },
      ['NOT_PROPOSER', 'TRANSACTION_NOT_FOUND'],
    ],
    [
      'by the Safe itself',
      async () => remove(await signInAsSafe(server, safeAddress, [alice])),
      ['NOT_PROPOSER', 'TRANSACTION_NOT_FOUND'],
    ],
    [
      'by an owner who proposes the same once more',
      async () => {
        const { safeTx } = proposal
        await propose(safeTx, bob)
        return remove(asBob)
      },
      ['NOT_PROPOSER'],
    ],
    [
      'by the delegate of another owner',
      async () => {
        const named = { delegate: dave.address, delegator: bob.address, label: 'Dave' }
        await server.db.insert(delegate).values({ chainId, safeAddress, ...named, createdAt: new Date() })
        return remove(asDave)
      },
      ['NOT_PROPOSER'],
    ],
    [
      'with a token of the proposer that may only read',
      async () => {
        const { token } = await call(asAlice, createApiToken, { name: 'x', scopes: ['read'], expiresAt: null })
        return remove({ baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } })
      },
      ['SCOPE_MISSING'],
    ],
    [
      'with the session of the proposer, from a page of another origin',
      () => remove({ ...asAlice, headers: { origin: 'https://elsewhere.example' } }),
      ['WRONG_ORIGIN'],
    ],
    [
      'with a session that the proposer has ended',
      async () => {
        const browser = await signInAs(server, alice)
        const kept = new Map(browser.cookies)
        await call(browser, signOut, {})
        for (const [name, value] of kept) browser.cookies.set(name, value)
        return remove(browser)
      },
      ['SESSION_REVOKED', 'NOT_SIGNED_IN'],
    ],
    [
      'by its hash, on another chain',
      () => remove(asAlice, proposal.safeTxHash, OTHER_CHAIN),
      ['TRANSACTION_NOT_FOUND', 'CHAIN_ID_MISMATCH'],
    ],
    [
      'with a signature of the proposer for another proposal',
      async () => {
        const other = await propose({ value: 8n })
        return byWire(byBob, await request({ safeTxHash: other.safeTxHash }))
      },
      ['400'],
    ],
    [
      'with a signature of the proposer for another Safe',
      async () => byWire(byBob, await request({ safeAddress: await newSafe(devnet.rpcUrl) })),
      ['400'],
    ],
    [
      'with a signature of the proposer for another chain',
      async () => byWire(byBob, await request({ chainId: OTHER_CHAIN })),
      ['400'],
    ],
    ['with the signature that the proposer proposed it with', () => byWire(byBob, proposal.signature), ['400']],
    [
      'with a signature of the proposer that removes a delegate in the same hour',
      async () => {
        const totp = serviceHour(Date.now() / 1000)
        const typed = delegateTypedData({ chainId, delegate: dave.address, totp })
        return byWire(byBob, await privateKeyToAccount(alice.privateKey).signTypedData(typed))
      },
      ['400'],
    ],
    [
      'with the signature of the proposer, by a stranger who found it',
      async () => byWire(await newTxClient(server, await signInAs(server, carol)), await request()),
      ['404'],
    ],
    [
      'with the signature of the proposer, and a token that may only confirm',
      async () => byWire(await newTxClient(server, asAlice, { scopes: ['confirm'] }), await request()),
      ['403'],
    ],
  ])('error: is not deleted %s', async (_, attempt, refusals) => {
    expect(refusals).toContain(await attempt())
    const { transactions } = await call(asAlice, listQueue, { chainId, safeAddress })
    expect(transactions.map(({ safeTxHash }) => safeTxHash)).toContain(proposal.safeTxHash)
    expect(await deletions()).toBe(0)
    expect(await byWire(byAlice, await request())).toBe('204')
  })
})

describe('many deletions', () => {
  const times = <result>(count: number, run: (at: number) => Promise<result>): Promise<result[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => run(at)))

  /** Counts the questions to the node that name the Safe. The follower's questions for logs name it at any moment. */
  const asked = () =>
    node.exchanges
      .flat()
      .filter(({ method }) => method !== 'eth_getLogs')
      .filter(({ params }) => JSON.stringify(params).toLowerCase().includes(safeAddress.slice(2).toLowerCase())).length

  test('behavior: of one proposal at a time become one', async () => {
    const codes = await times(40, () => remove(asAlice))
    expect(codes.filter((code) => code === 'no error')).toHaveLength(1)
    expect(new Set(codes)).toEqual(new Set(['no error', 'TRANSACTION_NOT_FOUND']))
    expect(await deletions()).toBe(1)
  })

  test.each<[string, (at: number) => Promise<string>]>([
    ['of what is not there', (at) => remove(asAlice, `0x${String(at).padStart(64, 'a')}`)],
    ['of what another proposed', () => remove(asBob)],
    ['of what the caller cannot see', () => remove(asDave)],
    ['with 76 signatures each', async () => byWire(byBob, concatHex(Array(76).fill(await request())))],
    ['with a signature that no key can have made', () => byWire(byBob, `0x${'ff'.repeat(64)}1b`)],
    [
      'with signatures of contracts that would have to be asked',
      () => byWire(byBob, concatHex([`0x${'00'.repeat(12)}`, alice.address, `0x${'00'.repeat(31)}41`, '0x00'])),
    ],
  ])('behavior: %s do not have the node asked', async (_, attempt) => {
    const before = asked()
    const answers = await times(ATTEMPTS, attempt)
    expect(answers).not.toContain('no error')
    expect(answers).not.toContain('204')
    // The follower reads the new Safe meanwhile; an attempt never does.
    expect(asked() - before).toBeLessThan(ATTEMPTS / 5)
    expect(await remove(asAlice)).toBe('no error')
  })

  test('behavior: of one that is proposed again and again keep it once', async () => {
    for (let round = 0; round < 12; round += 1) {
      expect(await remove(asAlice)).toBe('no error')
      await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
    }
    const isOfSafe = sql`${deletedProposal.safeAddress} = ${sql.param(safeAddress, deletedProposal.safeAddress)}`
    expect(await server.db.$count(deletedProposal, isOfSafe)).toBe(1)
  })

  test('behavior: of one account run into its limit, and another owner deletes meanwhile', async () => {
    const limited = await startTestServer({
      chains: [devnetChain(node.url)],
      databaseUrl: server.databaseUrl,
      admission: usualAdmission,
    })
    try {
      const [mallory, anna] = [await signInAs(limited, bob), await signInAs(limited, alice)]
      const flood = times(400, (at) => remove(mallory, `0x${String(at).padStart(64, 'b')}`))
      expect(await remove(anna)).toBe('no error')
      expect(new Set(await flood)).toContain('RATE_LIMITED')
    } finally {
      await limited.stop()
    }
  })
})
