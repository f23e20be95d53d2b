import type { SafeMessage } from '@countersign/contract'
import {
  type CollectedMessageReview,
  domainVersion,
  type MessageContent,
  readMessageContent,
  reviewCollectedMessage,
  type SafeState,
} from '@countersign/safe-core'
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { computedQuery } from '../../api/computed-query.ts'
import { safeStateQuery, useSafeState } from '../../api/safe-state.ts'
import { serverNow } from '../../api/server-time.ts'
import { hasOpenAnswer } from '../../review/signature-facts.ts'
import { fail } from '../../text/fail.ts'
import { contextOf, type MessageFacts, noMessageFacts, readMessageFacts } from './message-facts.ts'
import { messageQuery } from './queries.ts'

const OPEN_ANSWER_MS = 10_000
const MINUTE_MS = 60_000

/** What a message's review looks at, wherever it comes from: served, or just being written. */
export type MessageRequest = {
  chainId: number
  safeAddress: Address
  /** JSON. */
  content: string
  /** The hash in the link; null before it is proposed. */
  claimedSafeMessageHash: Hex | null
  confirmations: readonly { owner: Address; signature: Hex }[]
  origin: string | null
}

export type MessageReview = { content: MessageContent; review: CollectedMessageReview; facts: MessageFacts }

export function requestOfMessage(message: SafeMessage, safeMessageHash: Hex): MessageRequest {
  const { chainId, safeAddress, content, confirmations, origin } = message
  return { chainId, safeAddress, content, claimedSafeMessageHash: safeMessageHash, confirmations, origin }
}

/** What the chain says of a message, at the Safe as it was read. */
function factsQuery(request: MessageRequest, state: SafeState | null) {
  const { chainId, safeAddress, content, confirmations } = request
  // Version and handler decide how owners are asked. A transaction that is executed may sign the message.
  const safe = state && {
    version: domainVersion(state),
    fallbackHandler: state.fallbackHandler,
    nonce: state.nonce.toString(),
  }
  return queryOptions({
    queryKey: ['message-facts', chainId, safeAddress, content, confirmations, safe],
    queryFn: () => {
      if (!safe) return noMessageFacts
      const context = { chainId, safeAddress, version: safe.version, content: readMessageContent(content) }
      return readMessageFacts(chainRequest(chainId), context, safe, confirmations)
    },
    staleTime: 30_000,
    retry: false,
    networkMode: 'always',
    // An owner that is a contract may answer later, and a module may sign: no event tells of either.
    refetchInterval: ({ state: { data } }) =>
      data?.isSignedOnChain === true && !hasOpenAnswer(data.contractSignatures) ? false : OPEN_ANSWER_MS,
  })
}

type MessageReviewInputs = { request: MessageRequest; state: SafeState | null; facts: MessageFacts; now: number }

async function reviewMessage({ request, state, facts, now }: MessageReviewInputs): Promise<MessageReview> {
  const content = readMessageContent(request.content)
  const context = contextOf(request, content, state)
  const { confirmations, claimedSafeMessageHash, origin } = request
  // Without the Safe its version is a guess, and so is the hash: then nobody is accused of a wrong one.
  const claimed = state ? claimedSafeMessageHash : null
  const review = await reviewCollectedMessage(
    { ...context, claimedSafeMessageHash: claimed, safeTxHashes: [], origin: originUrl(origin), now },
    { confirmations: state ? confirmations : [], state, contractSignatures: facts.contractSignatures },
  )
  return { content, review, facts }
}

/** Only an address of the web can be compared with what a sign-in message says. */
function originUrl(origin: string | null): string | null {
  return origin !== null && /^https?:\/\/\S+$/.test(origin) && URL.canParse(origin) ? new URL(origin).origin : null
}

export type MessageReviewView = {
  reviewed: MessageReview | undefined
  state: SafeState | undefined
  stateError: Error | null
  /** Why there is no review at all. */
  error: Error | null
  isOutdated: boolean
  isOffline: boolean
  retry: () => void
}

/** The review of a message, computed again whenever anything that it looks at changes. */
export function useMessageReview(request: MessageRequest): MessageReviewView {
  const state = useSafeState(request.chainId, request.safeAddress)
  // A state that is old because reading fails now must not carry a signature.
  const known = state.error ? null : (state.data ?? null)
  const isOffline = state.fetchStatus === 'paused'
  const facts = useQuery({ ...factsQuery(request, known), enabled: !state.isPending || isOffline })
  const input: MessageReviewInputs = {
    request,
    state: known && { ...known, blockNumber: 0n, balance: 0n },
    facts: facts.data ?? noMessageFacts,
    // A sign-in message expires; to the minute is near enough.
    now: Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS,
  }
  const result = useQuery({
    ...computedQuery('message-review', input, reviewMessage),
    enabled: !facts.isPending,
    placeholderData: keepPreviousData,
  })
  return {
    reviewed: result.data,
    state: state.data,
    stateError: state.error,
    error: result.error,
    isOutdated: result.isPlaceholderData,
    isOffline,
    retry: () => {
      void state.refetch()
      void facts.refetch()
    },
  }
}

export type CheckedMessage = { request: MessageRequest; content: MessageContent; state: SafeState }

/**
 * Asks for everything again and reviews it anew, right before a signature.
 *
 * @param shown the hash that the person has seen
 * @throws CountersignError `MESSAGE_HASH_MISMATCH`, `REVIEW_REFUSED`, `REVIEW_INCOMPLETE`
 */
export async function checkMessageAgain(
  queryClient: QueryClient,
  place: { chainId: number; safeAddress: Address; safeMessageHash: Hex },
  shown: Hex,
): Promise<CheckedMessage> {
  const { chainId, safeAddress, safeMessageHash } = place
  const served = await queryClient.fetchQuery({ ...messageQuery(chainId, safeMessageHash), staleTime: 0 })
  if (served.safeMessageHash !== safeMessageHash)
    throw fail('MESSAGE_HASH_MISMATCH', {
      reason: 'served',
      received: served.safeMessageHash,
      expected: safeMessageHash,
    })
  if (served.chainId !== chainId || served.safeAddress !== safeAddress)
    throw fail('REVIEW_REFUSED', { reason: 'other-safe', safeAddress: served.safeAddress })
  return checkRequestAgain(queryClient, requestOfMessage(served, safeMessageHash), shown)
}

/** The same for a message that is not proposed yet. */
export async function checkRequestAgain(
  queryClient: QueryClient,
  request: MessageRequest,
  shown: Hex,
): Promise<CheckedMessage> {
  const { chainId, safeAddress } = request
  const state = await queryClient.fetchQuery({ ...safeStateQuery(chainId, safeAddress), staleTime: 0 })
  const facts = await queryClient.fetchQuery({ ...factsQuery(request, state), staleTime: 0 })
  const { content, review } = await reviewMessage({ request, state, facts, now: serverNow() })
  const { safeMessageHash } = review.hashes
  if (safeMessageHash !== shown)
    throw fail('MESSAGE_HASH_MISMATCH', { reason: 'reviewed', shown, now: safeMessageHash })
  if (review.verdict === 'do-not-sign') {
    const critical = review.findings.filter(({ severity }) => severity === 'critical').map(({ id }) => id)
    throw fail('REVIEW_REFUSED', { reason: 'findings', findings: critical })
  }
  if (review.verdict !== 'matches') throw fail('REVIEW_INCOMPLETE', { reason: 'message' })
  return { request, content, state }
}
