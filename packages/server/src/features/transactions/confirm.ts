import type { confirmTransaction as endpoint, Input, MultisigTransaction } from '@countersign/contract'
import { CountersignError, domainVersion, encodeSafeTxPreimage, type SafeState } from '@countersign/safe-core'
import { and, eq } from 'drizzle-orm'
import { type Address, type Hex, keccak256 } from 'viem'
import { chainOf } from '../../chain/clients.ts'
import { saveSafe } from '../../chain/save-safe.ts'
import { type VerifiedSignature, verifyOwnerSignatures } from '../../chain/verify-owner-signatures.ts'
import type { SignedInCtx } from '../../context.ts'
import { activity, confirmation, multisigTransaction } from '../../db/schema.ts'
import { notify } from '../../live/notify.ts'
import { transactionNotFound } from './access.ts'
import { findTransaction } from './queries.ts'

/**
 * Adds the signed-in owner's confirmation. Owners are read from the chain at this moment; without the chain nothing is
 * written. The same again changes nothing.
 */
export async function confirmTransaction(
  ctx: SignedInCtx,
  { chainId, safeTxHash, signature }: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const account = ctx.viewer.address
  const chain = chainOf(ctx.chains, chainId)
  const transaction = await findTransaction(ctx.db, chainId, safeTxHash)
  if (!transaction) throw transactionNotFound(chainId, safeTxHash)
  const { safeAddress } = transaction
  const state = await chain.readSafe(safeAddress)
  // Not NOT_AN_OWNER: a stranger does not learn that it is there.
  if (!state.owners.includes(account)) throw transactionNotFound(chainId, safeTxHash)
  const preimage = checkOpen(transaction, state)
  const given = { state, hash: safeTxHash, preimage, signatures: signature, hasApprovals: true }
  const signed = await verifyOwnerSignatures(chain, given)
  checkSigner(signed, account)

  const now = ctx.clock()
  return ctx.db.transaction(async (tx) => {
    const [current] = await tx
      .select({ isExecuted: multisigTransaction.isExecuted })
      .from(multisigTransaction)
      .where(and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeTxHash, safeTxHash)))
      .for('share')
    if (!current) throw transactionNotFound(chainId, safeTxHash)
    if (current.isExecuted) throw alreadyExecuted(transaction)
    if (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
      await notify(tx, { kind: 'safe', chainId, safeAddress })
    const added = await tx
      .insert(confirmation)
      .values(signed.map((one) => ({ chainId, safeTxHash, ...one, submissionDate: now })))
      .onConflictDoNothing()
      .returning({ owner: confirmation.owner })
    if (added.length > 0) {
      await tx.insert(activity).values({ at: now, account, verb: 'confirmed', chainId, safeAddress, safeTxHash })
      await notify(tx, { kind: 'transaction', chainId, safeAddress, safeTxHash })
    }
    const stored = await findTransaction(tx, chainId, safeTxHash)
    if (!stored) throw transactionNotFound(chainId, safeTxHash)
    return stored
  })
}

function alreadyExecuted({ safeTxHash, transactionHash }: MultisigTransaction): CountersignError {
  return new CountersignError(
    'TRANSACTION_ALREADY_EXECUTED',
    `The transaction \`${safeTxHash}\` is executed already.`,
    {
      data: { safeTxHash, transactionHash },
    },
  )
}

/** @returns what is hashed to its safeTxHash */
function checkOpen(transaction: MultisigTransaction, state: SafeState): Hex {
  const { safeTx, safeTxHash, chainId, safeAddress } = transaction
  if (transaction.isExecuted || !safeTx) throw alreadyExecuted(transaction)
  if (safeTx.nonce < state.nonce)
    throw new CountersignError(
      'NONCE_ALREADY_EXECUTED',
      `The nonce is \`${safeTx.nonce}\`; the Safe is at \`${state.nonce}\`.`,
      {
        data: { nonce: safeTx.nonce.toString(), safeNonce: state.nonce.toString() },
      },
    )
  // The Safe's version may have changed since it was proposed, and the hash with it.
  const preimage = encodeSafeTxPreimage({ chainId, safeAddress, version: domainVersion(state), safeTx })
  const computed = keccak256(preimage)
  if (computed !== safeTxHash)
    throw new CountersignError('SIGNATURE_INVALID', `The Safe now hashes this transaction to \`${computed}\`.`, {
      data: { expected: computed, received: safeTxHash },
    })
  return preimage
}

function checkSigner(signed: readonly VerifiedSignature[], account: Address): void {
  if (signed.some(({ owner }) => owner === account)) return
  const signer = signed[0]?.owner
  throw new CountersignError('ACCOUNT_MISMATCH', `The signature is of \`${signer}\`; signed in is \`${account}\`.`, {
    data: { signer, account },
  })
}
