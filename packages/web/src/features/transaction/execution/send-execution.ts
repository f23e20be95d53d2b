import { type Reviewed, recordExecution } from '@countersign/contract'
import { canExecute } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { api } from '../../../api/client.ts'
import { serverNow } from '../../../device/server-time.ts'
import { withLock } from '../../../device/tab-lock.ts'
import { readTab, writeTab } from '../../../device/tab-storage.ts'
import type { ReviewLists } from '../../../evidence/attribution/review-lists.ts'
import { madePack } from '../../../evidence/proof-pack/made-packs.ts'
import { checkAgain, type Shown } from '../../../review/sign/check-again.ts'
import { reportOf } from '../../../review/sign/report.ts'
import { executionCall, gasOfExecution, simulateExecution } from '../../../safe/execution/encode-execution.ts'
import { executionGas } from '../../../safe/execution/execution-gas.ts'
import { transactionQuery } from '../../../safe/queries.ts'
import { fail } from '../../../text/fail.ts'
import type { ChosenFees, Signer } from '../../../wallet/signing.ts'
import { mayExecuteAgain, type SendingStep, type SentExecution } from './execution-state.ts'
import { type ExecutedPlace, followExecution, newestSent } from './follow-execution.ts'
import { readRaisedFees } from './raised-fees.ts'

const RECORD_TRIES = 3

/** A transaction as it is to be executed. */
type Executed = {
  /** The hash that the person has seen, computed in this browser, and the answers to its review. */
  shown: Shown
  /** The one that waits, and is to be sent again with a higher fee. */
  earlier?: Hex
  /** Fees and account nonce that the person chose; of what they left open the wallet decides. */
  fees?: ChosenFees
}

/** Everything that an execution is sent with. */
export type Sender = {
  queryClient: QueryClient
  signer: Signer | null
  lists: ReviewLists
  onStep: (step: SendingStep) => void
  /** Hears of it before the server is told. */
  onSent: (sent: SentExecution) => void
}

/**
 * Executes what was reviewed: checks once more, simulates, estimates, sends, and tells the server at once.
 *
 * @returns the error of telling the server, which changes nothing; null without one
 * @throws CountersignError `EXECUTION_UNDER_WAY` where one that was sent may still be mined, or another tab sends one
 */
export async function sendExecution(place: ExecutedPlace, what: Executed, sender: Sender): Promise<unknown> {
  // Between the check and the word to the server, another tab would not know of it, and send it a second time.
  const name = `countersign.execution.${place.chainId}.${place.safeAddress.toLowerCase()}`
  return withLock(name, (isFree) => {
    if (!isFree) throw fail('EXECUTION_UNDER_WAY', { reason: 'tab' })
    return send(place, what, sender)
  })
}

async function send(
  place: ExecutedPlace,
  { shown, earlier, fees }: Executed,
  { queryClient, signer, lists, onStep, onSent }: Sender,
): Promise<unknown> {
  if (!signer) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
  const { account } = signer
  onStep('checking')
  const subjectPlace = { kind: 'transaction', ...place, hash: place.safeTxHash } as const
  const again = await checkAgain(queryClient, subjectPlace, { account, lists }, shown)
  const { request, review, state } = again
  const { subject } = request
  if (subject.kind !== 'transaction') throw fail('REVIEW_INCOMPLETE', { reason: 'fields' })
  const { safeTx } = subject
  const permission = canExecute({
    safe: state,
    transaction: {
      nonce: safeTx.nonce,
      isExecuted: false,
      confirmations: review.confirmations.filter(({ status }) => status === 'valid'),
    },
    account,
  })
  if (!permission.ok) throw permission.error
  if (earlier === undefined) await assertNoneWaits(queryClient, place)
  const node = chainRequest(place.chainId)
  const call = await executionCall(node, safeTx, review.confirmations, state)
  const execution = { from: account, ...call }
  const isBatch = state.creation !== undefined
  onStep('simulating')
  await simulateExecution(node, execution, { isBatch })
  onStep('estimating')
  // Gas that a contract takes to check its own signature is not part of the run.
  const isByKeys = !review.confirmations.some(({ signatureType }) => signatureType === 'CONTRACT_SIGNATURE')
  const given = { signatures: state.threshold, safeTxGas: safeTx.safeTxGas }
  const byRun = isByKeys && !isBatch ? executionGas(again.facts, given) : null
  const gas = await gasOfExecution(node, execution, { byRun, isBatch })
  const replacing = earlier && (await readRaisedFees(node, earlier))
  onStep('wallet')
  const transactionHash = await signer.sendTransaction({
    chainId: place.chainId,
    ...call,
    value: 0n,
    gas,
    replacing,
    fees,
    subject: { safeAddress: place.safeAddress, safeTxHash: place.safeTxHash },
  })
  const sent: SentExecution = {
    transactionHash,
    executor: account,
    submissionDate: new Date(serverNow()).toISOString(),
    accountNonce: replacing?.nonce ?? fees?.nonce ?? null,
    earlier,
  }
  writeTab(sentKey(place), JSON.stringify(sent))
  onSent(sent)
  onStep('recording')
  // It is on its way whatever the server says; only telling the others can fail.
  const reviewed = reportOf({ ...again, pack: madePack(account, review.hash) })
  return record(place, { transactionHash, reviewed }).then(
    () => null,
    (error: unknown) => error,
  )
}

/** Refuses while an execution may still be mined that this tab or, as it was just asked, the server knows of. */
async function assertNoneWaits(queryClient: QueryClient, place: ExecutedPlace): Promise<void> {
  const served = queryClient.getQueryData(transactionQuery(place.chainId, place.safeTxHash).queryKey)
  const sent = newestSent(readSent(place), served?.transaction.pendingExecution ?? null)
  if (sent === null || mayExecuteAgain((await followExecution(place, sent)).progress)) return
  throw fail('EXECUTION_UNDER_WAY', { reason: 'sent', transactionHash: sent.transactionHash })
}

async function record(
  { chainId, safeTxHash }: ExecutedPlace,
  sent: { transactionHash: Hex; reviewed: Reviewed },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await api(recordExecution, { chainId, safeTxHash, ...sent })
      return
    } catch (error) {
      if (attempt === RECORD_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 700 * attempt))
    }
  }
}

function sentKey({ chainId, safeTxHash }: ExecutedPlace): string {
  return `countersign.sent.${chainId}.${safeTxHash}`
}

/** The execution that was last sent from this tab; null where none was. */
export function readSent(place: ExecutedPlace): SentExecution | null {
  try {
    const sent: unknown = JSON.parse(readTab(sentKey(place)) ?? 'null')
    return isSent(sent) ? sent : null
  } catch {
    return null
  }
}

function isSent(value: unknown): value is SentExecution {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['transactionHash', 'executor', 'submissionDate'].every((name) => name in value)
  )
}
