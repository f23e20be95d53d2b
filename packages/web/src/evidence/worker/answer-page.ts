import { hashAbi, hashName, prepareReview } from '@countersign/review'
import { retryOnceWhenLimited } from '../../api/retry-when-limited.ts'
import { areSigned } from '../attribution/signed-entries.ts'
import { verifyPolicy } from '../policy/verify-policy.ts'
import { forgetPins, holdPins, pinReader, releasePins } from '../proof/pinned-reader.ts'
import { proveEarly } from '../proof/prove-early.ts'
import { requestOfContracts } from '../proof/request-of-contracts.ts'
import { hasChanged } from '../simulation/has-changed.ts'
import { simulateTransaction } from '../simulation/simulate-transaction.ts'
import { forgetAnswers } from './answer-cache.ts'
import { connectPage, requestByPage } from './ask-page.ts'
import type { PageCalls, WorkerCalls } from './calls.ts'
import { type ChannelMessage, openChannel } from './channel.ts'
import { readCachedFact } from './read-cached-fact.ts'
import { judge, readAhead, review } from './review.ts'

const answers: WorkerCalls = {
  judge,
  review,
  readAhead,
  prepareReview,
  readFact: readCachedFact,
  simulate: (need) => simulateTransaction(need, null),
  proveEarly,
  hasChanged,
  verifyPolicy,
  areNamesSigned: ({ names, sources, ...place }) =>
    areSigned(
      names,
      ({ address, name }) => hashName({ ...place, address, name }),
      requestOfContracts(place.chainId, sources),
    ),
  areAbisSigned: ({ abis, sources, ...place }) =>
    areSigned(
      abis,
      ({ contract, abi }) => hashAbi({ ...place, contract, abi }),
      requestOfContracts(place.chainId, sources),
    ),
  // Few pages need this code, so it is loaded on demand.
  provePayees: async ({ place, executions, state }) => {
    const { provedPayees } = await import('../attribution/prove-payees.ts')
    const node = requestByPage(place.chainId)
    return provedPayees(place, executions, state, (call) => retryOnceWhenLimited(() => node(call)))
  },
  makePack: async (question) => (await import('../proof-pack/packs.ts')).makePack(question),
  checkPack: async (question) => (await import('../proof-pack/packs.ts')).checkPack(question),
  examineExecution: async (executed) => (await import('../executed/examine.ts')).examine(executed),
  newestBlock: async ({ chainId, sources }) => (await pinReader(chainId, sources)).reader.block.number,
  holdBlock: (chainId) => {
    forgetAnswers()
    holdPins(chainId)
  },
  releaseBlock: releasePins,
  forgetBlock: forgetPins,
  ping: () => {},
}

/**
 * Answers the page of this Worker.
 *
 * @returns receives what the page posts
 */
export function answerPage(post: (messages: readonly ChannelMessage[]) => void): (messages: ChannelMessage[]) => void {
  // Questions for nodes that one turn asks travel to the server together.
  const channel = openChannel<PageCalls, WorkerCalls>(post, answers, (flush) => setTimeout(flush, 0))
  connectPage(channel.ask)
  return channel.receive
}
