import { type proposeTransaction as endpoint, fail, type Input, type MultisigTransaction } from '@countersign/contract'
import {
  type CountersignError,
  canPropose,
  domainVersion,
  encodeSafeTxPreimage,
  type SafeState,
  type SafeTx,
} from '@countersign/safe-core'
import { and, eq, or, sql } from 'drizzle-orm'
import { type Address, type Hex, keccak256 } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { activity, multisigTransaction, safe } from '../../db/schema.ts'
import { forgetClaims } from '../../indexer/write/apply.ts'
import { attachApprovals } from '../../indexer/write/approvals.ts'
import { notify } from '../../live/notify.ts'
import { type Chain, chainOf } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import { findDelegations } from '../../safes/delegations.ts'
import { findKnownSafe } from '../../safes/queries.ts'
import { isAsSaved, saveSafe } from '../../safes/save-safe.ts'
import { type VerifiedSignature, verifyOwnerSignatures } from '../../signatures/verify-owner-signatures.ts'
import { storeListEntry } from '../safes/add.ts'
import { transactionNotFound } from './access.ts'
import { findTransaction } from './queries.ts'
import { requireRoom } from './quota.ts'
import { type Refusal, recordMismatch, recordRefusal } from './refused-signatures.ts'
import { requirePermission } from './require-permission.ts'
import { storeConfirmations } from './store-confirmations.ts'

/** Keeps a transaction that the signed-in owner or delegate has signed. */
export async function proposeTransaction(
  ctx: SignedInCtx,
  { signature, origin = null, ...proposal }: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const account = ctx.viewer.address
  const { sender } = proposal
  if (sender !== account) throw fail('SENDER_MISMATCH', { reason: 'account', sender, account })
  return propose(ctx, { ...proposal, signatures: signature, origin, account })
}

export type Proposing = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  safeTxHash: Hex
  /** The owner, or the delegate of an owner, whose proposal it is to be. */
  sender: Address
  /** One signature or several, the sender's among them; null: none, and then it waits apart until one comes. */
  signatures: Hex | null
  origin: string | null
  /** Who is signed in; null: the signatures alone prove that whoever sends them may. */
  account: Address | null
}

/**
 * Keeps a transaction with the confirmations that came with it. Everything that is checked is checked against the chain as
 * it is at this moment; without the chain nothing is written. Proposing it again adds what is missing and changes nothing
 * else.
 *
 * @throws CountersignError as `proposeTransaction` of the contract, and `SIGNATURE_DUPLICATED`, `NOT_SIGNED_IN`.
 */
export async function propose(ctx: Ctx, proposal: Proposing): Promise<MultisigTransaction> {
  const { chainId, safeAddress, safeTx, safeTxHash, sender, account, origin } = proposal
  const chain = chainOf(ctx.chains, chainId)
  const now = ctx.clock()
  const of = { chainId, safeAddress, now }
  const [known, state, ofSender, ofAccount] = await Promise.all([
    findKnownSafe(ctx.db, chainId, safeAddress),
    chain.readSafe(safeAddress),
    findDelegations(ctx.db, { ...of, account: sender }),
    account === null || account === sender ? [] : findDelegations(ctx.db, { ...of, account }),
  ])
  if (state.version === null)
    throw fail('UNKNOWN_SINGLETON', { singleton: state.singleton, singletonCodeHash: state.singletonCodeHash })
  const delegates = [...ofSender, ...ofAccount]
  const isMember = account !== null && canPropose({ safe: state, nonce: state.nonce, account, delegates }).ok
  const refusal = { state, signedHash: safeTxHash, account, isMember }
  const preimage = await checkHash(ctx, proposal, refusal)
  await checkNotExecuted(ctx, proposal, state)
  const facts = { safe: state, nonce: safeTx.nonce }
  const names = { account: sender, safeAddress, owners: state.owners }
  const nonces = { nonce: safeTx.nonce.toString(), safeNonce: state.nonce.toString() }
  requirePermission(canPropose({ ...facts, account: sender, delegates: ofSender }), { ...names, ...nonces })
  // Who signs nothing proves by being signed in that they may.
  if (proposal.signatures === null)
    requirePermission(canPropose({ ...facts, account, delegates: account === sender ? ofSender : ofAccount }), names)

  const delegators = ofSender.map(({ delegator }) => delegator).filter((one) => state.owners.includes(one))
  const proposer = state.owners.includes(sender) ? sender : delegators[0]
  const signed = await verifySignatures(chain, proposal, state, preimage).catch(async (error: unknown) => {
    await recordRefusal(ctx, refusal, error)
    throw error
  })
  const keeper = account ?? sender

  const confirmations = signed.filter(({ owner }) => state.owners.includes(owner))
  const fields = {
    ...safeTx,
    ...{ proposer, proposedByDelegate: proposer === sender ? null : sender, origin },
    ...{ domainVersion: domainVersion(state), isTrusted: signed.length > 0, keptBy: keeper },
  }
  return ctx.db.transaction(async (tx) => {
    if (proposer !== sender) {
      // Named until just now perhaps: asking the chain took a while.
      const delegates = await findDelegations(tx, { ...of, now: ctx.clock(), account: sender })
      requirePermission(canPropose({ ...facts, account: sender, delegates }), names)
    }
    if (
      !(known && isAsSaved(known, state)) &&
      (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
    )
      await notify(tx, { kind: 'safe', chainId, safeAddress })
    if (!known) await storeListEntry(tx, { account: keeper, chainId, safeAddress, now })
    // Who writes down what the chain shows of this Safe is waited for, or waits: either sees what the other wrote.
    await tx
      .select({ address: safe.address })
      .from(safe)
      .where(and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
      .for('share')
    await requireRoom(tx, { ...of, safeTx, safeTxHash, account: keeper, isSigned: signed.length > 0 }, state)
    await forgetClaims(tx, chainId, [{ safeTxHash, safeAddress }])
    const proposed = await tx
      .insert(multisigTransaction)
      .values({ chainId, safeTxHash, safeAddress, ...fields, submissionDate: now })
      // What the chain showed and took back again has no proposer yet; of what nobody signed nobody has proven to be it.
      .onConflictDoUpdate({
        target: [multisigTransaction.chainId, multisigTransaction.safeTxHash],
        set: { ...fields, modifiedDate: now },
        setWhere: sql`not ${multisigTransaction.isExecuted} and (${multisigTransaction.proposer} is null
          or (not ${multisigTransaction.isTrusted} and excluded.is_trusted))`,
      })
      .returning({ safeTxHash: multisigTransaction.safeTxHash })
    const confirming = { chainId, safeAddress, safeTxHash, signed: confirmations, account: keeper, now }
    const confirmed = (await storeConfirmations(tx, confirming, proposed.length > 0)) ?? []
    const approved = await attachApprovals(tx, chainId, [safeTxHash], now)
    const stored = await findTransaction(tx, chainId, safeTxHash)
    if (!stored) throw transactionNotFound(chainId, safeTxHash)
    if (stored.isExecuted) throw executed(stored)
    if (proposed.length > 0)
      await tx.insert(activity).values({ at: now, account: keeper, verb: 'proposed', chainId, safeAddress, safeTxHash })
    if (proposed.length + confirmed.length + approved.length > 0)
      await notify(tx, { kind: 'transaction', chainId, safeAddress, safeTxHash })
    return stored
  })
}

/** @returns what is hashed to its safeTxHash */
async function checkHash(
  ctx: Ctx,
  { chainId, safeAddress, safeTx, safeTxHash, signatures }: Proposing,
  refusal: Refusal,
): Promise<Hex> {
  const preimage = encodeSafeTxPreimage({ chainId, safeAddress, version: domainVersion(refusal.state), safeTx })
  const computed = keccak256(preimage)
  if (computed === safeTxHash) return preimage
  const error = fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', expected: computed, received: safeTxHash })
  if (signatures !== null) await recordMismatch(ctx, refusal, { signatures, error })
  throw error
}

/** Names the Ethereum transaction that has used up the nonce, where it is known. */
async function checkNotExecuted(
  { db }: { db: Pick<Executor, 'select'> },
  { chainId, safeAddress, safeTx: { nonce }, safeTxHash }: Proposing,
  state: SafeState,
): Promise<void> {
  if (nonce >= state.nonce) return
  const { transactionHash } = multisigTransaction
  const found = await db
    .select({ safeTxHash: multisigTransaction.safeTxHash, transactionHash })
    .from(multisigTransaction)
    .where(
      and(
        eq(multisigTransaction.chainId, chainId),
        eq(multisigTransaction.safeAddress, safeAddress),
        eq(multisigTransaction.isExecuted, true),
        or(eq(multisigTransaction.nonce, nonce), eq(multisigTransaction.safeTxHash, safeTxHash)),
      ),
    )
    .limit(2)
  const same = found.find((one) => one.safeTxHash === safeTxHash)
  if (same) throw executed(same)
  throw fail('NONCE_ALREADY_EXECUTED', {
    nonce,
    safeNonce: state.nonce,
    transactionHash: found[0]?.transactionHash ?? null,
  })
}

function executed({ safeTxHash, transactionHash }: { safeTxHash: Hex; transactionHash: Hex | null }): CountersignError {
  return fail('TRANSACTION_ALREADY_EXECUTED', { safeTxHash, transactionHash })
}

/** Those of owners, or the one of the delegate who sends it. */
async function verifySignatures(
  chain: Chain,
  { signatures, sender, safeTxHash }: Proposing,
  state: SafeReading,
  preimage: Hex,
): Promise<VerifiedSignature[]> {
  if (signatures === null) return []
  const isOwner = state.owners.includes(sender)
  const signers = isOwner ? state.owners : [...state.owners, sender]
  const given = { state, hash: safeTxHash, preimage, signatures, signers, hasApprovals: true }
  const signed = await verifyOwnerSignatures(chain, given)
  const all = signed.map(({ owner }) => owner)
  if (!all.includes(sender))
    throw fail('SENDER_MISMATCH', { reason: 'signer', signer: all[0] ?? '', signers: all, sender })
  if (!isOwner && signed.length > 1)
    throw fail('DELEGATE_SIGNATURE_NOT_ALONE', { sender, signers: all, count: signed.length })
  return signed
}
