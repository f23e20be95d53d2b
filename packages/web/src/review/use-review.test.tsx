import { hashSubject } from '@countersign/review'
import { newSafeTx, type SafeState } from '@countersign/safe'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { type Address, zeroHash } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { configurationQuery } from '../api/configuration.ts'
import type { ReviewQuestion } from '../evidence/worker/calls.ts'
import type { ChannelMessage } from '../evidence/worker/channel.ts'
import { safeQuery } from '../safe/safe.ts'
import { safeStateQuery } from '../safe/safe-state.ts'
import { configuration, devnet } from '../test/configuration.ts'
import { safeOf } from '../test/safe.ts'

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

const settled = { isOpen: false, isIncomplete: false }
const namesAsked = () => ScriptedWorker.asked.map(({ name }) => name)
const reviewsAsked = () => ScriptedWorker.asked.filter(({ name }) => name === 'review')

/** Answers the review that was asked for last, with a run at the block of its question. */
async function answerReview(): Promise<void> {
  const { id, input } = reviewsAsked().at(-1) as { id: number; input: ReviewQuestion }
  const block = { number: input.given.blockNumber }
  await answer(id, {
    review: { kind: 'transaction', hash: hashSubject(request.subject, state).hash },
    facts: { simulation: { result: { status: 'finished', block, seen: '0x01' }, crossCheck: { status: 'agrees' } } },
    isOfOneBlock: true,
    ...settled,
  })
}

async function answer(id: number, output: unknown): Promise<void> {
  await act(async () => ScriptedWorker.worker.onmessage?.({ data: [{ kind: 'answer', id, output }] }))
}

function createClient(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(configurationQuery.queryKey, configuration)
  client.setQueryData(safeQuery(chainId, safeAddress).queryKey, { ...safeOf(), paid: [], isPaidWhole: true })
  client.setQueryData(safeStateQuery(chainId, safeAddress).queryKey, state)
  return client
}

function render<Result>(client: QueryClient, hook: () => Result) {
  return renderHook(hook, {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
}

let useReview: typeof import('./use-review.ts')['useReview']
let useVerdicts: typeof import('./use-verdicts.ts')['useVerdicts']

beforeEach(async () => {
  // Tests of other files share the modules, and may have opened their Worker.
  vi.resetModules()
  ;({ useReview } = await import('./use-review.ts'))
  ;({ useVerdicts } = await import('./use-verdicts.ts'))
  ScriptedWorker.asked = []
  vi.stubGlobal('Worker', ScriptedWorker)
  // The server never answers: a late error would make the review ask again.
  vi.stubGlobal('fetch', () => new Promise(() => {}))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  // The next file must not ask the Worker of this one.
  vi.resetModules()
})

test('useReview: while a transaction is run again, nothing asks whether its earlier run has changed', async () => {
  const client = createClient()
  const { queryKey } = safeStateQuery(chainId, safeAddress)
  const { result } = render(client, () => useReview(request, chainId, safeAddress))
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

test('useReview: a review that is fetched again does not ask again whether the same run has changed', async () => {
  const client = createClient()
  const { result } = render(client, () => useReview(request, chainId, safeAddress))
  await waitFor(() => expect(reviewsAsked()).toHaveLength(1))
  await answerReview()
  const { queryKey } = safeStateQuery(chainId, safeAddress)
  act(() => void client.setQueryData(queryKey, { ...state, blockNumber: 11n }))
  const looks = () => ScriptedWorker.asked.filter(({ name }) => name === 'hasChanged')
  await waitFor(() => expect(looks()).toHaveLength(1))
  await answer(looks()[0]?.id ?? 0, false)

  const before = result.current.facts
  act(() => result.current.retry())
  await waitFor(() => expect(reviewsAsked()).toHaveLength(2))
  await answerReview()
  await waitFor(() => expect(result.current.facts).not.toBe(before))
  act(() => void client.setQueryData(queryKey, { ...state, blockNumber: 12n }))
  await waitFor(() => expect(looks().at(-1)).toMatchObject({ input: { run: { seen: '0x01' } } }))
  expect(looks()).toHaveLength(2)
})

test('useVerdicts: a review that failed has no verdict, even if an earlier one succeeded', async () => {
  const client = createClient()
  const listed = [{ hash: zeroHash, request, spent: [] }]
  const place = { chainId, safeAddress }
  const { result } = render(client, () => useVerdicts(listed, place, state, false))
  const judged = () => ScriptedWorker.asked.filter(({ name }) => name === 'judge')
  await waitFor(() => expect(judged()).toHaveLength(1))
  await answer(judged()[0]?.id ?? 0, { summary: { verdict: 'matches' }, ...settled })
  await waitFor(() => expect(result.current.verdicts.get(zeroHash)).toEqual({ verdict: 'matches' }))

  void client.refetchQueries({ queryKey: ['verdict'] })
  await waitFor(() => expect(judged()).toHaveLength(2))
  const error = { name: 'Error', message: 'The node does not answer.' }
  const failure: ChannelMessage = { kind: 'failure', id: judged()[1]?.id ?? 0, error }
  await act(async () => ScriptedWorker.worker.onmessage?.({ data: [failure] }))
  await waitFor(() => expect(result.current.unreviewed.get(zeroHash)).toBe('failed'))
  expect(result.current.verdicts.has(zeroHash)).toBe(false)
})
