import { hashSubject, type SignedSubject } from '@countersign/review'
import { newSafeTx, type SafeState } from '@countersign/safe'
import { zeroHash } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SameThreadWorker } from '../../test/same-thread-worker.ts'
import type { ReviewQuestion } from './calls.ts'
import type { ChannelMessage } from './channel.ts'

const safeAddress = '0x2222222222222222222222222222222222222222'
const owner = '0x3333333333333333333333333333333333333333'
const state: SafeState = {
  chainId: 1,
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
  balance: 0n,
  blockNumber: 0n,
}
const subject = {
  kind: 'transaction',
  chainId: 1,
  safeAddress,
  safeTx: newSafeTx({ to: owner, value: 1n, nonce: 0n }),
} as const
const question: ReviewQuestion<SignedSubject> = {
  given: {
    ...subject,
    state,
    claimedHash: null,
    confirmations: [],
    others: [],
    account: owner,
    origin: null,
    tokens: [],
    chainIds: [1],
  },
  nested: undefined,
  sources: { needed: 2, wallet: null, maxBlocksBehind: 25 },
  listRevision: null,
  currency: null,
}

/** A Worker that gives every question the same answer. */
class ScriptedWorker {
  static output: unknown
  onmessage: ((event: { data: ChannelMessage[] }) => void) | null = null
  postMessage(messages: ChannelMessage[]): void {
    const answers = messages.map(({ id }): ChannelMessage => ({ kind: 'answer', id, output: ScriptedWorker.output }))
    queueMicrotask(() => this.onmessage?.({ data: answers }))
  }
  terminate(): void {}
}

let askReview: typeof import('./ask-review.ts')['askReview']
beforeEach(async () => {
  // Test files share the module, so another one may have started the Worker.
  vi.resetModules()
  askReview = (await import('./ask-review.ts')).askReview
})
afterEach(() => {
  vi.unstubAllGlobals()
  // The next file must not ask the Worker of this one.
  vi.resetModules()
})

describe('askReview', () => {
  test('default: the page receives the whole review; without a node, nothing counts as checked', async () => {
    vi.stubGlobal('Worker', SameThreadWorker)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const { review, isIncomplete } = await askReview(question)
    expect(review).toMatchObject({
      kind: 'transaction',
      verdict: 'cannot-verify',
      hash: hashSubject(subject, state).hash,
    })
    expect(isIncomplete).toBe(true)
  })

  test('error: a review of another hash, or of another kind, is refused', async () => {
    vi.stubGlobal('Worker', ScriptedWorker)
    const { hash } = hashSubject(subject, state)
    const answer = (review: object) => {
      ScriptedWorker.output = { review, facts: {}, isOfOneBlock: true, isOpen: false, isIncomplete: false }
      return askReview(question)
    }
    await expect(answer({ kind: 'transaction', hash: `${hash.slice(0, -1)}0` })).rejects.toMatchObject({
      code: 'SAFE_TX_HASH_MISMATCH',
    })
    await expect(answer({ kind: 'message', hash })).rejects.toMatchObject({ code: 'SAFE_TX_HASH_MISMATCH' })
    expect(await answer({ kind: 'transaction', hash })).toMatchObject({ review: { hash } })
  })
})
