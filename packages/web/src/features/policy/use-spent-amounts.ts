import { type AmountLimit, type ExecutedAmount, type SpentAmount, spentAmounts } from '@countersign/review'
import { useQuery } from '@tanstack/react-query'
import { factQuery } from '../../evidence/facts.ts'
import { useHashSources } from '../../evidence/proof/hash-sources.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import type { Place } from './policy-words.ts'

/** Sums for each limit, with what this page reads from the chain; `isOwn` false where only the server says what was executed. */
export function useSpentAmounts(
  { chainId, safeAddress }: Place,
  limits: readonly AmountLimit[],
  said: readonly SpentAmount[],
): ReturnType<typeof spentAmounts> {
  const sources = useHashSources(chainId)
  const { data: state } = useSafeState(chainId, safeAddress)
  const periods = limits.map(({ asset, period }) => ({ asset, period }))
  const version = state?.version ?? null
  const need = { chainId, safeAddress, nonce: state?.nonce, version, limits: periods }
  const read = useQuery({ ...factQuery({ id: 'executedAmounts', need }, sources), enabled: state !== undefined })
  // The answer of the fact that was asked for.
  const executed = (read.data?.answer ?? []) as readonly ExecutedAmount[]
  return spentAmounts(limits, { said, executed, safe: { safeAddress, version } })
}
