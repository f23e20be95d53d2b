import { fail, type MultisigTransaction, type Reviewed, writeWire } from '@countersign/contract'
import type { DeclaredEffects } from '@countersign/review'
import { type CountersignError, domainVersion } from '@countersign/safe'
import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { builtOnce } from '../../db/built-once.ts'
import type { Executor } from '../../db/client.ts'
import { laterOrNull } from '../../db/columns.ts'
import { inOrder } from '../../db/in-order.ts'
import { innerQuery } from '../../db/inner-query.ts'
import { multisigTransaction as table } from '../../db/schema.ts'
import { forgetClaims } from '../../indexer/write/apply.ts'
import { attachApprovals } from '../../indexer/write/approvals.ts'
import type { Log } from '../../outbox/append.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'
import { transactionNotFound } from './access.ts'
import { findTransaction, toTransaction } from './queries.ts'
import { type Brought, requireRoom } from './quota.ts'
import { addConfirmations, countOf, logConfirmations } from './store-confirmations.ts'

/** A proposal that was checked against the chain, with the signatures that were verified. */
export type Proposal = Brought & {
  state: SafeReading
  proposer: Address | null
  proposedByDelegate: Address | null
  origin: string | null
  /** The proposer's claim of what their page showed. */
  reviewed: Reviewed | undefined
  declaredEffects: DeclaredEffects | null
  /** Signatures of owners, or the one of a delegate. */
  signed: readonly VerifiedSignature[]
}

/**
 * Stores a proposal with its confirmations. The row of its Safe is locked, so that whoever stores what the chain shows of
 * this Safe waits, and sees it.
 *
 * @throws CountersignError `TOO_MANY_PROPOSALS`, `TRANSACTION_ALREADY_EXECUTED`.
 */
export async function storeProposal(tx: Executor, log: Log, proposal: Proposal): Promise<MultisigTransaction> {
  const { chainId, safeAddress, safeTxHash, account, state, signed, reviewed } = proposal
  const about = { chainId, safeAddress, safeTxHash }
  await requireRoom(tx, proposal, state)
  const confirmations = signed.filter(({ owner }) => state.owners.includes(owner))
  const confirming = { ...about, signed: confirmations, account, state, reviewed }
  // PostgreSQL runs them one after the other.
  const store = () => inOrder(insert(tx, log, proposal), addConfirmations(tx, log, confirming))
  let [proposed, confirmed] = await store()
  if (!proposed && (await forgetClaims(tx, chainId, [about]))) [proposed, confirmed] = await store()
  const isProposed = proposed !== undefined
  // The entry of a proposal tells of the confirmations that came with it.
  if (!isProposed) logConfirmations(log, confirming, confirmed)
  if (proposed?.isNew && !proposed.isApproved) {
    log.add({ verb: 'proposed', account, ...about, reviewed, detail: countOf(confirmations.length, state) })
    return newTransaction(log, proposal, confirmations)
  }
  const approved = await attachApprovals(tx, chainId, [safeTxHash], log.now)
  const transaction = await findTransaction(tx, chainId, safeTxHash)
  if (!transaction) throw transactionNotFound(chainId, safeTxHash)
  if (transaction.isExecuted) throw executed(transaction)
  const detail = countOf(transaction.confirmations.length, state)
  if (isProposed) log.add({ verb: 'proposed', account, ...about, reviewed, detail })
  else if (approved.length > 0 || confirmed?.added.length) log.notify({ kind: 'transaction', ...about })
  return transaction
}

function fieldsOf(proposal: Proposal) {
  const { safeTx, proposer, proposedByDelegate, origin, state, isSigned, account } = proposal
  const declaredEffects = proposal.declaredEffects && writeWire(proposal.declaredEffects)
  const by = { proposer, proposedByDelegate, origin, declaredEffects }
  return { ...safeTx, ...by, domainVersion: domainVersion(state), isTrusted: isSigned, keptBy: account }
}

/** @returns undefined when it is here already, or another contract claims its hash */
async function insert(tx: Executor, { now }: Log, proposal: Proposal) {
  const { chainId, safeAddress, safeTxHash } = proposal
  const values = { chainId, safeTxHash, safeAddress, ...fieldsOf(proposal), now }
  const [proposed] = await insertProposal(tx, 'store-proposal').execute(values)
  return proposed
}

type Stored = ReturnType<typeof fieldsOf>

const insertProposal = builtOnce((db, name: 'store-proposal') => {
  const later = (field: keyof Stored) => laterOrNull(field, table[field])
  const fields = {
    to: later('to'),
    value: later('value'),
    data: later('data'),
    operation: later('operation'),
    safeTxGas: later('safeTxGas'),
    baseGas: later('baseGas'),
    gasPrice: later('gasPrice'),
    gasToken: later('gasToken'),
    refundReceiver: later('refundReceiver'),
    nonce: later('nonce'),
    proposer: later('proposer'),
    proposedByDelegate: later('proposedByDelegate'),
    origin: later('origin'),
    domainVersion: later('domainVersion'),
    isTrusted: later('isTrusted'),
    keptBy: later('keptBy'),
    declaredEffects: later('declaredEffects'),
  } satisfies Record<keyof Stored, SQL>
  const now = laterOrNull('now', table.submissionDate)
  return (
    db
      .insert(table)
      .values({
        chainId: sql.placeholder('chainId'),
        safeTxHash: sql.placeholder('safeTxHash'),
        safeAddress: sql.placeholder('safeAddress'),
        ...fields,
        submissionDate: now,
      })
      // A transaction that the chain showed and took back has no proposer yet, nor has one that nobody signed.
      .onConflictDoUpdate({
        target: [table.chainId, table.safeTxHash],
        set: { ...fields, modifiedDate: now },
        setWhere: sql`${table.safeAddress} = excluded.safe_address and not ${table.isExecuted}
          and (${table.proposer} is null or (not ${table.isTrusted} and excluded.is_trusted))`,
      })
      .returning({
        isNew: sql<boolean>`xmax = 0`,
        isApproved: innerQuery(sql<boolean>`exists (select from history_entry h where h.chain_id = ${table.chainId}
          and h.kind = 'hash-approved' and h.safe_tx_hash = ${table.safeTxHash})`),
      })
      .prepare(name)
  )
})

/** Gives the transaction just stored, without another query. */
function newTransaction({ now }: Log, proposal: Proposal, signed: readonly VerifiedSignature[]): MultisigTransaction {
  const { chainId, safeAddress, safeTxHash, state } = proposal
  return toTransaction(
    {
      chainId,
      safeAddress,
      safeTxHash,
      ...fieldsOf(proposal),
      submissionDate: now,
      confirmations: signed
        .map(({ owner, signature, signatureType: type }) => ({
          owner,
          signature,
          type,
          at: now.toISOString(),
          transactionHash: null,
        }))
        .toSorted((one, other) => (one.owner.toLowerCase() < other.owner.toLowerCase() ? -1 : 1)),
      confirmationsRequired: state.threshold,
      isHashOutdated: false,
      isExecuted: false,
      isSuccessful: null,
      transactionHash: null,
      executor: null,
      blockNumber: null,
      executionDate: null,
      gasUsed: null,
      fee: null,
      pendingTransactionHash: null,
      pendingExecutor: null,
      pendingDate: null,
    },
    true,
  )
}

export function executed({
  safeTxHash,
  transactionHash,
}: {
  safeTxHash: Hex
  transactionHash: Hex | null
}): CountersignError {
  return fail('TRANSACTION_ALREADY_EXECUTED', { safeTxHash, transactionHash })
}
