import {
  type sendToOtherService as endpoint,
  fail,
  type Input,
  type MultisigTransaction,
  type Reply,
  type SentSignature,
} from '@countersign/contract'
import type { SafeTx } from '@countersign/safe'
import { parseJson } from '@countersign/safe'
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Address } from 'viem'
import { z } from 'zod'
import type { SignedInCtx } from '../../context.ts'
import { multisigTransaction } from '../../db/schema.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { notAnOwner } from '../../safes/access.ts'
import { requireVisibleTransaction, transactionNotFound } from './access.ts'
import { askOtherService, otherServiceOf } from './other-service.ts'

/** A process that ended while it was sending holds nobody up for longer. */
const SENDING_MS = 120_000
/** Signatures of one sending; the next one sends the others. */
const MAX_SENT = 50
const MAX_WORDS = 300

const detail = z.object({ confirmations: z.array(z.object({ owner: z.string() })).nullish() })
/** How services say what is wrong: a sentence, or sentences by field. */
const sentences = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

/**
 * Sends a proposal and its confirmations to the Transaction Service that the operator names. What is there is asked for
 * first, and only what is missing is sent: repeating it after a failure sends nothing twice.
 *
 * @throws CountersignError as `sendToOtherService` of the contract.
 */
export async function sendToOtherService(
  ctx: SignedInCtx,
  { chainId, safeTxHash }: Input<typeof endpoint>,
): Promise<Reply<typeof endpoint>> {
  const { transaction, role } = await requireVisibleTransaction(ctx, chainId, safeTxHash)
  const { safeAddress, safeTx, transactionHash, isExecuted } = transaction
  if (!role || !safeTx) throw transactionNotFound(chainId, safeTxHash)
  if (role !== 'owner') throw notAnOwner(ctx.viewer.address, safeAddress)
  if (isExecuted) throw fail('TRANSACTION_ALREADY_EXECUTED', { safeTxHash, transactionHash })
  const service = otherServiceOf(chainOf(ctx.chains, chainId).settings)
  const { host } = service
  if (signaturesOf(transaction).length === 0) throw fail('OTHER_SERVICE_FAILED', { reason: 'unsigned', host })
  const byHash = and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeTxHash, safeTxHash))
  const now = ctx.clock()
  const mine = new Date(now.getTime() + SENDING_MS)
  const claimed = await ctx.db
    .update(multisigTransaction)
    .set({ sendingUntil: mine })
    .where(and(byHash, or(isNull(multisigTransaction.sendingUntil), lt(multisigTransaction.sendingUntil, now))))
    .returning({ hash: multisigTransaction.safeTxHash })
  if (claimed.length === 0) throw fail('OTHER_SERVICE_FAILED', { reason: 'sending', host })
  try {
    const signatures = await sendMissing(service, transaction, safeTx)
    const taken = signatures.filter(({ outcome }) => outcome === 'taken').map(({ owner }) => owner)
    if (taken.length > 0)
      await write(ctx, null, async (_, log) => {
        const told = { host, confirmedBy: taken.join(' ') }
        log.add({ verb: 'sent-elsewhere', account: ctx.viewer.address, chainId, safeAddress, safeTxHash, detail: told })
      })
    return { host, signatures, unsent: signaturesOf(transaction).length - signatures.length }
  } finally {
    await ctx.db
      .update(multisigTransaction)
      .set({ sendingUntil: null })
      .where(and(byHash, eq(multisigTransaction.sendingUntil, mine)))
  }
}

/** Signatures that can be sent, that of the proposer first. What was approved on the chain every service sees there. */
function signaturesOf({ confirmations, proposer }: MultisigTransaction): { owner: Address; signature: string }[] {
  const first = (owner: Address) => (owner === proposer ? 0 : 1)
  return confirmations
    .filter(({ signatureType }) => signatureType !== 'APPROVED_HASH')
    .toSorted((one, other) => first(one.owner) - first(other.owner))
}

async function sendMissing(
  service: ReturnType<typeof otherServiceOf>,
  transaction: MultisigTransaction,
  safeTx: SafeTx,
): Promise<SentSignature[]> {
  const { safeTxHash, safeAddress, origin } = transaction
  const { host } = service
  const found = await askOtherService(service, `/v2/multisig-transactions/${safeTxHash}/`, null)
  if (found.status !== 200 && found.status !== 404)
    throw fail('OTHER_SERVICE_FAILED', { reason: 'status', host, status: found.status })
  const known = found.status === 200 ? detail.safeParse(parseJson(found.text)) : null
  // Without knowing what is there nothing is sent.
  if (known && !known.success) throw fail('OTHER_SERVICE_FAILED', { reason: 'unreachable', host })
  const there = new Set(known?.data.confirmations?.map(({ owner }) => owner.toLowerCase()))
  let isProposed = known !== null
  const sent: SentSignature[] = []
  for (const { owner, signature } of signaturesOf(transaction).slice(0, MAX_SENT)) {
    if (there.has(owner.toLowerCase())) {
      sent.push({ owner, isProposal: false, outcome: 'there', status: null, words: null })
      continue
    }
    const isProposal = !isProposed
    const answer = await (isProposal
      ? askOtherService(service, `/v2/safes/${safeAddress}/multisig-transactions/`, {
          ...fieldsOf(safeTx),
          contractTransactionHash: safeTxHash,
          sender: owner,
          signature,
          origin,
        })
      : askOtherService(service, `/v1/multisig-transactions/${safeTxHash}/confirmations/`, { signature })
    ).catch(() => null)
    const outcome = outcomeOf(answer?.status)
    sent.push({ owner, isProposal, outcome, status: answer?.status ?? null, words: answer && wordsOf(answer.text) })
    if (outcome === 'unknown') break
    if (outcome === 'taken') isProposed = true
  }
  return sent
}

function outcomeOf(status: number | undefined): SentSignature['outcome'] {
  if (status === undefined || status >= 500 || status === 429 || (status >= 300 && status < 400)) return 'unknown'
  return status < 300 ? 'taken' : 'refused'
}

/** The ten fields in the words of the service: amounts as decimal texts. */
function fieldsOf({ value, safeTxGas, baseGas, gasPrice, nonce, ...rest }: SafeTx) {
  const amounts = { value, safeTxGas, baseGas, gasPrice, nonce }
  return { ...rest, ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount.toString()])) }
}

/** Sentences of an answer; null for none, and for what is no such answer. */
function wordsOf(text: string): string | null {
  const read = sentences.safeParse(parseJson(text))
  const said = Object.entries(read.data ?? {}).filter(([field]) => field !== 'signature' || text.includes('['))
  const words = said.flatMap(([, sentence]) => sentence).join(' ')
  return words === '' ? null : words.slice(0, MAX_WORDS)
}
