import { getReviewLists, type Reply, type ReviewList } from '@countersign/contract'
import type { Address } from 'viem'
import { fail } from '../text/fail.ts'
import { api } from './client.ts'

type Lists = Reply<typeof getReviewLists>
type Going = { lists: Set<ReviewList>; answer: Promise<Lists> }

/** Questions of this tick, by Safe. */
const going = new Map<string, Going>()

/**
 * Asks for a list that reviews need from the team. Lists of one tick travel as one question; each stays a query of its own, and
 * what is asked later is asked anew. Nobody takes back a question that others wait for.
 *
 * @throws CountersignError as `getReviewLists`
 */
export async function askReviewList<List extends ReviewList>(
  chainId: number,
  safeAddress: Address,
  list: List,
): Promise<NonNullable<Lists[List]>> {
  const key = `${chainId} ${safeAddress}`
  const found = going.get(key) ?? start(key, chainId, safeAddress)
  found.lists.add(list)
  const answered = (await found.answer)[list]
  // A server that leaves out what was asked for is not believed that there is none.
  if (answered === undefined) throw fail('INTERNAL', { reason: 'reply', operation: `GET ${getReviewLists.path}` })
  return answered as NonNullable<Lists[List]>
}

function start(key: string, chainId: number, safeAddress: Address): Going {
  const lists = new Set<ReviewList>()
  const leaving = new Promise((resolve) => setTimeout(resolve, 0))
  const answer = leaving.then(() => {
    going.delete(key)
    return api(getReviewLists, { chainId, safeAddress, lists: [...lists] })
  })
  const opened = { lists, answer }
  going.set(key, opened)
  return opened
}
