import { type confirmTransaction as endpoint, fail, type Input, type MultisigTransaction } from '@countersign/contract'
import { canConfirm, domainVersion, encodeSafeTxPreimage, type SafeState, type SafeTx } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { type Address, type Hex, keccak256 } from 'viem'
import type { Ctx, SignedInCtx } from '../../context.ts'
import { toBytes } from '../../db/columns.ts'
import { inOrder } from '../../db/in-order.ts'
import { plannedStatement } from '../../db/planned-statement.ts'
import type { Log } from '../../outbox/append.ts'
import { chainOf } from '../../rpc/clients.ts'
import { whoIs } from '../../safes/viewer.ts'
import { type VerifiedSignature, verifyOwnerSignatures } from '../../signatures/verify-owner-signatures.ts'
import { hashInSlices } from '../../workload/hash-bytes.ts'
import { assertUnrestricted, findRestriction, type Restriction } from '../policy/restrict.ts'
import { type Confirmer, confirmIt } from '../signing/confirm.ts'
import { transactionNotFound } from './access.ts'
import { findTransaction, findTransactionAndRole } from './queries.ts'
import { requirePermission } from './require-permission.ts'
import { storeConfirmations } from './store-confirmations.ts'

/** Adds the signed-in owner's confirmation, or what owners have signed elsewhere. */
export function confirmTransaction(
  ctx: SignedInCtx,
  { chainId, safeTxHash, signature, isImported = false, reviewed }: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const account = ctx.viewer.address
  const mustSign = isImported ? null : account
  return confirm(ctx, { chainId, safeTxHash, signatures: signature, account, mustSign, isImported, reviewed })
}

export type Confirming = Confirmer & {
  chainId: number
  safeTxHash: Hex
  /** One signature or several, of owners. */
  signatures: Hex
}

/**
 * Adds owners' confirmations of a transaction.
 *
 * @throws CountersignError as `confirmTransaction` of the contract, and `SIGNATURE_DUPLICATED`.
 */
export function confirm(ctx: Ctx, given: Confirming): Promise<MultisigTransaction> {
  const { chainId, safeTxHash, signatures, account, mustSign, reviewed } = given
  const notFound = () => transactionNotFound(chainId, safeTxHash)
  let restriction: Restriction | null = null
  return confirmIt(ctx, given, {
    chainId,
    hash: safeTxHash,
    notFound,
    async find() {
      const who = whoIs(ctx, account)
      const known = await findTransactionAndRole(ctx.db, { chainId, safeTxHash, who, now: ctx.clock() })
      if (!known) return null
      const { transaction, role, saved } = known
      return { found: transaction, safeAddress: transaction.safeAddress, role, saved }
    },
    async verify(transaction, state) {
      const { safeAddress, safeTx } = transaction
      requireOpen(transaction, state)
      const dataHash = safeTx ? await hashInSlices(ctx.work, toBytes(safeTx.data)) : undefined
      const preimage = assertOpen(transaction, state, dataHash)
      if (mustSign !== null)
        requirePermission(
          canConfirm(factsOf(transaction, state, mustSign)),
          { account: mustSign, safeAddress },
          'ALREADY_CONFIRMED',
        )
      const asked = { state, hash: safeTxHash, preimage, signatures, hasApprovals: true }
      const verified = await verifyOwnerSignatures(chainOf(ctx.chains, chainId), asked)
      if (mustSign !== null) assertSigner(verified, mustSign)
      restriction = safeTx && (await findRestriction(ctx, { chainId, safeAddress, safeTx }))
      return verified
    },
    async store(tx, log, { found: transaction, state, signed }) {
      const { safeAddress } = transaction
      // Proposing it again locks in the same order: first the limits of the policy, then the transaction.
      if (transaction.safeTx) {
        const signers = signed.map(({ owner }) => owner)
        const isMember = account !== null && state.owners.includes(account)
        const confirming = { chainId, safeAddress, safeTx: transaction.safeTx, safeTxHash }
        await assertUnrestricted(tx, restriction, confirming, {
          state,
          signers,
          now: log.now,
          isMember,
          tokenLists: ctx.tokenLists,
        })
      }
      const about = { chainId, safeAddress, safeTxHash }
      const [, stored] = await inOrder(
        // Waits for a deletion that is being written, and for another confirmation: PostgreSQL runs it before the other.
        lockTransaction(tx, { chainId, safeTxHash: toBytes(safeTxHash) }),
        storeConfirmations(tx, log, { ...about, signed, account, state, reviewed }),
      )
      if (stored && areKnown(transaction, stored.before))
        return withConfirmations(transaction, log, stored.added, signed)
      const now = await findTransaction(tx, chainId, safeTxHash)
      if (!now) throw notFound()
      if (stored === null) assertOpen(now, state)
      return now
    },
  })
}

const lockTransaction = plannedStatement(
  'lock-transaction',
  sql`select 1 from multisig_transaction where chain_id = ${sql.placeholder('chainId')}
    and safe_tx_hash = ${sql.placeholder('safeTxHash')} for no key update`,
)

/** Whether these owners, and nobody else, were known to have confirmed: then it need not be read again. */
function areKnown({ confirmations }: MultisigTransaction, owners: readonly Address[]): boolean {
  return confirmations.length === owners.length && confirmations.every(({ owner }) => owners.includes(owner))
}

function withConfirmations(
  transaction: MultisigTransaction,
  { now }: Log,
  added: readonly Address[],
  signed: readonly VerifiedSignature[],
): MultisigTransaction {
  const fresh = signed
    .filter(({ owner }) => added.includes(owner))
    .map(({ owner, signature, signatureType }) => ({
      owner,
      signature,
      signatureType,
      submissionDate: now.toISOString(),
      transactionHash: null,
    }))
  return { ...transaction, confirmations: [...transaction.confirmations, ...fresh] }
}

function factsOf(transaction: MultisigTransaction, safe: SafeState, account: Address | null) {
  const { isExecuted, confirmations } = transaction
  return { safe, account, transaction: { nonce: transaction.safeTx?.nonce ?? -1n, isExecuted, confirmations } }
}

/** Requires that a transaction can still be confirmed. */
function requireOpen(transaction: MultisigTransaction, state: SafeState): SafeTx {
  const { safeTx, safeTxHash, chainId, transactionHash } = transaction
  if (!safeTx) throw transactionNotFound(chainId, safeTxHash)
  const data = { safeTxHash, transactionHash, nonce: safeTx.nonce.toString(), safeNonce: state.nonce.toString() }
  requirePermission(canConfirm(factsOf(transaction, state, null)), data, 'NOT_SIGNED_IN')
  return safeTx
}

/** @returns the fields that are hashed to the safeTxHash */
function assertOpen(transaction: MultisigTransaction, state: SafeState, dataHash?: Hex): Hex {
  const { safeTxHash, chainId, safeAddress } = transaction
  const safeTx = requireOpen(transaction, state)
  // The Safe's version may have changed since it was proposed, and the hash with it.
  const preimage = encodeSafeTxPreimage({ chainId, safeAddress, version: domainVersion(state), safeTx }, dataHash)
  const computed = keccak256(preimage)
  if (computed !== safeTxHash)
    throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'version', expected: computed, received: safeTxHash })
  return preimage
}

function assertSigner(signed: readonly VerifiedSignature[], account: Address): void {
  if (signed.some(({ owner }) => owner === account)) return
  throw fail('ACCOUNT_MISMATCH', { reason: 'signature', signer: signed[0]?.owner ?? 'nobody', account })
}
