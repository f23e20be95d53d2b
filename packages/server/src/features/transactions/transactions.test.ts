import {
  addSafe,
  call,
  confirmTransaction,
  getSafe,
  getTransaction,
  listHistory,
  listQueue,
  listSafes,
  type MultisigTransaction,
  proposeTransaction,
  recordExecution,
} from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { encodeSignatures } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { eq, inArray } from 'drizzle-orm'
import { type Address, createWalletClient, getAddress, type Hex, http, numberToHex, pad } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { waitForTransactionReceipt } from 'viem/actions'
import { describe, expect, test } from 'vitest'
import { safe, safeListEntry } from '../../db/schema.ts'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  chainId,
  devnet,
  openTeam,
  server,
  stranger,
} from '../../test/scene.ts'
import { type Browser, codeOf, eventually, newSafe, signedTx, signInAs } from '../../test/test-server.ts'

openTeam()

async function rpc(method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(devnet.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: { result?: unknown } = JSON.parse(await response.text())
  return answer.result
}

async function executed(browser: Browser, safeAddress: Address): Promise<MultisigTransaction[]> {
  const { entries } = await call(browser, listHistory, { chainId, safeAddress, kinds: ['executed'] })
  return entries.flatMap(({ transaction }) => transaction ?? [])
}

/** Executes with two confirmations, past the product. */
async function executeOutside(
  safeAddress: Address,
  fields = {},
  version = '1.4.1',
): Promise<{ safeTxHash: Hex; transactionHash: Hex }> {
  const [one, two] = await Promise.all([
    signedTx(safeAddress, alice, fields, { version }),
    signedTx(safeAddress, bob, fields, { version }),
  ])
  const signatures = encodeSignatures([
    { owner: alice.address, signature: one.signature },
    { owner: bob.address, signature: two.signature },
  ])
  const wallet = createWalletClient({
    account: privateKeyToAccount(demoAccounts[8].privateKey),
    transport: http(devnet.rpcUrl),
  })
  const transactionHash = await wallet.sendTransaction({
    chain: null,
    to: safeAddress,
    data: encodeExecTransaction(one.safeTx, signatures),
    gas: 500_000n,
  })
  // A node names the hash before the block is there.
  await waitForTransactionReceipt(wallet, { hash: transactionHash, pollingInterval: 20 })
  return { safeTxHash: one.safeTxHash, transactionHash }
}

describe('addSafe', () => {
  test('default: read from the chain, in the list of owners at once', async () => {
    const address = await newSafe(devnet.rpcUrl)
    const safe = await call(asAlice, addSafe, { chainId, address })
    expect(safe).toMatchObject({ address, threshold: 2, nonce: 0, version: '1.4.1+L2', role: 'owner' })
    const { safes } = await call(asBob, listSafes, {})
    expect(safes.map((listed) => listed.address)).toContain(address)
  })

  test('error: TOO_MANY for the 201st, also of several at a time; the same again is none', async () => {
    const account = demoAccounts[7]
    const browser = await signInAs(server, account)
    const facts = { chainId, threshold: 1, nonce: 0n, domainVersion: '1.4.1', blockNumber: 0, addedAt: new Date() }
    const others = Array.from({ length: 198 }, (_, at) => getAddress(pad(numberToHex(at + 1), { size: 20 })))
    await server.db.insert(safe).values(others.map((address) => ({ ...facts, address, owners: [] })))
    await server.db
      .insert(safeListEntry)
      .values(others.map((safeAddress) => ({ account: account.address, chainId, safeAddress, addedAt: new Date() })))
    const addresses: Address[] = []
    for (let count = 0; count < 5; count += 1) addresses.push(await newSafe(devnet.rpcUrl))
    const add = (address: Address) => codeOf(call(browser, addSafe, { chainId, address }))
    const codes = await Promise.all(addresses.map(add))
    expect(codes.toSorted()).toEqual(['TOO_MANY', 'TOO_MANY', 'TOO_MANY', 'no error', 'no error'])
    for (const [at, address] of addresses.entries()) expect(await add(address)).toBe(codes[at])
    await server.db.delete(safeListEntry).where(eq(safeListEntry.account, account.address))
    await server.db.delete(safe).where(inArray(safe.address, others))
  })

  test('error: NOT_A_SAFE', async () => {
    expect(await codeOf(call(asAlice, addSafe, { chainId, address: demoAccounts[7].address }))).toBe('NOT_A_SAFE')
    expect(await codeOf(call(asAlice, addSafe, { chainId, address: devnet.tokens.erc20 }))).toBe('NOT_A_SAFE')
  })

  test('error: CHAIN_NOT_CONFIGURED, SAFE_NOT_FOUND', async () => {
    const address = await addedSafe()
    expect(await codeOf(call(asAlice, addSafe, { chainId: 5, address }))).toBe('CHAIN_NOT_CONFIGURED')
    expect(await codeOf(call(asStranger, getSafe, { chainId, safeAddress: address }))).toBe('SAFE_NOT_FOUND')
  })
})

describe('proposeTransaction and confirmTransaction', () => {
  test('default: two owners', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signedTx(safeAddress, alice, { value: 5n })
    const proposed = await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal, origin: 'Rent' })
    expect(proposed).toMatchObject({
      proposer: alice.address,
      origin: 'Rent',
      confirmationsRequired: 2,
      isExecuted: false,
    })
    expect(proposed.safeTx).toEqual(proposal.safeTx)
    const [mine] = (await call(asBob, listSafes, {})).safes.filter((listed) => listed.address === safeAddress)
    expect(mine?.awaitingMyConfirmation).toBe(1)

    const { safeTxHash } = proposal
    const { signature } = await signedTx(safeAddress, bob, { value: 5n })
    const confirmed = await call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
    expect(confirmed.confirmations.map(({ owner }) => owner)).toEqual([alice.address, bob.address])
    expect((await call(asAlice, listQueue, { chainId, safeAddress })).transactions).toEqual([confirmed])
  })

  test('behavior: the same again changes nothing', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signedTx(safeAddress, alice)
    const first = await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal, origin: 'First' })
    const again = await Promise.all(
      [1, 2, 3].map(() => call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal, origin: 'Second' })),
    )
    for (const answer of again) expect(answer).toEqual(first)
    const { safeTxHash, signature } = proposal
    expect(await call(asAlice, confirmTransaction, { chainId, safeTxHash, signature })).toEqual(first)
  })

  test('behavior: eth_sign is taken', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signedTx(safeAddress, alice)
    const raw = await privateKeyToAccount(alice.privateKey).signMessage({ message: { raw: proposal.safeTxHash } })
    const v = Number.parseInt(raw.slice(-2), 16) + 4
    const signature: Hex = `0x${raw.slice(2, -2)}${v.toString(16)}`
    const stored = await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal, signature })
    expect(stored.confirmations[0]).toMatchObject({ owner: alice.address, signatureType: 'ETH_SIGN', signature })
  })

  test('behavior: a stranger learns nothing', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signedTx(safeAddress, alice)
    const { safeTxHash } = proposal
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
    const { signature } = await signedTx(safeAddress, stranger)
    expect(await codeOf(call(asStranger, getTransaction, { chainId, safeTxHash }))).toBe('TRANSACTION_NOT_FOUND')
    expect(await codeOf(call(asStranger, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
    expect(await codeOf(call(asStranger, listQueue, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    expect(await codeOf(call(asStranger, listQueue, { chainId, safeAddress }))).toBe('NOT_A_MEMBER')
    expect(await codeOf(call(asStranger, getTransaction, { chainId, safeTxHash }))).toBe('TRANSACTION_NOT_FOUND')
    const transactionHash = safeTxHash
    expect(await codeOf(call(asStranger, recordExecution, { chainId, safeTxHash, transactionHash }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
    const own = await signedTx(safeAddress, stranger)
    expect(await codeOf(call(asStranger, proposeTransaction, { chainId, safeAddress, ...own }))).toBe(
      'NOT_OWNER_OR_DELEGATE',
    )
  })

  test('error: every misfit is refused and changes nothing', async () => {
    const safeAddress = await addedSafe()
    const good = await signedTx(safeAddress, alice)
    const bobs = await signedTx(safeAddress, bob)
    const strangers = await signedTx(safeAddress, stranger)
    const propose = (changes: Partial<typeof good>) =>
      codeOf(call(asAlice, proposeTransaction, { chainId, safeAddress, ...good, ...changes }))
    expect(await propose({ safeTxHash: `0x${'1'.repeat(64)}` })).toBe('SAFE_TX_HASH_MISMATCH')
    expect(await propose({ safeTx: { ...good.safeTx, value: 1n } })).toBe('SAFE_TX_HASH_MISMATCH')
    expect(await propose({ sender: bob.address })).toBe('SENDER_MISMATCH')
    expect(await propose({ signature: bobs.signature })).toBe('SENDER_MISMATCH')
    expect(await propose({ signature: strangers.signature })).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await propose({ signature: '0x1234' })).toBe('SIGNATURE_MALFORMED')
    expect(await propose({ signature: `0x${alice.address.slice(2).padStart(64, '0')}${'0'.repeat(64)}01` })).toBe(
      'SIGNATURE_INVALID',
    )
    expect((await call(asAlice, listQueue, { chainId, safeAddress })).transactions).toEqual([])

    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...good })
    const confirm = (signature: Hex) =>
      codeOf(call(asAlice, confirmTransaction, { chainId, safeTxHash: good.safeTxHash, signature }))
    expect(await confirm(bobs.signature)).toBe('ACCOUNT_MISMATCH')
    expect(await confirm(strangers.signature)).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(
      await codeOf(
        call(asAlice, confirmTransaction, { chainId, safeTxHash: `0x${'2'.repeat(64)}`, signature: good.signature }),
      ),
    ).toBe('TRANSACTION_NOT_FOUND')
  })

  test('error: NONCE_ALREADY_EXECUTED, TRANSACTION_ALREADY_EXECUTED', async () => {
    const safeAddress = await addedSafe()
    const rival = await signedTx(safeAddress, alice, { data: '0x12' })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...rival })
    const { safeTxHash } = await executeOutside(safeAddress)
    const late = await signedTx(safeAddress, alice, { data: '0x34' })
    expect(await codeOf(call(asAlice, proposeTransaction, { chainId, safeAddress, ...late }))).toBe(
      'NONCE_ALREADY_EXECUTED',
    )
    const bobs = await signedTx(safeAddress, bob, { data: '0x12' })
    expect(
      await codeOf(
        call(asBob, confirmTransaction, { chainId, safeTxHash: rival.safeTxHash, signature: bobs.signature }),
      ),
    ).toBe('NONCE_ALREADY_EXECUTED')
    await eventually(async () => (await call(asBob, getSafe, { chainId, safeAddress })).nonce === 1)
    expect((await call(asAlice, listQueue, { chainId, safeAddress })).transactions).toEqual([])
    const own = await signedTx(safeAddress, bob)
    await eventually(async () => (await executed(asBob, safeAddress)).length === 1)
    expect(await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature: own.signature }))).toBe(
      'TRANSACTION_ALREADY_EXECUTED',
    )
  })
})

describe('follower', () => {
  test.each([
    ['1.4.1', true],
    ['1.4.1', false],
    ['1.3.0', true],
    ['1.3.0', false],
    ['1.5.0', false],
  ] as const)('behavior: an execution made outside is recorded with its fields, %s, L2 %s', async (version, l2) => {
    const safeAddress = await addedSafe({ version, l2 })
    const { safeTxHash, transactionHash } = await executeOutside(safeAddress, {}, version)
    const [found] = await eventually(async () => {
      const transactions = await executed(asAlice, safeAddress)
      return transactions.length > 0 && transactions
    })
    expect(found).toMatchObject({
      safeTxHash,
      transactionHash,
      isExecuted: true,
      isSuccessful: true,
      proposer: null,
      executor: demoAccounts[8].address,
    })
    expect(found?.safeTx?.nonce).toBe(0n)
    expect(found?.confirmations.map(({ owner }) => owner).sort()).toEqual([alice.address, bob.address].sort())
    expect((await call(asAlice, getSafe, { chainId, safeAddress })).nonce).toBe(1)
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    const [seen] = await executed(asStranger, safeAddress)
    expect(seen).toMatchObject({ safeTxHash, confirmations: [], origin: null })
  })

  test('behavior: history from before the Safe was added', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl)
    const hashes: Hex[] = []
    for (const nonce of [0n, 1n, 2n]) hashes.unshift((await executeOutside(safeAddress, { nonce })).safeTxHash)
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const found = await eventually(async () => {
      const transactions = await executed(asAlice, safeAddress)
      return transactions.length === 3 && transactions
    })
    expect(found.map(({ safeTxHash }) => safeTxHash)).toEqual(hashes)
    const input = { chainId, safeAddress, kinds: ['executed' as const], limit: 2 }
    const first = await call(asAlice, listHistory, input)
    expect(first.entries).toHaveLength(2)
    const second = await call(asAlice, listHistory, { ...input, cursor: first.nextCursor ?? '' })
    expect(second.entries.map(({ safeTxHash }) => safeTxHash)).toEqual([hashes[2]])
    expect(second.nextCursor).toBeNull()
  })

  test('behavior: a reorganisation takes executions back', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signedTx(safeAddress, alice)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
    const snapshot = await rpc('evm_snapshot')
    const { safeTxHash } = await executeOutside(safeAddress)
    const outside = await executeOutside(safeAddress, { nonce: 1n })
    await eventually(async () => (await executed(asAlice, safeAddress)).length === 2)
    await rpc('evm_revert', [snapshot])
    await rpc('anvil_dropAllTransactions')
    await rpc('anvil_mine', ['0x5'])
    await eventually(async () => (await call(asAlice, listQueue, { chainId, safeAddress })).transactions.length === 1)
    const { transaction } = await call(asAlice, getTransaction, { chainId, safeTxHash })
    expect(transaction).toMatchObject({ isExecuted: false, transactionHash: null, executionDate: null })
    expect(await codeOf(call(asAlice, getTransaction, { chainId, safeTxHash: outside.safeTxHash }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
    expect((await call(asAlice, getSafe, { chainId, safeAddress })).nonce).toBe(0)
    await executeOutside(safeAddress)
    await eventually(async () => (await call(asAlice, getTransaction, { chainId, safeTxHash })).transaction.isExecuted)
  })
})

describe('recordExecution', () => {
  test('default: a claim until the chain shows it', async () => {
    const safeAddress = await addedSafe()
    const proposal = await signedTx(safeAddress, alice)
    const { safeTxHash } = proposal
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
    const transactionHash: Hex = `0x${'a'.repeat(64)}`
    const sent = await call(asBob, recordExecution, { chainId, safeTxHash, transactionHash })
    expect(sent.pendingExecution).toMatchObject({ transactionHash, executor: bob.address })
    await executeOutside(safeAddress)
    const done = await eventually(async () => {
      const { transaction } = await call(asAlice, getTransaction, { chainId, safeTxHash })
      return transaction.isExecuted && transaction
    })
    expect(done.pendingExecution).toBeNull()
  })
})
