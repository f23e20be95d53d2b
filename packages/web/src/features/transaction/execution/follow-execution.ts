import type { MultisigTransaction } from '@countersign/contract'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { readObservation } from '../../../api/sent-transaction.ts'
import { readTab, writeTab } from '../../../device/tab-storage.ts'
import { type ExecutionProgress, observeExecution, type SentExecution } from './execution-state.ts'

/** How often the node is asked about an execution that was sent. */
export const POLL_MS = 1_500

/** The transaction of a Safe that is executed. */
export type ExecutedPlace = { chainId: number; safeAddress: Address; safeTxHash: Hex }

/** Where a sent execution stands; its account nonce, once the node has shown it. */
export type Followed = { progress: ExecutionProgress; accountNonce: number | null }

/** Reads where a sent execution stands now, or the one that it was sent in the place of. */
export async function followExecution(place: ExecutedPlace, sent: SentExecution): Promise<Followed> {
  const node = chainRequest(place.chainId)
  const newest = await readObservation(node, sent)
  const before =
    sent.earlier && !newest.receipt ? await readObservation(node, { ...sent, transactionHash: sent.earlier }) : null
  const seen = before?.receipt ? before : newest
  const accountNonce = seen.transaction?.accountNonce ?? readNonce(sent) ?? sent.accountNonce
  if (accountNonce !== null) writeTab(nonceKey(sent), String(accountNonce))
  return { accountNonce, progress: observeExecution({ ...sent, accountNonce }, place, seen) }
}

/** The newest execution that is known: the one sent from this tab, or the one that the server was told of. */
export function newestSent(
  local: SentExecution | null,
  served: MultisigTransaction['pendingExecution'],
): SentExecution | null {
  if (!served) return local
  if (local?.transactionHash === served.transactionHash) return local
  if (local && Date.parse(local.submissionDate) > Date.parse(served.submissionDate)) return local
  return { ...served, accountNonce: null }
}

function nonceKey({ transactionHash }: SentExecution): string {
  return `countersign.account-nonce.${transactionHash}`
}

function readNonce(sent: SentExecution): number | null {
  const value = readTab(nonceKey(sent))
  return value !== null && /^[0-9]+$/.test(value) ? Number(value) : null
}
