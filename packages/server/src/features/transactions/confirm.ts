import { type confirmTransaction as endpoint, fail, type Input, type MultisigTransaction } from '@countersign/contract'
import {
  CountersignError,
  canConfirm,
  domainVersion,
  encodeSafeTxPreimage,
  type SafeState,
} from '@countersign/safe-core'
import { type Address, type Hex, keccak256 } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { notify } from '../../live/notify.ts'
import { chainOf } from '../../rpc/clients.ts'
import { requireOwnerOrProposer } from '../../safes/access.ts'
import { isAsSaved, saveSafe } from '../../safes/save-safe.ts'
import { isMemberNow, whoIs } from '../../safes/viewer.ts'
import { type VerifiedSignature, verifyOwnerSignatures } from '../../signatures/verify-owner-signatures.ts'
import { requireVisibleTransaction, transactionNotFound } from './access.ts'
import { findTransaction, findTransactionAndRole } from './queries.ts'
import { recordRefusal } from './refused-signatures.ts'
import { requirePermission } from './require-permission.ts'
import { storeConfirmations } from './store-confirmations.ts'

/** Adds the signed-in owner's confirmation, or what owners have signed elsewhere. */
export async function confirmTransaction(
  ctx: SignedInCtx,
  { chainId, safeTxHash, signature, isImported = false }: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const account = ctx.viewer.address
  if (isImported) {
    // Whoever has come by an owner's signature is not of the team by that.
    const { transaction, role } = await requireVisibleTransaction(ctx, chainId, safeTxHash)
    if (!role) throw transactionNotFound(chainId, safeTxHash)
    await requireOwnerOrProposer(ctx, chainId, transaction.safeAddress)
  }
  return confirm(ctx, { chainId, safeTxHash, signatures: signature, account, mustSign: isImported ? null : account })
}

export type Confirming = {
  chainId: number
  safeTxHash: Hex
  /** One signature or several, of owners. */
  signatures: Hex
  /** Who is signed in; null: the signatures alone prove that whoever sends them may. */
  account: Address | null
  /** Of whom one of them has to be. */
  mustSign: Address | null
}

/**
 * Adds owners' confirmations. Owners are read from the chain at this moment and each signature is verified there; without
 * the chain nothing is written. An owner's first confirmation is kept; the same again changes nothing. Who is not of the
 * team, and has no valid signature of an owner, does not learn that the transaction is there.
 *
 * @throws CountersignError as `confirmTransaction` of the contract, and `SIGNATURE_DUPLICATED`.
 */
export async function confirm(ctx: Ctx, given: Confirming): Promise<MultisigTransaction> {
  const { chainId, safeTxHash, account, mustSign } = given
  const chain = chainOf(ctx.chains, chainId)
  const found = await findTransactionAndRole(ctx.db, {
    chainId,
    safeTxHash,
    who: whoIs(ctx, account),
    now: ctx.clock(),
  })
  if (!found) throw transactionNotFound(chainId, safeTxHash)
  const { transaction } = found
  const { safeAddress } = transaction
  const state = await chain.readSafe(safeAddress).catch((error: unknown) => {
    // Without the chain, who is an owner is what was read last.
    throw found.role === null ? transactionNotFound(chainId, safeTxHash) : error
  })
  const isMember = isMemberNow(state, account, found.role)
  const signed = await verify().catch(async (error: unknown) => {
    await recordRefusal(ctx, { state, signedHash: safeTxHash, account, isMember }, error)
    throw error instanceof CountersignError && !isMember ? transactionNotFound(chainId, safeTxHash) : error
  })

  // The same again.
  if (signed.every(({ owner }) => transaction.confirmations.some((one) => one.owner === owner))) return transaction

  const now = ctx.clock()
  if (!isAsSaved(found.saved, state))
    await ctx.db.transaction(async (tx) => {
      if (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
        await notify(tx, { kind: 'safe', chainId, safeAddress })
    })
  const added = await storeConfirmations(ctx.db, { chainId, safeAddress, safeTxHash, signed, account, now })
  const stored = await findTransaction(ctx.db, chainId, safeTxHash)
  if (!stored) throw transactionNotFound(chainId, safeTxHash)
  if (added === null) checkOpen(stored, state)
  return stored

  async function verify(): Promise<VerifiedSignature[]> {
    const preimage = checkOpen(transaction, state)
    if (mustSign !== null)
      requirePermission(
        canConfirm(factsOf(transaction, state, mustSign)),
        { account: mustSign, safeAddress },
        'ALREADY_CONFIRMED',
      )
    const verified = await verifyOwnerSignatures(chain, {
      ...{ state, hash: safeTxHash, preimage, signatures: given.signatures, hasApprovals: true },
    })
    if (mustSign !== null) checkSigner(verified, mustSign)
    return verified
  }
}

function factsOf(transaction: MultisigTransaction, safe: SafeState, account: Address | null) {
  const { isExecuted, confirmations } = transaction
  return { safe, account, transaction: { nonce: transaction.safeTx?.nonce ?? -1n, isExecuted, confirmations } }
}

/** @returns what is hashed to its safeTxHash */
function checkOpen(transaction: MultisigTransaction, state: SafeState): Hex {
  const { safeTx, safeTxHash, chainId, safeAddress, transactionHash } = transaction
  if (!safeTx) throw transactionNotFound(chainId, safeTxHash)
  const data = { safeTxHash, transactionHash, nonce: safeTx.nonce.toString(), safeNonce: state.nonce.toString() }
  requirePermission(canConfirm(factsOf(transaction, state, null)), data, 'NOT_SIGNED_IN')
  // The Safe's version may have changed since it was proposed, and the hash with it.
  const preimage = encodeSafeTxPreimage({ chainId, safeAddress, version: domainVersion(state), safeTx })
  const computed = keccak256(preimage)
  if (computed !== safeTxHash)
    throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'version', expected: computed, received: safeTxHash })
  return preimage
}

function checkSigner(signed: readonly VerifiedSignature[], account: Address): void {
  if (signed.some(({ owner }) => owner === account)) return
  throw fail('ACCOUNT_MISMATCH', { reason: 'signature', signer: signed[0]?.owner ?? 'nobody', account })
}
