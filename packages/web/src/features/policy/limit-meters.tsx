import { type AmountLimit, amountOf, type SpentAmount, UNTOLD_AMOUNT } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { computedQuery } from '../../api/computed-query.ts'
import { useChain } from '../../api/configuration.ts'
import { spentQuery } from '../../evidence/policy/served-policy.ts'
import { queueQuery } from '../../safe/queries.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { foundTokensQuery, isAsked, useListedChain } from '../../safe/worth/listed-tokens.ts'
import { Loaded } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { amountWords, type Place } from './policy-words.ts'
import { addQueuedAmounts, type QueuedAmounts } from './queued-amounts.ts'
import { text } from './text.ts'
import { useSpentAmounts } from './use-spent-amounts.ts'

/** Shows how much of each amount limit is used: executed by the chain's logs, queued as far as this page verified it. */
export function LimitMeters({ place, limits }: { place: Place; limits: readonly AmountLimit[] }) {
  const { chainId, safeAddress } = place
  const spent = useQuery(spentQuery(chainId, safeAddress, null))
  const here = useQueuedHere(place, limits)
  return (
    <Section title={text('policy.meters')} aside={text('policy.meters.aside')}>
      <Loaded of={spent} loading={text('policy.loading')} lines={limits.length}>
        {({ spent: said }) => <Meters place={place} limits={limits} said={said} here={here} />}
      </Loaded>
    </Section>
  )
}

function Meters({
  place,
  limits,
  said,
  here,
}: {
  place: Place
  limits: readonly AmountLimit[]
  /** Sums of the server. */
  said: readonly SpentAmount[]
  here: QueuedAmounts | undefined
}) {
  const sums = useSpentAmounts(place, limits, said)
  return (
    <Rows label={text('policy.meters')}>
      {limits.map((limit, index) => {
        const { asset, period } = limit
        const isSaid = said.some((sum) => isSameAddress(sum.asset, asset) && sum.period === period)
        const sum = sums[index]
        const executed = sum && (sum.isOwn || isSaid) ? sum.executed : null
        return (
          <Row key={`${asset} ${period}`}>
            <Meter
              place={place}
              limit={limit}
              here={here}
              executed={executed}
              isOwn={sum?.isOwn ?? false}
              queued={isSaid ? (sum?.queued ?? null) : null}
            />
          </Row>
        )
      })}
    </Rows>
  )
}

/** Undefined until the queue and the lists' word on the limited tokens are there; it is added up from its first page. */
function useQueuedHere({ chainId, safeAddress }: Place, limits: readonly AmountLimit[]): QueuedAmounts | undefined {
  const listed = useListed(chainId, limits)
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const { data: state } = useSafeState(chainId, safeAddress)
  const transactions = queue.data?.pages.flatMap((page) => page.transactions)
  const isThere = state && transactions && listed
  const input = isThere ? { transactions, listed, state: { ...state, blockNumber: 0n, balance: 0n } } : null
  const { data } = useQuery({ ...computedQuery('queued-here', input, addOrNothing), enabled: input !== null })
  return data ?? undefined
}

/** Finds the limited assets that are listed tokens; null until the lists are asked. */
function useListed(chainId: number, limits: readonly AmountLimit[]): Address[] | null {
  const { listRevision = null, tokens = [] } = useChain(chainId) ?? {}
  const question = { addresses: limits.map(({ asset }) => asset), names: [] }
  const chain = { chainId, listRevision }
  const { data: found = null } = useQuery(foundTokensQuery(chain, question))
  if (found === null && isAsked(chain, question)) return null
  const known = [...tokens, ...(found ?? [])]
  return question.addresses.filter((asset) => known.some(({ address }) => isSameAddress(address, asset)))
}

async function addOrNothing(input: Parameters<typeof addQueuedAmounts>[0] | null): Promise<QueuedAmounts | null> {
  return input && addQueuedAmounts(input)
}

function Meter({
  place,
  limit,
  executed,
  isOwn,
  queued,
  here,
}: {
  place: Place
  limit: AmountLimit
  /** Null: nobody says. */
  executed: bigint | null
  /** Whether this page read from the chain what was executed. */
  isOwn: boolean
  /** Sum of the server; null where it says none. */
  queued: bigint | null
  here: QueuedAmounts | undefined
}) {
  const chain = useListedChain(place.chainId)
  const { asset, amount: most } = limit
  const verified = here ? amountOf(here.amounts, asset) : null
  const isUnderstated = verified !== null && verified > (queued ?? 0n)
  const counted = isUnderstated ? verified : queued
  const words = (amount: bigint) =>
    amount >= UNTOLD_AMOUNT ? text('policy.meter.untold') : amountWords(amount, asset, chain)
  if (executed === null || counted === null) return <p>{text('policy.meter.none')}</p>
  const used = executed + counted
  const left = used < most ? most - used : 0n
  const percent = left === 0n ? 100 : Number((used * 100n) / most)
  return (
    <div data-meter={asset} data-percent={percent} className="grid gap-2">
      <p className="font-medium">{text('policy.meter.left', { left: words(left), limit: words(most) })}</p>
      <Progress percent={percent} label={text('policy.meter.label', { percent })} />
      <p className="text-small text-ink-soft">
        {text(isOwn ? 'policy.meter.executed' : 'policy.meter.executed.said', { amount: words(executed) })}{' '}
        {text('policy.meter.queued', { amount: words(counted) })}{' '}
        {here && verified !== null
          ? text('policy.meter.verified', { amount: words(verified), count: here.transactions })
          : text('policy.meter.unverified')}
      </p>
      {queued !== null && isUnderstated && (
        <Notice tone="danger">{text('policy.meter.less', { amount: words(queued) })}</Notice>
      )}
    </div>
  )
}
