import type { Verdict } from '@countersign/safe-core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address } from 'viem'
import { useSafeState } from '../../api/safe-state.ts'
import { listedTransactions, waitsFor } from '../../review/proposals.ts'
import { queueQuery } from '../../review/queries.ts'
import { text } from '../../review/text.ts'
import { useVerdicts } from '../../review/use-verdicts.ts'
import { verdictTones } from '../../review/verdict-words.ts'
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
  const { data: state } = useSafeState(chainId, safeAddress)
  const pages = useInfiniteQuery(queueQuery(chainId, safeAddress)).data?.pages
  const listed = useMemo(() => {
    const transactions = pages?.flatMap((page) => page.transactions) ?? []
    return listedTransactions(transactions, account).filter((_, index) => {
      const transaction = transactions[index]
      return transaction !== undefined && waitsFor(transaction, account, state)
    })
  }, [pages, account, state])
  const verdicts = [...useVerdicts(listed, { chainId, safeAddress }, state).values()]
  return worstFirst.map((verdict) => {
    const count = verdicts.filter((one) => one.verdict === verdict).length
    if (count === 0) return null
    return (
      <span key={verdict} data-waiting-verdict={verdict}>
        <Tag tone={verdictTones[verdict]}>{text(`safes.waiting.${verdict}`, { count })}</Tag>
      </span>
    )
  })
}
