import {
  type proposeTransaction as endpoint,
  fail,
  type Input,
  type MultisigTransaction,
  type Reviewed,
} from '@countersign/contract'
import { type DeclaredEffects, isOfAuthor } from '@countersign/review'
import { canPropose, domainVersion, encodeSafeTxPreimage, type SafeState, type SafeTx } from '@countersign/safe'
import { and, eq, or } from 'drizzle-orm'
import { type Address, type Hex, keccak256 } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { multisigTransaction } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'
import { type Chain, chainOf } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import { findDelegations } from '../../safes/delegations.ts'
import { type VerifiedSignature, verifyOwnerSignatures } from '../../signatures/verify-owner-signatures.ts'
import { hashInSlices } from '../../workload/hash-bytes.ts'
import { assertUnrestricted, findRestriction } from '../policy/restrict.ts'
import { storeListEntry } from '../safes/add.ts'
import { type Refusal, recordMismatch, recordRefusal } from '../signing/refused-signatures.ts'
import { requirePermission } from './require-permission.ts'
import { executed, storeProposal } from './store-proposal.ts'

/** Keeps a transaction that the signed-in owner or delegate has signed, or brings from elsewhere. */
export async function proposeTransaction(
  ctx: SignedInCtx,
  { signature, origin = null, isImported = false, ...proposal }: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const account = ctx.viewer.address
  const { sender } = proposal
  if (sender !== account && !isImported) throw fail('SENDER_MISMATCH', { reason: 'account', sender, account })
  return propose(ctx, { ...proposal, signatures: signature, origin, account, isImported })
}

export type ProposalRequest = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  safeTxHash: Hex
  /** The owner, or the delegate of an owner, whose proposal it is to be. */
  sender: Address
  /** One signature or several, the sender's among them; null: none, and then it waits apart until one comes. */
  signatures: Hex | null
  origin: string | null
  /** Signed-in account; null: the signatures alone prove the right to propose. */
  account: Address | null
  /** Whether the signed-in account brings it from elsewhere, which takes the same right as to propose. */
  isImported?: boolean
  /** The signed-in account's claim of what its page showed. */
  reviewed?: Reviewed | undefined
  declaredEffects?: DeclaredEffects | undefined
}

/**
 * Keeps a transaction with the confirmations that came with it. Everything that is checked is checked against the chain as
 * it is at this moment; without the chain nothing is written. Proposing it again adds what is missing and changes nothing
 * else.
 *
 * @throws CountersignError as `proposeTransaction` of the contract, and `SIGNATURE_DUPLICATED`, `NOT_SIGNED_IN`.
 */
export async function propose(ctx: Ctx, proposal: ProposalRequest): Promise<MultisigTransaction> {
  const {
    chainId,
    safeAddress,
    safeTx,
    safeTxHash,
    sender,
    account,
    origin,
    isImported = false,
    reviewed,
    declaredEffects = null,
  } = proposal
  const chain = chainOf(ctx.chains, chainId)
  const state = await chain.readSafe(safeAddress)
  if (state.version === null)
    throw fail('UNKNOWN_SINGLETON', { singleton: state.singleton, singletonCodeHash: state.singletonCodeHash })
  const delegationsOf = (who: Address) =>
    state.owners.includes(who) ? [] : findDelegations(ctx.db, { chainId, safeAddress, account: who, now: ctx.clock() })
  const [ofSender, ofAccount] = await Promise.all([
    delegationsOf(sender),
    account === null || account === sender ? [] : delegationsOf(account),
  ])
  const delegates = [...ofSender, ...ofAccount]
  const isMember = account !== null && canPropose({ safe: state, nonce: state.nonce, account, delegates }).ok
  // A Safe that is only kept here is told of to its team alone.
  if (state.creation && !isMember) throw fail('NOT_A_SAFE', { address: safeAddress, chainId })
  const refusal = { state, signedHash: safeTxHash, account, isMember }
  const dataHash = await hashInSlices(ctx.work, toBytes(safeTx.data))
  const preimage = await checkHash(ctx, proposal, refusal, dataHash)
  await checkNotExecuted(ctx, proposal, state)
  const facts = { safe: state, nonce: safeTx.nonce }
  const names = { account: sender, safeAddress, owners: state.owners }
  const nonces = { nonce: safeTx.nonce.toString(), safeNonce: state.nonce.toString() }
  requirePermission(canPropose({ ...facts, account: sender, delegates: ofSender }), { ...names, ...nonces })
  // Without a signature, or with that of another account, the session proves the right to propose.
  if (proposal.signatures === null || isImported) {
    const delegates = account === sender ? ofSender : ofAccount
    requirePermission(canPropose({ ...facts, account, delegates }), { ...names, account: account ?? sender })
  }

  const delegators = ofSender.map(({ delegator }) => delegator).filter((delegator) => state.owners.includes(delegator))
  const proposer = state.owners.includes(sender) ? sender : delegators[0]
  const signed = await verifySignatures(chain, proposal, state, preimage).catch(async (error: unknown) => {
    await recordRefusal(ctx, refusal, error)
    throw error
  })
  if (declaredEffects) await verifyDeclaration(proposal, declaredEffects, state)
  const brought = { chainId, safeAddress, safeTx, safeTxHash, account: account ?? sender, isSigned: signed.length > 0 }
  const restriction = await findRestriction(ctx, proposal)

  return write(ctx, { state, addedBy: brought.account }, async (tx, log) => {
    const signers = signed.map(({ owner }) => owner)
    await assertUnrestricted(tx, restriction, proposal, {
      state,
      signers,
      now: log.now,
      isMember,
      tokenLists: ctx.tokenLists,
    })
    if (proposer !== sender) {
      // Named until just now perhaps: asking the chain took a while.
      const delegates = await findDelegations(tx, { chainId, safeAddress, account: sender, now: ctx.clock() })
      requirePermission(canPropose({ ...facts, account: sender, delegates }), names)
    }
    if (log.isNewSafe) await storeListEntry(tx, log, { account: brought.account, chainId, safeAddress })
    const by = { proposer: proposer ?? null, proposedByDelegate: proposer === sender ? null : sender }
    return storeProposal(tx, log, { ...brought, ...by, origin, declaredEffects, state, signed, reviewed })
  })
}

/** @returns what is hashed to its safeTxHash */
async function checkHash(
  ctx: Ctx,
  { chainId, safeAddress, safeTx, safeTxHash, signatures }: ProposalRequest,
  refusal: Refusal,
  dataHash: Hex,
): Promise<Hex> {
  const version = domainVersion(refusal.state)
  const preimage = encodeSafeTxPreimage({ chainId, safeAddress, version, safeTx }, dataHash)
  const computed = keccak256(preimage)
  if (computed === safeTxHash) return preimage
  const error = fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', expected: computed, received: safeTxHash })
  if (signatures !== null) await recordMismatch(ctx, refusal, { signatures, error })
  throw error
}

/** Holds declared effects to be of the owner who proposes, for exactly this transaction. */
async function verifyDeclaration(
  { chainId, safeAddress, safeTxHash, sender }: ProposalRequest,
  declared: DeclaredEffects,
  { owners }: SafeState,
): Promise<void> {
  const { author, signature } = declared
  if (author !== sender) throw fail('SENDER_MISMATCH', { reason: 'signer', signer: author, signers: [author], sender })
  if (!owners.includes(author)) throw fail('SIGNATURE_NOT_FROM_OWNER', { signature, signer: author, owners })
  if (!(await isOfAuthor({ chainId, safeAddress, safeTxHash }, declared)))
    throw fail('SIGNATURE_INVALID', { reason: 'declaration', signature })
}

/** Names the Ethereum transaction that has used up the nonce, where it is known. */
async function checkNotExecuted(
  { db }: { db: Pick<Executor, 'select'> },
  { chainId, safeAddress, safeTx: { nonce }, safeTxHash }: ProposalRequest,
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
  const same = found.find((earlier) => earlier.safeTxHash === safeTxHash)
  if (same) throw executed(same)
  throw fail('NONCE_ALREADY_EXECUTED', {
    nonce,
    safeNonce: state.nonce,
    transactionHash: found[0]?.transactionHash ?? null,
  })
}

/** Those of owners, or the one of the delegate who sends it. */
async function verifySignatures(
  chain: Chain,
  { signatures, sender, safeTxHash }: ProposalRequest,
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
