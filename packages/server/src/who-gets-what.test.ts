import * as contract from '@countersign/contract'
import {
  addAbi,
  addDelegate,
  addNote,
  addSafe,
  attachPack,
  type ClientOptions,
  call,
  createApiToken,
  inviteViewer,
  nameAddress,
  proposeMessage,
  proposePolicy,
  proposeTransaction,
  shareDraft,
  type TokenScope,
  tokenScopes,
} from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { nextPolicy, policyTypedData, writePolicy } from '@countersign/review'
import { hashSafeMessage, newSafeTx, safeMessageTypedData } from '@countersign/safe'
import { type Address, getAddress, type Hex, pad } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SignedInCtx } from './context.ts'
import { findActivity, readActivity } from './features/activity/queries.ts'
import { findSignatures } from './features/alive/queries.ts'
import { findAbis } from './features/book/abis.ts'
import { findDrafts } from './features/book/drafts.ts'
import { findNames } from './features/book/names.ts'
import { findNotes } from './features/book/notes.ts'
import { findMessages } from './features/messages/queries.ts'
import { findInForce, findProposed } from './features/policy/queries.ts'
import { removeEndedSessions, removeOldMessages } from './features/session/clean-up.ts'
import { removeEndedDelegates } from './features/team/delegates.ts'
import { removeExpiredTokens } from './features/tokens/tokens.ts'
import { findPacks } from './features/transactions/packs.ts'
import { findOthers, findQueue } from './features/transactions/queries.ts'
import { removeUnsignedProposals } from './features/transactions/remove-unsigned.ts'
import type { AnyEndpoint } from './http/endpoint.ts'
import { rebuildFrom, WINDOW_BLOCKS } from './indexer/write/apply.ts'
import { storeCreation } from './safes/creations.ts'
import { devnet, openScene, server } from './test/scene.ts'
import { findScans, watchStatements } from './test/statement-plans.ts'
import { type Browser, newSafe, signedTx, signInAs, signInAsSafe } from './test/test-server.ts'
import { newTxClient } from './test/tx-client.ts'

const [alice, bob, , dave, eve, frank, grace] = demoAccounts
const chainId = 31337
const nowhere = getAddress('0x5afe000000000000000000000000000000005afe')
const signature: Hex = `0x${'11'.repeat(64)}1b`

/**
 * Access by role: y: through to the verb's own rules; m: refused (403); n: not there (404). In the order of `people`:
 * nobody of the kind, who added the Safe, viewer, the Safe itself, proposer, owner.
 */
const table: Record<string, string> = {
  // On-chain data: for all who added the Safe.
  exportHistory: 'nyyyyy',
  findPastPrices: 'nyyyyy',
  getSafe: 'nyyyyy',
  getSafeCreation: 'nyyyyy',
  listBalanceChanges: 'nyyyyy',
  listHistory: 'nyyyyy',
  listTokens: 'nyyyyy',
  listMovedListed: 'nyyyyy',
  findPayments: 'nyyyyy',
  // Data of the team, to be read.
  exportActivity: 'nmyyyy',
  getMessage: 'nnyyyy',
  getPack: 'nmyyyy',
  getPolicy: 'nmyyyy',
  getReviewLists: 'nmyyyy',
  getSpentAmounts: 'nmyyyy',
  getTransaction: 'nnyyyy',
  listAbis: 'nmyyyy',
  listActivity: 'nmyyyy',
  listAlarms: 'nmmmmy',
  listSafeAccess: 'nmmmmy',
  listSignInRequests: 'nmmmmy',
  listDelegates: 'nmyyyy',
  listMessages: 'nmyyyy',
  listNames: 'nmyyyy',
  listDrafts: 'nmyyyy',
  listNotes: 'nmyyyy',
  listPacks: 'nmyyyy',
  listQueue: 'nmyyyy',
  readOtherService: 'nmyyyy',
  listSignatures: 'nmyyyy',
  listIdleOwners: 'nmyyyy',
  listViewers: 'nmyyyy',
  // To be written by owners and proposers.
  addNote: 'nmmmyy',
  addAbi: 'nmmmyy',
  attachPack: 'nmmmyy',
  nameAddress: 'nmmmyy',
  recordExecution: 'nnmmyy',
  removeAbi: 'nmmmyy',
  removeDraft: 'nmmmyy',
  shareDraft: 'nmmmyy',
  removeName: 'nmmmyy',
  removePack: 'nmmmyy',
  resumeReading: 'nmmmyy',
  stopReading: 'nmmmyy',
  // One's own note, whatever one has become.
  removeNote: 'nmyyyy',
  // By owners. Who owns a Safe is on the chain, and known to all.
  acknowledgeAlarm: 'nmmmmn',
  addDelegate: 'nmmmmy',
  approvePolicy: 'nmmmmy',
  confirmMessage: 'nnmmmy',
  confirmTransaction: 'nnmmmy',
  sendToOtherService: 'nnmmmy',
  createWebhook: 'nmmmmy',
  discardPolicy: 'nmmmmn',
  endSafeAccess: 'nmmmmn',
  inviteViewer: 'nmmmmy',
  listDeliveries: 'nmmmmn',
  listWebhooks: 'nmmmmy',
  proposeMessage: 'mmmmmy',
  proposePolicy: 'nmmmmy',
  redeliver: 'nmmmmn',
  refuseSignIn: 'nmmmmn',
  removeViewer: 'nmmmmy',
  removeWebhook: 'nmmmmn',
  testWebhook: 'nmmmmn',
  withdrawPolicyEntry: 'nmmmmy',
  // By whose it is.
  deleteMessage: 'nnmmmy',
  deleteTransaction: 'nnmmmy',
  removeDelegate: 'nnnnny',
  removeDelegateOfAll: 'nnnnny',
  // Against the chain, before anything that is kept here is looked at.
  proposeTransaction: 'yyyyyy',
  // One's own account.
  addDelegateOfAll: 'yyyyyy',
  addSafe: 'yyyyyy',
  listApiTokens: 'yyyyyy',
  findListedTokens: 'yyyyyy',
  findPrices: 'yyyyyy',
  listTokenLists: 'yyyyyy',
  listPriceSources: 'yyyyyy',
  listSafes: 'yyyyyy',
  listSessions: 'yyyyyy',
  createApiToken: 'yyyyyy',
  revokeApiToken: 'nnnnnn',
  revokeOtherSessions: 'yyyyyy',
  revokeSession: 'nnnnnn',
  streamEvents: 'yyyyyy',
  // The chain itself.
  callNode: 'yyyyyy',
  findFunctions: 'yyyyyy',
  listChainStatus: 'yyyyyy',
  listOutboundHosts: 'yyyyyy',
  // For admins alone, of whom there is none here: who is none is told nothing.
  examineInstallation: 'yyyyyy',
  reloadConfiguration: 'mmmmmm',
  readBlockHashes: 'yyyyyy',
}

/** Scopes that an API token needs for more than reading: written out, so that nothing changes them unseen. */
const scopes = {
  confirm: ['confirmMessage', 'confirmTransaction'],
  propose: [
    'addDelegate',
    'addDelegateOfAll',
    'addNote',
    'addSafe',
    'deleteMessage',
    'deleteTransaction',
    'addAbi',
    'attachPack',
    'nameAddress',
    'proposeMessage',
    'proposeTransaction',
    'recordExecution',
    'removeAbi',
    'removeDelegate',
    'removeDelegateOfAll',
    'removeDraft',
    'removeName',
    'removeNote',
    'removePack',
    'shareDraft',
  ],
  session: [
    'acknowledgeAlarm',
    'inviteViewer',
    'listApiTokens',
    'listSessions',
    'listSafeAccess',
    'endSafeAccess',
    'refuseSignIn',
    'listViewers',
    'createApiToken',
    'examineInstallation',
    'reloadConfiguration',
    'removeViewer',
    'revokeApiToken',
    'revokeOtherSessions',
    'revokeSession',
    'resumeReading',
    'sendToOtherService',
    'stopReading',
    'approvePolicy',
    'discardPolicy',
    'proposePolicy',
    'withdrawPolicyEntry',
    'createWebhook',
    'listDeliveries',
    'listWebhooks',
    'redeliver',
    'removeWebhook',
    'testWebhook',
  ],
} as const

function scopeNeeded(name: string): TokenScope | 'session' {
  return (
    (['confirm', 'propose', 'session'] as const).find((scope) => (scopes[scope] as readonly string[]).includes(name)) ??
    'read'
  )
}

const people = ['stranger', 'onlooker', 'viewer', 'itself', 'proposer', 'owner'] as const
type Person = (typeof people)[number]

let accounts: Record<Person, { address: Address }>
let browsers: Record<Person, Browser>
let safeAddress: Address
let spare: Address
/** A Safe on the chain, and hashes, that nobody has told this server of. */
let elsewhere: At
let safeTxHash: Hex
let packId: string
let safeMessageHash: Hex

const endpoints = Object.values(contract).filter(
  (value): value is AnyEndpoint => typeof value === 'object' && value !== null && 'method' in value && 'path' in value,
)
const guarded = endpoints.filter(({ session }) => session === 'required')

const watch = watchStatements()
afterAll(() => watch.stop())
openScene([], () => ({ hasRateLimits: false }))

beforeAll(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 2 })
  const withKey = { stranger: frank, onlooker: grace, viewer: eve, proposer: dave, owner: alice }
  accounts = { ...withKey, itself: { address: safeAddress } }
  const signedIn = Object.entries(withKey).map(
    async ([who, account]) => [who, await signInAs(server, account)] as const,
  )
  browsers = Object.fromEntries([
    ...(await Promise.all(signedIn)),
    ['itself', await signInAsSafe(server, safeAddress, [alice, bob])],
  ]) as Record<Person, Browser>
  spare = await newSafe(devnet.rpcUrl)
  const unknown = await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1 })
  elsewhere = { safeAddress: unknown, safeTxHash: pad('0x1'), safeMessageHash: pad('0x2') }
  const { owner, onlooker } = browsers
  await call(owner, addSafe, { chainId, address: safeAddress })
  await call(onlooker, addSafe, { chainId, address: safeAddress })
  const creation = { factory: nowhere, data: '0x' } as const
  await storeCreation(server.db, { chainId, safeAddress, ...creation, keptBy: alice.address, keptAt: new Date() })
  await call(owner, addDelegate, { chainId, safeAddress, delegate: dave.address, label: 'D', expiryDate: null })
  await call(owner, inviteViewer, { chainId, safeAddress, account: eve.address, label: 'E' })
  const proposal = await signedTx(safeAddress, alice, { nonce: 0n })
  safeTxHash = proposal.safeTxHash
  await call(owner, proposeTransaction, { chainId, safeAddress, ...proposal })
  await call(owner, addNote, { chainId, safeAddress, subjectHash: safeTxHash, text: 'n' })
  await call(owner, shareDraft, { chainId, safeAddress, name: 'd', content: '{}', isTemplate: false })
  packId = (await call(owner, attachPack, { chainId, safeAddress, safeTxHash, text: 'p' })).id
  const content = 'Who gets what'
  const context = {
    chainId,
    safeAddress,
    version: '1.4.1',
    content: { encoding: 'EIP191_TEXT', text: content },
  } as const
  safeMessageHash = hashSafeMessage(context).safeMessageHash
  const signed = await privateKeyToAccount(alice.privateKey).signTypedData(safeMessageTypedData(context))
  await call(owner, proposeMessage, {
    chainId,
    safeAddress,
    content: JSON.stringify(content),
    safeMessageHash,
    signature: signed,
  })
})

type At = { safeAddress: Address; safeTxHash: Hex; safeMessageHash: Hex }

const here = (): At => ({ safeAddress, safeTxHash, safeMessageHash })

function bodyOf(name: string, who: Address): unknown {
  const named = { delegate: demoAccounts[9].address, label: 'x', expiryDate: null }
  const { nonce, ...fields } = newSafeTx({ to: nowhere, nonce: 5n })
  const safeTx = Object.fromEntries(
    Object.entries({ ...fields, nonce }).map(([key, value]) => [key, typeof value === 'bigint' ? `${value}` : value]),
  )
  const bodies: Record<string, unknown> = {
    addSafe: { chainId, address: spare },
    callNode: { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
    proposeTransaction: { safeTx, safeTxHash: pad('0x3'), sender: who, signature },
    confirmTransaction: { signature },
    recordExecution: { transactionHash: pad('0x4') },
    proposeMessage: { content: '"x"', safeMessageHash: pad('0x5'), signature },
    confirmMessage: { signature },
    addAbi: { contract: nowhere, name: 'x', abi: '[]' },
    approvePolicy: { signature },
    proposePolicy: { policy: '{}', signature },
    withdrawPolicyEntry: { entryHash: pad('0x6'), signature },
    nameAddress: { address: nowhere, name: 'x' },
    addNote: { text: `by ${who}` },
    attachPack: { text: `by ${who}` },
    shareDraft: { name: `by ${who}`, content: '{}', isTemplate: false },
    addDelegate: named,
    addDelegateOfAll: named,
    createWebhook: { url: 'https://hooks.example.org/x', events: ['proposed'] },
    inviteViewer: { account: demoAccounts[9].address, label: 'x' },
    createApiToken: { name: 'x', scopes: ['read'], expiresAt: null },
    findPastPrices: { moments: [] },
    findPayments: { payees: [] },
  }
  return bodies[name]
}

async function ask(
  endpoint: AnyEndpoint,
  by: ClientOptions,
  who: Address,
  at: At,
): Promise<{ status: number; code: string; text: string }> {
  const values: Record<string, string> = {
    ...at,
    chainId: String(chainId),
    subjectHash: at.safeTxHash,
    policyHash: at.safeTxHash,
    address: nowhere,
    selector: '0xa9059cbb',
    contract: nowhere,
    author: who,
    account: demoAccounts[9].address,
    delegator: alice.address,
    delegate: demoAccounts[9].address,
    id:
      endpoint.name === 'getPack' ? packId : /^remove(?:Note|Draft|Pack)$/.test(endpoint.name) ? '999' : 'f'.repeat(24),
    alarmId: '999',
    nonce: '0'.repeat(32),
    blockNumber: '0',
    deliveryId: '999',
  }
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? `no-${key}`)
  const queries: Record<string, string> = {
    listBalanceChanges: '?token=native',
    getReviewLists: '?lists=claims,names,abis,policy',
  }
  const query = queries[endpoint.name] ?? ''
  const body = bodyOf(endpoint.name, who)
  const stop = new AbortController()
  const response = await (by.fetch ?? fetch)(`${server.origin}${path}${query}`, {
    method: endpoint.method,
    headers: { ...by.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: stop.signal,
  })
  if (endpoint.media === 'text/event-stream' && response.status === 200) {
    stop.abort()
    return { status: 200, code: '', text: '' }
  }
  const text = await response.text()
  const code = response.status >= 400 ? String(JSON.parse(text).code) : ''
  return { status: response.status, code, text }
}

const letterOf = ({ status }: { status: number }) => (status === 404 ? 'n' : status === 403 ? 'm' : 'y')

/** Deletions come last. */
const inOrder = [...guarded].sort((a, b) => Number(takesAway(a)) - Number(takesAway(b)))

function takesAway({ name }: AnyEndpoint): boolean {
  return /^(delete|remove|revoke)/.test(name)
}

describe('every endpoint', () => {
  test('default: is in this table, and what is mounted is what the contract says', async () => {
    const text = await (await fetch(`${server.origin}/api/openapi.json`)).text()
    const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(text)
    const mounted = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(mounted.sort()).toEqual(endpoints.map(({ name }) => name).sort())
    expect(Object.keys(table).sort()).toEqual(guarded.map(({ name }) => name).sort())
  })

  test('error: NOT_SIGNED_IN without an account', async () => {
    const nobody = { baseUrl: server.origin, headers: { origin: server.origin } }
    for (const endpoint of guarded)
      expect([endpoint.name, (await ask(endpoint, nobody, nowhere, here())).code]).toEqual([
        endpoint.name,
        'NOT_SIGNED_IN',
      ])
  })

  test('behavior: an API token does what its scope says, of what its account may', async () => {
    for (const scope of tokenScopes) {
      const by = await tokenOf(browsers.owner, [scope])
      for (const endpoint of guarded) {
        const needed = scopeNeeded(endpoint.name)
        const { code } = await ask(endpoint, by, alice.address, elsewhere)
        const refusal = needed === 'session' ? 'SESSION_REQUIRED' : needed === scope ? '' : 'SCOPE_MISSING'
        const isRefused = code === 'SESSION_REQUIRED' || code === 'SCOPE_MISSING'
        expect([endpoint.name, scope, isRefused ? code : '']).toEqual([endpoint.name, scope, refusal])
      }
    }
  })

  test('behavior: a Safe of others is for a stranger what one is that nobody knows here; by token too', async () => {
    const token = await tokenOf(browsers.stranger, [...tokenScopes])
    for (const endpoint of guarded) {
      if (takesAway(endpoint) && !endpoint.path.includes('{safeAddress}')) continue
      const told = await ask(endpoint, browsers.stranger, frank.address, here())
      const other = await ask(endpoint, browsers.stranger, frank.address, elsewhere)
      expect([endpoint.name, told.status, told.code]).toEqual([endpoint.name, other.status, other.code])
      if (scopeNeeded(endpoint.name) === 'session') continue
      const byToken = await ask(endpoint, token, frank.address, here())
      expect([endpoint.name, byToken.status, byToken.code]).toEqual([endpoint.name, told.status, told.code])
    }
  })

  test('behavior: gives each of the team what is theirs', async () => {
    const found: Record<string, string> = {}
    for (const endpoint of inOrder) {
      const answers = []
      for (const who of people) answers.push(await ask(endpoint, browsers[who], accounts[who].address, here()))
      found[endpoint.name] = answers.map(letterOf).join('')
    }
    expect(found).toEqual(table)
  })
})

describe('every query of what the team keeps', () => {
  /** As the verbs get it once a check let somebody through, who is of the team no more when it is read. */
  function ctxOf(who: Person): SignedInCtx {
    const { db, chains } = server
    const provenBy = who === 'itself' ? 'contract' : 'key'
    const viewer = { address: accounts[who].address, chainId, provenBy, credential: { kind: 'session', id: who } }
    return { db, chains, clock: () => new Date(), viewer } as Partial<SignedInCtx> as SignedInCtx
  }

  test('behavior: gives others nothing, whatever was checked before', async () => {
    const place = { chainId, safeAddress }
    const { owner } = browsers
    const proposal = await signedTx(safeAddress, alice, { nonce: 7n })
    await call(owner, proposeTransaction, { ...place, ...proposal })
    await call(owner, nameAddress, { ...place, address: nowhere, name: 'Nowhere' })
    await call(owner, addAbi, { ...place, contract: nowhere, name: 'None', abi: '[]' })
    const subjectHash = proposal.safeTxHash
    await call(owner, addNote, { ...place, subjectHash, text: 'Said' })
    await call(owner, attachPack, { ...place, safeTxHash: subjectHash, text: 'Packed' })
    const context = {
      chainId,
      safeAddress,
      version: '1.4.1',
      content: { encoding: 'EIP191_TEXT', text: 'Kept' },
    } as const
    await call(owner, proposeMessage, {
      ...place,
      content: '"Kept"',
      safeMessageHash: hashSafeMessage(context).safeMessageHash,
      signature: await privateKeyToAccount(alice.privateKey).signTypedData(safeMessageTypedData(context)),
    })
    const stored = await call(owner, proposeTransaction, {
      ...place,
      ...(await signedTx(safeAddress, alice, { nonce: 8n })),
    })
    const policy = nextPolicy(place, null)
    await call(owner, proposePolicy, {
      ...place,
      policy: writePolicy(policy),
      signature: await privateKeyToAccount(alice.privateKey).signTypedData(policyTypedData(policy)),
    })
    const reads: Record<string, (ctx: SignedInCtx) => Promise<readonly unknown[]>> = {
      abis: async (ctx) => (await findAbis(ctx, place)).abis,
      activity: async (ctx) => (await findActivity(ctx, place)).entries,
      export: async (ctx) => (await readActivity(ctx, place).next()).value ?? [],
      messages: async (ctx) => (await findMessages(ctx, place)).messages,
      names: async (ctx) => (await findNames(ctx, place)).names,
      drafts: async (ctx) => (await findDrafts(ctx, place)).drafts,
      notes: async (ctx) => (await findNotes(ctx, { ...place, subjectHash })).notes,
      others: (ctx) => findOthers(ctx, stored),
      packs: async (ctx) => (await findPacks(ctx, { ...place, safeTxHash: subjectHash })).packs,
      policy: async (ctx) =>
        [await findInForce(ctx.db, place, ctx), await findProposed(ctx.db, place, ctx)].filter(Boolean),
      queue: async (ctx) => (await findQueue(ctx, place)).transactions,
      signatures: async (ctx) => (await findSignatures(ctx, place)).signed,
    }
    for (const [what, read] of Object.entries(reads)) {
      const found: number[] = []
      for (const who of people) found.push(Math.min(1, (await read(ctxOf(who))).length))
      expect([what, found.join('')]).toEqual([what, '001111'])
    }
  })
})

async function tokenOf(browser: Browser, scopes: TokenScope[]): Promise<ClientOptions> {
  const { token } = await call(browser, createApiToken, { name: 'walk', scopes, expiresAt: null })
  return { baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } }
}

test('behavior: no statement of these requests, the wire or clean-ups scans a table that grows', async () => {
  await walkWire()
  const deps = { db: server.db, clock: () => new Date() }
  await Promise.all([
    ...[removeOldMessages, removeEndedSessions, removeExpiredTokens, removeUnsignedProposals].map((run) => run(deps)),
    removeEndedDelegates(deps, WINDOW_BLOCKS),
    rebuildFrom(deps, chainId, 1_000_000),
  ])
  expect((await findScans(server.databaseUrl, watch.statements)) ?? []).toEqual([])
})

/** Asks for every list of the wire, with each of its filters. */
async function walkWire(): Promise<void> {
  const { ask } = await newTxClient(server, browsers.owner)
  const numbers = ['nonce=1', 'nonce__gte=1', 'value=1', 'value__lt=5']
  const dates = ['execution_date__gte', 'submission_date__lte', 'modified__gt'].map((name) => `${name}=2026-01-01`)
  const multisig = [
    '',
    'executed=true',
    'executed=false&nonce__gte=0',
    'failed=true',
    'trusted=false',
    'has_confirmations=true',
    'has_confirmations=false',
    `to=${nowhere}`,
    `safe_tx_hash=${safeTxHash}`,
    `transaction_hash=${safeTxHash}`,
    'ordering=nonce',
    'ordering=-created',
    'ordering=modified',
    'offset=5',
    ...numbers,
    ...dates,
  ]
  const transfers = [
    '',
    'erc20=true',
    'ether=true',
    `to=${nowhere}`,
    `_from=${nowhere}`,
    'value=1',
    'block_number__gt=1',
  ]
  const ofSafe: [string, string[]][] = [
    ['', ['']],
    ['creation', ['']],
    ['multisig-transactions', multisig],
    ['all-transactions', ['', 'ordering=timestamp', 'offset=5']],
    [
      'transfers',
      [...transfers, `token_address=${nowhere}`, `transaction_hash=${safeTxHash}`, 'execution_date__gt=2026-01-01'],
    ],
    ['incoming-transfers', transfers],
    ['module-transactions', ['', `module=${nowhere}`, `transaction_hash=${safeTxHash}`, 'ordering=created']],
    ['messages', ['', 'ordering=modified', 'offset=3']],
    ['export', ['', 'execution_date__gte=2026-01-01']],
    ['balances', ['', 'trusted=true']],
  ]
  const paths = ofSafe.flatMap(([list, queries]) =>
    queries.map((query) => `/v1/safes/${safeAddress}/${list}${list && '/'}?${query}`),
  )
  for (const path of [
    ...paths,
    `/v2/safes/${safeAddress}/balances/`,
    `/v2/safes/${safeAddress}/collectibles/`,
    `/v1/owners/${alice.address}/safes/`,
    `/v2/owners/${alice.address}/safes/`,
    `/v1/modules/${nowhere}/safes/`,
    `/v2/modules/${nowhere}/safes/`,
    ...['safe', 'delegate', 'delegator', 'label'].map(
      (by) => `/v2/delegates/?${by}=${by === 'safe' ? safeAddress : nowhere}`,
    ),
    `/v2/multisig-transactions/${safeTxHash}/`,
    `/v1/multisig-transactions/${safeTxHash}/confirmations/`,
    `/v1/messages/${safeMessageHash}/`,
    `/v1/transfer/i${safeTxHash.slice(2)}1,1/`,
    `/v1/transfer/e${safeTxHash.slice(2)}1/`,
    `/v1/module-transaction/i${safeTxHash.slice(2)}1,1/`,
    '/v1/about/indexing/',
    '/v1/tokens/',
    '/v1/contracts/',
  ]) {
    const { status, body } = await ask(path)
    expect([path, status < 500 ? null : body]).toEqual([path, null])
  }
}
