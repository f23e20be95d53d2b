import type { MultisigTransaction } from '@countersign/contract'
import { type AssetAmounts, amountsByNonce, hashSubject, sumAmounts, verifyGiven } from '@countersign/review'
import { domainVersion, isSameAddress, type SafeState, type SafeTx } from '@countersign/safe'
import type { Address } from 'viem'

/** Amounts that this page has added up itself. */
export type QueuedAmounts = { amounts: AssetAmounts; transactions: number }

/** Proposals and the Safe, read from the chain. */
export type Queue = {
  transactions: readonly MultisigTransaction[]
  state: SafeState
  /** Assets that a list has as tokens: of any other contract a number may name an item. */
  listed: readonly Address[]
}

/**
 * Adds up what proposals would move whose hash this browser computes and that a key of a current owner has signed. It is at
 * most what is queued: nobody can tell here what the server leaves out.
 */
export async function addQueuedAmounts({ transactions, state, listed }: Queue): Promise<QueuedAmounts> {
  const signed = await Promise.all(transactions.map((transaction) => signedFields(transaction, state)))
  const found = signed.filter((safeTx) => safeTx !== null)
  const byNonce = amountsByNonce(found, { safeAddress: state.address, version: state.version }, (contract) =>
    listed.some((asset) => isSameAddress(asset, contract)),
  )
  return { amounts: sumAmounts([...byNonce.values()]), transactions: found.length }
}

async function signedFields(transaction: MultisigTransaction, state: SafeState): Promise<SafeTx | null> {
  const { safeTx, safeTxHash, isExecuted, confirmations } = transaction
  if (safeTx === null || isExecuted || safeTx.nonce < state.nonce) return null
  const { chainId, address: safeAddress } = state
  const { hash } = hashSubject({ kind: 'transaction', chainId, safeAddress, safeTx }, state)
  if (hash !== safeTxHash) return null
  const given = await verifyGiven(hash, confirmations, { version: domainVersion(state) })
  return given.some(
    ({ owner, isChecked }) => isChecked && state.owners.some((stateOwner) => isSameAddress(stateOwner, owner)),
  )
    ? safeTx
    : null
}
