import {
  addSafe,
  approvePolicy,
  call,
  confirmMessage,
  confirmTransaction,
  discardPolicy,
  getPolicy,
  getReviewLists,
  getSafe,
  getSpentAmounts,
  listMessages,
  proposeMessage,
  proposePolicy,
  proposeTransaction,
  withdrawPolicyEntry,
} from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import {
  type AllowEntry,
  hashAllowEntry,
  hashPolicy,
  nextPolicy,
  policyTypedData,
  type TeamPolicy,
  withdrawalTypedData,
  writePolicy,
} from '@countersign/review'
import {
  type CountersignError,
  encodeSignatures,
  hashSafeMessage,
  parseMessageContent,
  safeMessageTypedData,
} from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, keccak256, parseAbi, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { toBytes } from '../../db/columns.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
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
  isExecuted,
  makeDelegate,
  openTeam,
  proposed,
  removeDelegate,
  server,
  verbsOf,
} from '../../test/scene.ts'
import { type Browser, codeOf, eventually, signedTx } from '../../test/test-server.ts'
import { newTxClient } from '../../test/tx-client.ts'

openTeam()

const payee = demoAccounts[5].address
const other = demoAccounts[6].address
const keyOf = ({ privateKey }: DemoAccount) => privateKeyToAccount(privateKey)

async function signed(policy: TeamPolicy, account: DemoAccount) {
  const { chainId: chain, safeAddress } = policy
  const signature = await keyOf(account).signTypedData(policyTypedData(policy))
  return { chainId: chain, safeAddress, policy: writePolicy(policy), policyHash: hashPolicy(policy), signature }
}

/** A first version of a new Safe with this in it. */
function firstOf(safeAddress: Address, change: Partial<TeamPolicy> = {}): TeamPolicy {
  return { ...nextPolicy({ chainId, safeAddress }, null), ...change }
}

async function adopt(policy: TeamPolicy): Promise<void> {
  await call(asAlice, proposePolicy, await signed(policy, alice))
  const { inForceSince } = await call(asBob, approvePolicy, await signed(policy, bob))
  expect(inForceSince).not.toBeNull()
}

/** A Safe whose policy says this, of alice, bob and carol. */
async function safeWith(change: Partial<TeamPolicy>, options: Parameters<typeof addedSafe>[0] = {}): Promise<Address> {
  const safeAddress = await addedSafe(options)
  await adopt(firstOf(safeAddress, change))
  return safeAddress
}

/** The restriction that a request breaks. */
async function ruleOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'none',
    (error: CountersignError) => (error.code === 'POLICY_RESTRICTS' ? error.data.rule : error.code),
  )
}

async function propose(
  safeAddress: Address,
  fields: Parameters<typeof signedTx>[2],
  by: Browser = asAlice,
  who: DemoAccount = alice,
) {
  return ruleOf(call(by, proposeTransaction, { chainId, safeAddress, ...(await signedTx(safeAddress, who, fields)) }))
}

describe('a version', () => {
  test('default: is in force once enough owners signed it, and the log says who did', async () => {
    const safeAddress = await addedSafe()
    const place = { chainId, safeAddress }
    expect(await call(asAlice, getPolicy, place)).toEqual({ inForce: null, proposed: null })
    const policy = firstOf(safeAddress, { noDelegatecall: true })
    const first = await call(asAlice, proposePolicy, await signed(policy, alice))
    expect(first).toMatchObject({ number: 1, proposer: alice.address, inForceSince: null, hash: hashPolicy(policy) })
    // A second time it changes nothing.
    await call(asAlice, proposePolicy, await signed(policy, alice))
    await call(asAlice, approvePolicy, await signed(policy, alice))
    expect((await call(asBob, getPolicy, place)).inForce).toBeNull()
    await call(asBob, approvePolicy, await signed(policy, bob))
    const { inForce, proposed: open } = await call(asBob, getPolicy, place)
    expect(inForce?.approvals.map(({ owner }) => owner)).toEqual([alice.address, bob.address])
    expect(inForce?.policy).toBe(writePolicy(policy))
    expect(open).toBeNull()
    expect((await verbsOf(safeAddress)).slice(0, 2)).toEqual(['approved-policy', 'proposed-policy'])
  })

  test('behavior: the Safe says to the team whether there is one, proposed or in force', async () => {
    const safeAddress = await addedSafe()
    const place = { chainId, safeAddress }
    const hasPolicy = (browser: Browser) => call(browser, getSafe, place).then((safe) => safe.hasPolicy)
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    expect(await hasPolicy(asBob)).toBe(false)
    const first = await signed(firstOf(safeAddress), alice)
    await call(asAlice, proposePolicy, first)
    expect(await hasPolicy(asBob)).toBe(true)
    expect(await hasPolicy(asStranger)).toBe(false)
    await call(asAlice, discardPolicy, { ...place, policyHash: first.policyHash })
    expect(await hasPolicy(asBob)).toBe(false)
    await adopt(firstOf(safeAddress))
    expect(await hasPolicy(asBob)).toBe(true)
    expect(await hasPolicy(asStranger)).toBe(false)
  })

  test('error: POLICY_CONFLICT for one of two owners who propose at once', async () => {
    const safeAddress = await addedSafe()
    const mine = await signed(firstOf(safeAddress, { reason: 'Mine' }), alice)
    const yours = await signed(firstOf(safeAddress, { reason: 'Yours' }), bob)
    const codes = await Promise.all([
      codeOf(call(asAlice, proposePolicy, mine)),
      codeOf(call(asBob, proposePolicy, yours)),
    ])
    expect(codes.toSorted()).toEqual(['POLICY_CONFLICT', 'no error'])
    const { proposed: open } = await call(asAlice, getPolicy, { chainId, safeAddress })
    const [won, lost] = codes[0] === 'no error' ? [mine, yours] : [yours, mine]
    expect(open?.hash).toBe(won.policyHash)
    // The second one discards it, and comes first then.
    await call(asBob, discardPolicy, { chainId, safeAddress, policyHash: won.policyHash })
    expect(await codeOf(call(won === mine ? asBob : asAlice, proposePolicy, lost))).toBe('no error')
  })

  test('error: POLICY_CONFLICT with another number or predecessor; POLICY_MALFORMED of another Safe', async () => {
    const safeAddress = await safeWith({ noDelegatecall: true })
    const before = firstOf(safeAddress, { noDelegatecall: true })
    const next = nextPolicy(before, { policy: before, hash: hashPolicy(before) })
    const codeFor = async (policy: TeamPolicy) =>
      codeOf(call(asAlice, proposePolicy, { ...(await signed(policy, alice)), chainId, safeAddress }))
    expect(await codeFor(firstOf(safeAddress))).toBe('POLICY_CONFLICT')
    expect(await codeFor({ ...next, number: 3 })).toBe('POLICY_CONFLICT')
    expect(await codeFor({ ...next, previousHash: keccak256('0x') })).toBe('POLICY_CONFLICT')
    expect(await codeFor({ ...next, safeAddress: payee })).toBe('POLICY_MALFORMED')
    expect(await codeFor({ ...next, chainId: 1 })).toBe('POLICY_MALFORMED')
    expect(await codeFor(next)).toBe('no error')
  })

  test('error: NOT_AN_OWNER, SIGNATURE_INVALID, POLICY_NOT_FOUND', async () => {
    const safeAddress = await addedSafe()
    await makeDelegate(safeAddress, alice.address)
    const policy = firstOf(safeAddress)
    expect(await codeOf(call(asDave, proposePolicy, await signed(policy, dave)))).toBe('NOT_AN_OWNER')
    expect(await codeOf(call(asStranger, proposePolicy, await signed(policy, dave)))).toBe('SAFE_NOT_FOUND')
    expect(await codeOf(call(asAlice, proposePolicy, await signed(policy, bob)))).toBe('SIGNATURE_INVALID')
    const onOther = { ...(await signed(policy, alice)), policy: writePolicy({ ...policy, noDelegatecall: true }) }
    expect(await codeOf(call(asAlice, proposePolicy, onOther))).toBe('SIGNATURE_INVALID')
    expect(await codeOf(call(asBob, approvePolicy, await signed(policy, bob)))).toBe('POLICY_NOT_FOUND')
    await removeDelegate(alice.address)
  })

  test('behavior: the approval of an owner who was removed meanwhile does not count', async () => {
    const owners = [alice.address, bob.address, carol.address]
    const safeAddress = await addedSafe({ owners, threshold: 1 })
    const policy = firstOf(safeAddress)
    await call(asBob, proposePolicy, await signed(policy, bob))
    const data = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'removeOwner',
      args: [alice.address, bob.address, 1n],
    })
    await actor.execute(safeAddress, { to: safeAddress, data })
    const approved = await call(asAlice, approvePolicy, await signed(policy, alice))
    expect(approved).toMatchObject({
      inForceSince: null,
      approvals: [{ owner: bob.address }, { owner: alice.address }],
    })
    expect(await codeOf(call(asBob, approvePolicy, await signed(policy, bob)))).toBe('SAFE_NOT_FOUND')
  })

  test('behavior: in a Safe with one owner the proposer is enough', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { inForceSince } = await call(asAlice, proposePolicy, await signed(firstOf(safeAddress), alice))
    expect(inForceSince).not.toBeNull()
  })
})

describe('an entry', () => {
  const entry: AllowEntry = {
    kind: 'delegatecall',
    address: payee,
    codeHash: keccak256('0x01'),
    selector: '0xdeadbeef',
    implementation: null,
    implementationCodeHash: null,
    name: 'Payroll',
  }

  test('default: is taken back by any one owner, with a signature', async () => {
    const safeAddress = await safeWith({ allowed: [entry] })
    const policyHash = hashPolicy(firstOf(safeAddress, { allowed: [entry] }))
    const withdrawal = { chainId, safeAddress, policyHash, entryHash: hashAllowEntry(entry) }
    const signature = await keyOf(bob).signTypedData(withdrawalTypedData(withdrawal))
    expect(await codeOf(call(asAlice, withdrawPolicyEntry, { ...withdrawal, signature }))).toBe('SIGNATURE_INVALID')
    const answer = await call(asBob, withdrawPolicyEntry, { ...withdrawal, signature })
    expect(answer.withdrawals).toMatchObject([{ entryHash: withdrawal.entryHash, owner: bob.address, signature }])
    await call(asBob, withdrawPolicyEntry, { ...withdrawal, signature })
    expect((await verbsOf(safeAddress)).filter((verb) => verb === 'withdrew-policy-entry')).toHaveLength(1)
    const unknown = { ...withdrawal, entryHash: zeroHash }
    const onUnknown = await keyOf(bob).signTypedData(withdrawalTypedData(unknown))
    expect(await codeOf(call(asBob, withdrawPolicyEntry, { ...unknown, signature: onUnknown }))).toBe(
      'POLICY_NOT_FOUND',
    )
  })
})

describe('restrictions', () => {
  const erc20 = parseAbi(['function transfer(address to, uint256 amount)'])

  test('error: POLICY_RESTRICTS for a proposal that breaks one, which is not kept', async () => {
    const safeAddress = await safeWith({
      recipientsOnly: true,
      recipients: [payee],
      noDelegatecall: true,
      amountLimits: [{ asset: zeroAddress, amount: 100n, period: 86_400 }],
      refundLimits: [{ asset: zeroAddress, amount: 10n }],
    })
    expect(await propose(safeAddress, { to: payee, value: 100n })).toBe('none')
    expect(await propose(safeAddress, { to: payee, value: 101n })).toBe('amount')
    expect(await propose(safeAddress, { to: other, value: 1n })).toBe('recipient')
    expect(await propose(safeAddress, { to: payee, operation: 1, data: '0xdeadbeef' })).toBe('amount')
    const token = encodeFunctionData({ abi: erc20, args: [other, 1n] })
    expect(await propose(safeAddress, { to: payee, data: token })).toBe('recipient')
    expect(await propose(safeAddress, { to: payee, gasPrice: 2n, safeTxGas: 5n, baseGas: 1n })).toBe('refund')
    // Neither cancelling nor owners are ever restricted.
    expect(await propose(safeAddress, { to: safeAddress })).toBe('none')
    const swap = encodeFunctionData({
      abi: parseAbi(['function swapOwner(address prevOwner, address oldOwner, address newOwner)']),
      args: [alice.address, bob.address, other],
    })
    expect(await propose(safeAddress, { to: safeAddress, data: swap, nonce: 1n })).toBe('none')
  })

  test('behavior: the wire is refused by the same rule, without the values of the policy', async () => {
    const safeAddress = await safeWith({ recipientsOnly: true, recipients: [payee] })
    const client = await newTxClient(server, asAlice)
    const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, alice, { to: other, value: 1n })
    const { value, safeTxGas, baseGas, gasPrice, nonce, ...rest } = safeTx
    const numbers = Object.entries({ value, safeTxGas, baseGas, gasPrice, nonce }).map(([name, number]) => [
      name,
      String(number),
    ])
    const body = {
      ...rest,
      ...Object.fromEntries(numbers),
      contractTransactionHash: safeTxHash,
      sender: alice.address,
      signature,
    }
    const answer = await client.post(`/v2/safes/${safeAddress}/multisig-transactions/`, body)
    expect(answer.status).toBe(403)
    expect(JSON.stringify(answer.body)).toContain('recipient')
    const nobody = await fetch(
      `${server.origin}/tx-service/${chainId}/api/v2/safes/${safeAddress}/multisig-transactions/`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    )
    expect(nobody.status).toBe(401)
    expect(await nobody.text()).not.toContain(other)
  })

  test('error: POLICY_RESTRICTS for a confirmation of what was proposed before the policy, also from the wire', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress, { to: other, value: 1n })
    await adopt(firstOf(safeAddress, { recipientsOnly: true, recipients: [payee] }))
    const { signature } = await signedTx(safeAddress, bob, { to: other, value: 1n })
    expect(await ruleOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe('recipient')
    const imported = { chainId, safeTxHash, signature, isImported: true }
    expect(await ruleOf(call(asAlice, confirmTransaction, imported))).toBe('recipient')
    const client = await newTxClient(server, asBob)
    const answer = await client.post(`/v1/multisig-transactions/${safeTxHash}/confirmations/`, { signature })
    expect(answer.status).toBe(403)
    // Proposing it again brings no confirmation either.
    expect(await propose(safeAddress, { to: other, value: 1n }, asBob, bob)).toBe('recipient')
  })

  test('behavior: what the chain executed is recorded, whatever the policy says', async () => {
    const safeAddress = await safeWith({ recipientsOnly: true, recipients: [payee] })
    await actor.send({ to: safeAddress, value: 10n })
    const [one, two] = await Promise.all(
      [alice, bob].map((who) => signedTx(safeAddress, who, { to: other, value: 1n })),
    )
    if (!one || !two) throw new Error('Two owners sign.')
    const confirmations = [one, two].map(({ sender: owner, signature }) => ({ owner, signature }))
    const data = encodeExecTransaction(one.safeTx, encodeSignatures(confirmations))
    await actor.send({ to: safeAddress, data })
    await eventually(() => isExecuted(one.safeTxHash))
  })

  test('behavior: a required reviewer is needed by the last confirmation, not by the first', async () => {
    const reviewers = [{ reviewer: carol.address, asset: zeroAddress, above: 5n }]
    const safeAddress = await safeWith({ reviewers })
    const fields = { to: payee, value: 6n }
    const { safeTxHash } = await proposed(safeAddress, fields)
    const { signature } = await signedTx(safeAddress, bob, fields)
    expect(await ruleOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe('reviewer')
    const ofCarol = await signedTx(safeAddress, carol, fields)
    const both = { chainId, safeTxHash, signature: ofCarol.signature, isImported: true }
    expect(await ruleOf(call(asBob, confirmTransaction, both))).toBe('none')
    expect(await ruleOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe('none')
    const small = await proposed(safeAddress, { to: payee, value: 5n, nonce: 1n })
    const ofBob = await signedTx(safeAddress, bob, { to: payee, value: 5n, nonce: 1n })
    expect(await ruleOf(call(asBob, confirmTransaction, { chainId, ...small, signature: ofBob.signature }))).toBe(
      'none',
    )
  })

  test('behavior: of two confirmations at once, one needs the reviewer, whichever way they come', async () => {
    const safeAddress = await safeWith({ reviewers: [{ reviewer: carol.address, asset: null, above: 0n }] })
    await makeDelegate(safeAddress, alice.address)
    for (let nonce = 0n; nonce < 8n; nonce += 1n) {
      const fields = { to: payee, value: 6n, nonce }
      expect(await propose(safeAddress, fields, asDave, dave)).toBe('none')
      const { safeTxHash, signature } = await signedTx(safeAddress, bob, fields)
      const rules = await Promise.all([
        propose(safeAddress, fields),
        ruleOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature })),
      ])
      expect(rules.toSorted()).toEqual(['none', 'reviewer'])
    }
    await removeDelegate(alice.address)
  })
})

describe('messages', () => {
  const asset = demoAccounts[7].address
  /** A permit of ERC-2612, as an application hands it over. */
  const permit = (value: bigint, spender: Address = payee) =>
    JSON.stringify({
      domain: { name: 'Token', version: '1', chainId, verifyingContract: asset },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: { owner: payee, spender, value: String(value), nonce: '0', deadline: '1' },
    })
  async function signedMessage(safeAddress: Address, content: string, account: DemoAccount) {
    const context = { chainId, safeAddress, version: '1.4.1', content: parseMessageContent(content) }
    const { safeMessageHash } = hashSafeMessage(context)
    return { content, safeMessageHash, signature: await keyOf(account).signTypedData(safeMessageTypedData(context)) }
  }
  const proposeIn = async (safeAddress: Address, content: string) =>
    ruleOf(
      call(asAlice, proposeMessage, { chainId, safeAddress, ...(await signedMessage(safeAddress, content, alice)) }),
    )

  test('error: POLICY_RESTRICTS for a permit above the limit, or for a stranger; a text is left alone', async () => {
    const limit = { amountLimits: [{ asset, amount: 100n, period: 86_400 }] }
    const safeAddress = await safeWith({ ...limit, recipientsOnly: true, recipients: [payee] })
    expect(await proposeIn(safeAddress, permit(101n))).toBe('amount')
    expect(await proposeIn(safeAddress, permit(1n, other))).toBe('recipient')
    const { messages } = await call(asAlice, listMessages, { chainId, safeAddress })
    expect(messages).toEqual([])
    expect(await proposeIn(safeAddress, permit(100n))).toBe('none')
    expect(await proposeIn(safeAddress, '"Hello"')).toBe('none')
    // Queued transactions count beside it.
    const approve = encodeFunctionData({
      abi: parseAbi(['function approve(address spender, uint256 amount)']),
      args: [payee, 60n],
    })
    const approval = { to: asset, data: approve }
    const loose = await safeWith(limit)
    expect(await propose(loose, approval)).toBe('none')
    expect(await proposeIn(loose, permit(41n))).toBe('amount')
    expect(await proposeIn(loose, permit(40n))).toBe('none')
  })

  test.each([0n, 5n, 2n ** 255n])(
    'error: POLICY_RESTRICTS for transferFrom with %s of a contract that no list has',
    async (number) => {
      const safeAddress = await safeWith({ amountLimits: [{ asset, amount: 100n, period: 86_400 }] })
      const data = encodeFunctionData({
        abi: parseAbi(['function transferFrom(address from, address to, uint256 amount)']),
        args: [safeAddress, payee, number],
      })
      expect(await propose(safeAddress, { to: asset, data })).toBe('amount')
    },
  )

  test('behavior: the last confirmation of a message needs the reviewer', async () => {
    const reviewers = [{ reviewer: carol.address, asset, above: 5n }]
    const safeAddress = await safeWith({ reviewers })
    expect(await proposeIn(safeAddress, permit(6n))).toBe('none')
    const { safeMessageHash, signature } = await signedMessage(safeAddress, permit(6n), bob)
    const confirming = { chainId, safeMessageHash }
    expect(await ruleOf(call(asBob, confirmMessage, { ...confirming, signature }))).toBe('reviewer')
    const ofCarol = await signedMessage(safeAddress, permit(6n), carol)
    const brought = { ...confirming, signature: ofCarol.signature, isImported: true }
    expect(await ruleOf(call(asBob, confirmMessage, brought))).toBe('none')
    expect(await ruleOf(call(asBob, confirmMessage, { ...confirming, signature }))).toBe('none')
  })
})

describe('amounts', () => {
  const limits = { amountLimits: [{ asset: zeroAddress, amount: 100n, period: 86_400 }] }

  test('behavior: who confirms and who proposes the same again never wait for one another', async () => {
    const safeAddress = await safeWith(limits)
    for (let nonce = 0n; nonce < 10n; nonce += 1n) {
      const fields = { to: payee, value: 6n, nonce }
      const { safeTxHash } = await proposed(safeAddress, fields)
      const { signature } = await signedTx(safeAddress, bob, fields)
      const rules = await Promise.all([
        propose(safeAddress, fields),
        ruleOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature })),
        propose(safeAddress, fields),
      ])
      expect(rules).toEqual(['none', 'none', 'none'])
    }
  })

  test('behavior: what the chain executed counts until the history has it', async () => {
    const owners = [alice.address, bob.address]
    const safeAddress = await safeWith(limits, { owners, threshold: 1 })
    expect(await propose(safeAddress, { to: payee, value: 60n })).toBe('none')
    // The Safe was read with the next nonce, in a block that nobody followed yet.
    await server.db.execute(sql`update safe set nonce = 1, block_number = 1000000000
      where chain_id = ${chainId} and address = ${sql.param(toBytes(safeAddress))}`)
    const { spent } = await call(asAlice, getSpentAmounts, { chainId, safeAddress })
    expect(spent).toMatchObject([{ executed: 0n, queued: 60n }])
  })

  test('behavior: executed and queued count together, of rivals the larger', async () => {
    const owners = [alice.address, bob.address]
    const ofToken = { asset: other, amount: 5n, period: 3_600 }
    const amountLimits = [...limits.amountLimits, ofToken]
    const safeAddress = await safeWith({ amountLimits }, { owners, threshold: 1 })
    const place = { chainId, safeAddress }
    await actor.send({ to: safeAddress, value: 1_000n })
    const { safeTxHash } = await actor.execute(safeAddress, { to: payee, value: 30n })
    await eventually(() => isExecuted(safeTxHash))
    expect(await propose(safeAddress, { to: payee, value: 71n, nonce: 1n })).toBe('amount')
    expect(await propose(safeAddress, { to: payee, value: 40n, nonce: 1n })).toBe('none')
    expect(await propose(safeAddress, { to: payee, value: 10n, nonce: 1n })).toBe('none')
    expect(await propose(safeAddress, { to: payee, value: 31n, nonce: 2n })).toBe('amount')
    expect(await propose(safeAddress, { to: payee, value: 30n, nonce: 2n })).toBe('none')
    const ofAll = { asset: zeroAddress, period: 86_400, executed: 30n, queued: 70n }
    const none = { asset: other, period: 3_600, executed: 0n, queued: 0n }
    expect((await call(asAlice, getSpentAmounts, place)).spent).toEqual([ofAll, none])
    const beside = (await call(asAlice, getSpentAmounts, { ...place, besideNonce: '1' })).spent
    expect(beside).toEqual([{ ...ofAll, queued: 30n }, none])
    const { claims, ...rest } = await call(asAlice, getReviewLists, { ...place, lists: ['claims', 'policy'] })
    expect(claims?.proposals.map(({ spent }) => spent[0]?.queued)).toEqual([30n, 30n, 40n])
    expect(rest).toEqual({ policy: await call(asAlice, getPolicy, place) })
    expect(await call(asAlice, getReviewLists, { ...place, lists: ['abis'] })).toEqual({
      abis: { abis: [], nextCursor: null },
    })
  })

  test('behavior: of two who fill a limit at once, one is refused', async () => {
    const safeAddress = await safeWith(limits)
    const rules = await Promise.all([
      propose(safeAddress, { to: payee, value: 60n, nonce: 0n }),
      propose(safeAddress, { to: payee, value: 60n, nonce: 1n }, asBob, bob),
    ])
    expect(rules.toSorted()).toEqual(['amount', 'none'])
  })

  test('behavior: proposals that no owner has confirmed fill no limit', async () => {
    const safeAddress = await safeWith(limits)
    await makeDelegate(safeAddress, alice.address)
    expect(await propose(safeAddress, { to: payee, value: 100n }, asDave, dave)).toBe('none')
    expect(await propose(safeAddress, { to: payee, value: 100n, nonce: 1n })).toBe('none')
    await removeDelegate(alice.address)
  })
})
