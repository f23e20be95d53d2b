import { hashSubject } from '@countersign/review'
import { newSafeTx, type SafeState } from '@countersign/safe'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { type Address, zeroHash } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configurationQuery } from '../api/configuration.ts'
import type { ReviewQuestion } from '../evidence/worker/calls.ts'
import type { ChannelMessage } from '../evidence/worker/channel.ts'
import { safeQuery } from '../safe/safe.ts'
import { safeStateQuery } from '../safe/safe-state.ts'
import { configuration, devnet } from '../test/configuration.ts'
import { safeOf } from '../test/safe.ts'
import { useReview } from './use-review.ts'

const { chainId } = devnet
const safeAddress: Address = '0x2222222222222222222222222222222222222222'
const owner: Address = '0x3333333333333333333333333333333333333333'
const state: SafeState = {
  chainId,
  address: safeAddress,
  singleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  owners: [owner],
  threshold: 1,
  nonce: 0n,
  proxyCodeHash: zeroHash,
  isOfficialProxy: true,
  singletonCodeHash: zeroHash,
  version: '1.4.1',
  reportedVersion: '1.4.1',
  modules: [],
  guard: null,
  moduleGuard: null,
  fallbackHandler: null,
  balance: 5n,
  blockNumber: 10n,
}
const request = {
  subject: { kind: 'transaction', chainId, safeAddress, safeTx: newSafeTx({ to: owner, value: 1n, nonce: 0n }) },
  claimedHash: null,
  confirmations: [],
  removedOwners: [],
  others: [],
  account: owner,
  origin: null,
} as const

/** A Worker that answers only when the test does. */
class ScriptedWorker {
  static worker: ScriptedWorker
  static asked: Extract<ChannelMessage, { kind: 'ask' }>[]
  onmessage: ((event: { data: ChannelMessage[] }) => void) | null = null
  constructor() {
    ScriptedWorker.worker = this
  }
  postMessage(messages: ChannelMessage[]): void {
    ScriptedWorker.asked.push(...messages.filter((message) => message.kind === 'ask'))
  }
  terminate(): void {}
}

const namesAsked = () => ScriptedWorker.asked.map(({ name }) => name)
const reviewsAsked = () => ScriptedWorker.asked.filter(({ name }) => name === 'review')

/** Answers the review that was asked for last, with a run at the block of its question. */
async function answerReview(): Promise<void> {
  const { id, input } = reviewsAsked().at(-1) as { id: number; input: ReviewQuestion }
  const block = { number: input.given.blockNumber }
  const output = {
    review: { kind: 'transaction', hash: hashSubject(request.subject, state).hash },
    facts: { simulation: { result: { status: 'finished', block }, crossCheck: { status: 'agrees' } } },
    isOfOneBlock: true,
    isOpen: false,
    isIncomplete: false,
  }
  await act(async () => ScriptedWorker.worker.onmessage?.({ data: [{ kind: 'answer', id, output }] }))
}

beforeEach(() => {
  ScriptedWorker.asked = []
  vi.stubGlobal('Worker', ScriptedWorker)
  // The server never answers: a late error would make the review ask again.
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => vi.unstubAllGlobals())

test('useReview: while a transaction is run again, nothing asks whether its earlier run has changed', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  const { queryKey } = safeStateQuery(chainId, safeAddress)
  client.setQueryData(configurationQuery.queryKey, configuration)
  client.setQueryData(safeQuery(chainId, safeAddress).queryKey, { ...safeOf(), paid: [], isPaidWhole: true })
  client.setQueryData(queryKey, state)
  const { result } = renderHook(() => useReview(request, chainId, safeAddress), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  await waitFor(() => expect(reviewsAsked()).toHaveLength(1))
  await answerReview()
  await waitFor(() => expect(result.current.facts).toHaveProperty('simulation'))

  act(() => void client.setQueryData(queryKey, { ...state, balance: 6n, blockNumber: 20n }))
  await waitFor(() => expect(reviewsAsked()).toHaveLength(2))
  expect(result.current.isOutdated).toBe(true)
  expect(namesAsked()).not.toContain('hasChanged')

  await answerReview()
  await waitFor(() => expect(result.current.isOutdated).toBe(false))
  act(() => void client.setQueryData(queryKey, { ...state, balance: 6n, blockNumber: 21n }))
  await waitFor(() => expect(namesAsked()).toContain('hasChanged'))
  expect(reviewsAsked()).toHaveLength(2)
})
