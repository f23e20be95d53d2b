import type { proposeTransaction as endpoint, Input, MultisigTransaction } from '@countersign/contract'
import { CountersignError, domainVersion, encodeSafeTxPreimage } from '@countersign/safe-core'
import { isNull } from 'drizzle-orm'
import { keccak256 } from 'viem'
import { forgetClaims } from '../../chain/apply.ts'
import { chainOf } from '../../chain/clients.ts'
import { saveSafe } from '../../chain/save-safe.ts'
import { verifyOwnerSignatures } from '../../chain/verify-owner-signatures.ts'
import type { SignedInCtx } from '../../context.ts'
import { activity, confirmation, multisigTransaction } from '../../db/schema.ts'
import { notify } from '../../live/notify.ts'
import { notAnOwner } from '../safes/access.ts'
import { findKnownSafe } from '../safes/queries.ts'
import { transactionNotFound } from './access.ts'
import { findTransaction } from './queries.ts'

/**
 * Keeps a transaction with its proposer's confirmation. Everything that is checked is checked against the chain as it
 * is at this moment; without the chain nothing is written.
 */
export async function proposeTransaction(
  ctx: SignedInCtx,
  input: Input<typeof endpoint>,
): Promise<MultisigTransaction> {
  const { chainId, safeAddress, safeTx, safeTxHash, sender } = input
  const account = ctx.viewer.address
  const chain = chainOf(ctx.chains, chainId)
  if (!(await findKnownSafe(ctx.db, chainId, safeAddress)))
    throw new CountersignError(
      'SAFE_NOT_FOUND',
      `The Safe \`${safeAddress}\` on chain \`${chainId}\` is not known here.`,
      {
        data: { chainId, safeAddress },
      },
    )
  if (sender !== account)
    throw new CountersignError('SENDER_MISMATCH', `The sender is \`${sender}\`; signed in is \`${account}\`.`, {
      data: { sender, account },
    })

  const state = await chain.readSafe(safeAddress)
  if (state.version === null)
    throw new CountersignError('UNKNOWN_SINGLETON', `The singleton \`${state.singleton}\` is no official release.`, {
      data: { singleton: state.singleton, singletonCodeHash: state.singletonCodeHash },
    })
  if (!state.owners.includes(account)) throw notAnOwner(account, safeAddress)
  const preimage = encodeSafeTxPreimage({ chainId, safeAddress, version: domainVersion(state), safeTx })
  const computed = keccak256(preimage)
  if (computed !== safeTxHash)
    throw new CountersignError(
      'SAFE_TX_HASH_MISMATCH',
      `The hash of the ten fields is \`${computed}\`, not \`${safeTxHash}\`.`,
      {
        data: { expected: computed, received: safeTxHash },
      },
    )
  if (safeTx.nonce < state.nonce)
    throw new CountersignError(
      'NONCE_ALREADY_EXECUTED',
      `The nonce is \`${safeTx.nonce}\`; the Safe is at \`${state.nonce}\`.`,
      {
        data: { nonce: safeTx.nonce.toString(), safeNonce: state.nonce.toString() },
      },
    )
  const given = { state, hash: safeTxHash, preimage, signatures: input.signature, hasApprovals: true }
  const signed = await verifyOwnerSignatures(chain, given)
  if (!signed.some(({ owner }) => owner === sender)) {
    const signer = signed[0]?.owner
    throw new CountersignError('SENDER_MISMATCH', `The signature is of \`${signer}\`; the sender is \`${sender}\`.`, {
      data: { signer, sender },
    })
  }

  const now = ctx.clock()
  return ctx.db.transaction(async (tx) => {
    if (await saveSafe(tx, state, { now, backfillBlock: chain.settings.startBlock ?? 0 }))
      await notify(tx, { kind: 'safe', chainId, safeAddress })
    await forgetClaims(tx, chainId, [{ safeTxHash, safeAddress }])
    const facts = { proposer: sender, origin: input.origin ?? null }
    const proposed = await tx
      .insert(multisigTransaction)
      .values({ chainId, safeTxHash, safeAddress, ...safeTx, ...facts, submissionDate: now })
      // A transaction that the chain showed and took back again has no proposer yet.
      .onConflictDoUpdate({
        target: [multisigTransaction.chainId, multisigTransaction.safeTxHash],
        set: { ...safeTx, ...facts },
        setWhere: isNull(multisigTransaction.proposer),
      })
      .returning({ safeTxHash: multisigTransaction.safeTxHash })
    const confirmed = await tx
      .insert(confirmation)
      .values(signed.map((one) => ({ chainId, safeTxHash, ...one, submissionDate: now })))
      .onConflictDoNothing()
      .returning({ owner: confirmation.owner })
    if (proposed.length > 0 || confirmed.length > 0) {
      await tx.insert(activity).values({
        at: now,
        account,
        verb: proposed.length > 0 ? 'proposed' : 'confirmed',
        chainId,
        safeAddress,
        safeTxHash,
      })
      await notify(tx, { kind: 'transaction', chainId, safeAddress, safeTxHash })
    }
    const stored = await findTransaction(tx, chainId, safeTxHash)
    if (!stored) throw transactionNotFound(chainId, safeTxHash)
    return stored
  })
}
