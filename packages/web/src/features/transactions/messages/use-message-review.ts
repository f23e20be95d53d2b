import type { SafeMessage } from '@countersign/contract'
import {
  type CollectedMessageReview,
  CountersignError,
  type MessageContent,
  readMessageContent,
  reviewCollectedMessage,
  type SafeState,
} from '@countersign/safe-core'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { safeStateQuery, useSafeState } from '../../../api/safe-state.ts'
import { serverNow } from '../../../api/server-time.ts'
import { contextOf, type MessageFacts, noMessageFacts, readMessageFacts } from './message-facts.ts'
import { messageQuery } from './queries.ts'

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

async function reviewRequest(request: MessageRequest, state: SafeState | null): Promise<MessageReview> {
  const content = readMessageContent(request.content)
  const context = contextOf(request, content, state)
  const { confirmations, claimedSafeMessageHash, origin } = request
  const facts = state
    ? await readMessageFacts(chainRequest(request.chainId), context, state, confirmations)
    : noMessageFacts
  // Without the Safe its version is a guess, and so is the hash: then nobody is accused of a wrong one.
  const claimed = state ? claimedSafeMessageHash : null
  const review = await reviewCollectedMessage(
    { ...context, claimedSafeMessageHash: claimed, safeTxHashes: [], origin: originUrl(origin), now: serverNow() },
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
  const result = useQuery({
    queryKey: [
      'message-review',
      JSON.stringify({ request, state: known && { ...known, blockNumber: 0, balance: 0, nonce: String(known.nonce) } }),
    ],
    queryFn: () => reviewRequest(request, known),
    enabled: !state.isPending || isOffline,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
    networkMode: 'always',
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
      void result.refetch()
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
    throw new CountersignError(
      'MESSAGE_HASH_MISMATCH',
      `The server answered with \`${served.safeMessageHash}\`, not with \`${safeMessageHash}\`.`,
    )
  if (served.chainId !== chainId || served.safeAddress !== safeAddress)
    throw new CountersignError('REVIEW_REFUSED', `The message now belongs to another Safe: \`${served.safeAddress}\`.`)
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
  const { content, review } = await reviewRequest(request, state)
  const { safeMessageHash } = review.hashes
  if (safeMessageHash !== shown)
    throw new CountersignError(
      'MESSAGE_HASH_MISMATCH',
      `You reviewed \`${shown}\`; the message is now \`${safeMessageHash}\`.`,
      { data: { shown, now: safeMessageHash } },
    )
  if (review.verdict === 'do-not-sign') {
    const critical = review.findings.filter(({ severity }) => severity === 'critical').map(({ id }) => id)
    throw new CountersignError('REVIEW_REFUSED', `The review finds: \`${critical.join(', ')}\`.`)
  }
  if (review.verdict !== 'matches')
    throw new CountersignError('REVIEW_INCOMPLETE', 'The Safe, its version or a signature could not be checked.')
  return { request, content, state }
}
