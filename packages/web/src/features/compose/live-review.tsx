import { countedBalances, executedRun, type Facts, writtenEvidence } from '@countersign/review'
import { isSameAddress, type SafeTx } from '@countersign/safe'
import { executionSize, MAX_TRANSACTION_BYTES } from '@countersign/safe/calls'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hexToBigInt, isHex, zeroAddress } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { TransactionRequest } from '../../review/subject.ts'
import { useReview } from '../../review/use-review.ts'
import { executionExcess, executionGas } from '../../safe/execution/execution-gas.ts'
import { currencyOf, type Names, tokenAt } from '../../safe/names/names.ts'
import { useNamesOf } from '../../safe/names/primary-names.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { findingTitle } from '../../safe/words/finding-words.ts'
import { VerdictMark, verdictColours } from '../../safe/words/verdict-mark.tsx'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { shownVerdict, verdictTitle } from '../../safe/words/verdict-words.ts'
import { formatNumber } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardPart } from '../../ui/card.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { batchLimits } from './payout/split-payments.ts'
import { text } from './text.ts'

/** Entries of a draft by their number, and the way to propose only the first so many of them now. */
type Splitting = { entries: number; onSplit: (count: number) => void }

/** Nobody wants a review of half an amount. */
const TYPING_MS = 600

/** Whether what a key stands for has stood for a while. */
function useIsSettled(key: string): boolean {
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(key), TYPING_MS)
    return () => clearTimeout(timer)
  }, [key])
  return settled === key
}

/** The words that co-owners will read of the draft as it stands, by the same review that they see. Nothing is signed from here. */
export function LiveReview({
  safeTx,
  request,
  names: known,
  ...splitting
}: {
  safeTx: SafeTx | null
  request: (safeTx: SafeTx) => TransactionRequest
  names: Names
} & Splitting) {
  const key = safeTx === null ? '' : [safeTx.to, safeTx.value, safeTx.data, safeTx.operation, safeTx.nonce].join()
  const isSettled = useIsSettled(key)
  const names = useNamesOf(isSettled ? safeTx : null, known, known.chain?.chainId ?? 0)
  return (
    <Card label={text('compose.live')}>
      {safeTx === null ? (
        <CardPart title={text('compose.live.title')}>
          <p className="text-ink-soft">{text('compose.live.open')}</p>
        </CardPart>
      ) : (
        <>
          <CardPart title={text('compose.live.title')}>
            <p data-live-title className="text-lead font-semibold wrap-anywhere">
              {transactionTitle(safeTx, names)}
            </p>
          </CardPart>
          {isSettled ? <DraftReview request={request(safeTx)} names={names} {...splitting} /> : <Checking />}
        </>
      )}
    </Card>
  )
}

function Checking() {
  return (
    <div className="flex items-center gap-2.5 px-4 py-3.5 text-ink-faint sm:px-4.5">
      <VerdictMark of="checking" size={20} />
      {text('verdict.checking')}
    </div>
  )
}

function DraftReview({ request, names, ...splitting }: { request: TransactionRequest; names: Names } & Splitting) {
  const { chainId, safeAddress } = request.subject
  const { review, facts, state, error, isOutdated, retry } = useReview(request, chainId, safeAddress)
  if (error)
    return (
      <div className="px-4 py-3.5 sm:px-4.5">
        <QueryProblem error={error} onRetry={retry} />
      </div>
    )
  if (!review || isOutdated || review.kind !== 'transaction') return <Checking />
  const serious = review.findings.filter(({ severity }) => severity === 'critical' || severity === 'high')
  return (
    <>
      <Moves facts={facts} names={names} />
      {state && (
        <Room
          {...splitting}
          chainId={chainId}
          bytes={executionSize(request.subject.safeTx, state)}
          gas={executionGas(facts, { signatures: state.threshold, ...request.subject.safeTx })}
          excess={executionExcess(facts, { signatures: state.threshold, ...request.subject.safeTx })}
        />
      )}
      <div data-live-verdict={review.verdict} className="px-4 py-3.5 sm:px-4.5" role="status">
        <p className={`flex items-center gap-2.5 font-semibold ${verdictColours[shownVerdict(review)]}`}>
          <VerdictMark of={shownVerdict(review)} size={20} />
          {verdictTitle(summarizeVerdict(review))}
        </p>
        {serious.length > 0 && (
          <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-small">
            {serious.map((finding) => (
              <li
                key={`${finding.id} ${JSON.stringify(finding.where)} ${JSON.stringify(writtenEvidence(finding.evidence))}`}
              >
                {findingTitle(finding)}
              </li>
            ))}
          </ul>
        )}
        <p className="mt-1.5 text-small text-ink-soft">{text('compose.live.next')}</p>
      </div>
    </>
  )
}

/** The Safe's own balances before and after, by the run of the transaction. */
function Moves({ facts, names }: { facts: Facts; names: Names }) {
  const run = executedRun(facts)
  if (run === null) return null
  const moves = countedBalances(run, names.safeAddress).filter(
    ({ account, before, after }) => isSameAddress(account, names.safeAddress) && before !== null && after !== null,
  )
  if (moves.length === 0) return null
  return (
    <CardPart title={text('compose.live.moves')}>
      <ul className="grid gap-1">
        {moves.map(({ token, tokenId, before, after }) => {
          const known = token === zeroAddress ? currencyOf(names.chain) : tokenAt(token, names.chain)
          const amount = (value: bigint | null) => formatAmount(value ?? 0n, known?.decimals ?? 0)
          return (
            <li
              key={`${token} ${tokenId}`}
              className="flex flex-wrap items-baseline justify-between gap-x-3 tabular-nums"
            >
              <span>
                {tokenId !== null
                  ? text('compose.live.item', { tokenId: showUntrusted(tokenId.toString(), 20) })
                  : known
                    ? showUntrusted(known.symbol, 20)
                    : text('compose.live.unlisted')}
              </span>
              <span>{text('compose.live.change', { before: amount(before), after: amount(after) })}</span>
            </li>
          )
        })}
      </ul>
    </CardPart>
  )
}

/** The most gas that one transaction of a chain should need, by its newest block; null where the node does not say. */
function mostGasQuery(chainId: number) {
  return queryOptions({
    queryKey: ['most-gas', chainId],
    queryFn: async () => {
      const block = await chainRequest(chainId)({ method: 'eth_getBlockByNumber', params: ['latest', false] })
      const limit = typeof block === 'object' && block !== null && 'gasLimit' in block ? block.gasLimit : null
      return isHex(limit) ? batchLimits(hexToBigInt(limit)).gas : null
    },
    staleTime: 60_000,
  })
}

type RoomOfDraft = {
  chainId: number
  /** Gas to offer; null where no run says. */
  gas: bigint | null
  excess: { gas: bigint; most: bigint } | null
  /** Bytes of the transaction that executes it. */
  bytes: number
} & Splitting

/** Shows the gas and the bytes of an execution. If a block or a node has no room for them, it offers to split the draft. */
function Room(draft: RoomOfDraft) {
  const { chainId, bytes, entries, onSplit } = draft
  const { data: most = null } = useQuery(mostGasQuery(chainId))
  const need = gasNeed(draft, most)
  const isOversized = bytes > MAX_TRANSACTION_BYTES
  const fit = fitting(entries, Math.max(need?.fill ?? 0, bytes / MAX_TRANSACTION_BYTES))
  const split = entries > 1 && (
    <div className="mt-2">
      <Button isCompact onClick={() => onSplit(fit)}>
        {text('compose.live.gas.split', { count: fit })}
      </Button>
    </div>
  )
  return (
    <>
      {need && (
        <CardPart title={text('compose.live.gas')}>
          <p
            data-live-gas={need.isLarge ? 'large' : 'ordinary'}
            className={need.isLarge ? 'font-semibold text-warning' : ''}
          >
            {need.sentence}
          </p>
          {need.isLarge && !isOversized && split}
        </CardPart>
      )}
      {isOversized && (
        <CardPart title={text('compose.live.size')}>
          <p data-live-size className="font-semibold text-warning">
            {text('compose.live.size.excess', {
              bytes: formatNumber(bytes),
              most: formatNumber(MAX_TRANSACTION_BYTES),
              entries,
            })}
          </p>
          {split}
        </CardPart>
      )}
    </>
  )
}

/** The gas that an execution needs: in words, as a share of the most, and whether that is too much. */
type GasNeed = { sentence: string; fill: number; isLarge: boolean }

/** Returns null if no simulation says how much gas the execution needs. */
function gasNeed({ gas, excess, entries }: RoomOfDraft, most: bigint | null): GasNeed | null {
  const shown = (amount: bigint) => formatNumber(Number(amount))
  if (excess !== null)
    return {
      sentence: text('compose.live.gas.excess', { gas: shown(excess.gas), most: shown(excess.most), entries }),
      fill: Number(excess.gas) / Number(most ?? excess.most),
      isLarge: true,
    }
  if (gas === null) return null
  const fill = most === null ? 1 : Number(gas) / Number(most)
  if (most !== null && gas > most)
    return { sentence: text('compose.live.gas.large', { gas: shown(gas), most: shown(most) }), fill, isLarge: true }
  return { sentence: text('compose.live.gas.amount', { gas: shown(gas) }), fill, isLarge: false }
}

/** Entries like these that one transaction has room for, with a twentieth left over: at least one, and not all of them. */
function fitting(entries: number, fill: number): number {
  return Math.min(Math.max(Math.floor((entries * 0.95) / fill), 1), entries - 1)
}
