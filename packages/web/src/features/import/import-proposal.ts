import { confirmTransaction, listQueue, proposeTransaction, signatureErrors } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { ServiceProposal } from '@countersign/safe/service'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { retryWhenLimited } from '../../api/retry-when-limited.ts'

/** A proposal as far as it was brought. */
export type Brought = {
  isNew: boolean
  /** Whether it is here now; one that no owner signed cannot be. */
  isHere: boolean
  /** Confirmations that were not here before. */
  added: number
  /** Signatures that the server refused; owner null: the whole proposal. */
  refused: { owner: Address | null; error: CountersignError }[]
}

/** Refusals of one signature: that of another owner may still count. */
const ofSignature = new Set<string>([...signatureErrors, 'SENDER_MISMATCH', 'NOT_OWNER_OR_DELEGATE'])
/** Refusals of the proposal, whoever signed it. */
const ofProposal = new Set([
  'NONCE_ALREADY_EXECUTED',
  'TRANSACTION_ALREADY_EXECUTED',
  'SAFE_TX_HASH_MISMATCH',
  'POLICY_RESTRICTS',
  'TOO_MANY_PROPOSALS',
  'INVALID_REQUEST',
  'REQUEST_TOO_LARGE',
])

/**
 * Brings a proposal and its signatures here, each of which the server verifies by itself: one that is refused takes no
 * other along. Those that are here already are not sent again.
 *
 * @param known as `readKnown` gives them
 * @throws CountersignError of whatever says nothing about the proposal: no network, too many requests
 */
export async function importProposal(
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  { safeTx, safeTxHash, origin, signatures }: ServiceProposal,
  known: ReadonlyMap<Hex, readonly Address[]>,
): Promise<Brought> {
  const confirmed = known.get(safeTxHash)
  const brought: Brought = { isNew: false, isHere: confirmed !== undefined, added: 0, refused: [] }
  for (const { owner, signature } of signatures) {
    if (confirmed?.includes(owner)) continue
    try {
      if (brought.isHere)
        await retryWhenLimited(() => api(confirmTransaction, { chainId, safeTxHash, signature, isImported: true }))
      else {
        const proposal = { chainId, safeAddress, safeTx, safeTxHash, origin, sender: owner, signature }
        await retryWhenLimited(() => api(proposeTransaction, { ...proposal, isImported: true }))
        brought.isNew = true
      }
      brought.isHere = true
      brought.added += 1
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      if (ofProposal.has(error.code)) return { ...brought, refused: [...brought.refused, { owner: null, error }] }
      if (!ofSignature.has(error.code)) throw error
      brought.refused.push({ owner, error })
    }
  }
  return brought
}

/** Pages of the queue here that are looked at: what is beyond them is sent again, which changes nothing. */
const MAX_PAGES = 10

/** Reads the proposals of the queue here, with the owners who have confirmed each. */
export async function readKnown(place: { chainId: number; safeAddress: Address }): Promise<Map<Hex, Address[]>> {
  const known = new Map<Hex, Address[]>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { transactions, nextCursor } = await api(listQueue, { ...place, cursor, limit: 100 })
    for (const { safeTxHash, confirmations } of transactions)
      known.set(
        safeTxHash,
        confirmations.map(({ owner }) => owner),
      )
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return known
}
