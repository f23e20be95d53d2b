import { type Acknowledgement, type Demand, demandsOf, meets, type SubjectReview } from '@countersign/review'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import type { Names } from '../../safe/names/names.ts'
import { onStoredAnswerChange, readStoredAnswer, storeAnswer, storedAnswersText } from './stored-answers.ts'

/** The demands of a review on the person who is here, and the answers given in this tab. */
export type Acknowledging = {
  demands: readonly Demand[]
  /** Answers that meet their demand; they go along with whatever is signed. */
  given: readonly Acknowledgement[]
  /** By the demand's key; an answer may be half given. */
  answers: ReadonlyMap<string, Acknowledgement>
  answer: (demand: Demand, answer: Omit<Acknowledgement, 'key' | 'id'> | null) => void
}

/** One demand, and what was answered to it. */
export type DemandProps = {
  demand: Demand
  given: Acknowledgement | undefined
  names: Names
  onAnswer: Acknowledging['answer']
}

const none: readonly Demand[] = []

/** The demands of a review, and this account's answers to them. Another evidence is another demand, without an answer. */
export function useAcknowledgements(review: SubjectReview | undefined, account: Address | null): Acknowledging {
  const demands = useMemo(() => (review ? demandsOf(review) : none), [review])
  const kept = useSyncExternalStore(onStoredAnswerChange, () => storedAnswersText(account, demands))
  const answers = useMemo(() => {
    const found = new Map<string, Acknowledgement>()
    if (account === null || kept === '') return found
    for (const demand of demands) {
      const answer = readStoredAnswer(account, demand)
      if (answer) found.set(demand.key, answer)
    }
    return found
  }, [account, demands, kept])
  const given = useMemo(
    () =>
      demands.flatMap((demand) => {
        const answer = answers.get(demand.key)
        return answer && meets(answer, demand) ? [answer] : []
      }),
    [demands, answers],
  )
  const answer = useCallback(
    (demand: Demand, said: Omit<Acknowledgement, 'key' | 'id'> | null) => {
      if (account !== null) storeAnswer(account, demand, said)
    },
    [account],
  )
  return { demands, given, answers, answer }
}
