import type { Verdict } from '@countersign/review'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { useListed } from '../../review/use-listed.ts'
import { useVerdicts } from '../../review/use-verdicts.ts'
import { waitsFor } from '../../safe/proposals.ts'
import { queueQuery } from '../../safe/queries.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { verdictTones } from '../../safe/words/verdict-words.ts'
import { text } from '../../text/lists.ts'
import { Tag } from '../../ui/tag.tsx'

const worstFirst: readonly Exclude<Verdict, 'matches'>[] = ['do-not-sign', 'cannot-verify', 'matches-with-warnings']

/** How many of the transactions that wait for the reader in a Safe have a verdict other than *matches*. */
export function WaitingVerdicts({
  chainId,
  safeAddress,
  account,
}: {
  chainId: number
  safeAddress: Address
  account: Address
}) {
  const { data, error } = useSafeState(chainId, safeAddress)
  const state = error ? undefined : data
  const pages = useInfiniteQuery(queueQuery(chainId, safeAddress)).data?.pages
  const transactions = useMemo(() => pages?.flatMap((page) => page.transactions) ?? [], [pages])
  const { listed: all } = useListed(transactions, { chainId, safeAddress }, account)
  const listed = useMemo(() => {
    const waiting = new Set(
      transactions.filter((transaction) => waitsFor(transaction, account, state)).map(({ safeTxHash }) => safeTxHash),
    )
    return all.filter(({ hash }) => waiting.has(hash))
  }, [transactions, all, account, state])
  const verdicts = [...useVerdicts(listed, { chainId, safeAddress }, state, error !== null).verdicts.values()]
  return worstFirst.map((verdict) => {
    const count = verdicts.filter((other) => other.verdict === verdict).length
    if (count === 0) return null
    return (
      <span key={verdict} data-waiting-verdict={verdict}>
        <Tag tone={verdictTones[verdict]}>{text(`safes.waiting.${verdict}`, { count })}</Tag>
      </span>
    )
  })
}
