import { findPrices, MAX_TOKENS_ASKED } from '@countersign/contract'
import { onlineManager } from '@tanstack/react-query'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { onLiveEvent } from '../../api/live/tabs.ts'
import { findTokens } from '../../safe/worth/listed-tokens.ts'
import { fail } from '../../text/fail.ts'
import { isMissingPart } from '../../ui/part/missing-part.ts'
import { askForHash } from '../proof/ask-for-hash.ts'
import type { PageCalls, WorkerCalls } from './calls.ts'
import { type Channel, openChannel } from './channel.ts'

const PING_MS = 15_000
/** Unanswered pings after which the Worker ends. A suspended page may miss one. */
const MAX_MISSED_PINGS = 2

const answers: PageCalls = {
  askNode: ({ chainId, ...asked }) => chainRequest(chainId)(asked),
  askForHash: ({ chainId, blockNumber, wallet }) => askForHash(chainId, blockNumber, wallet),
  findTokens: ({ question, ...chain }) => findTokens(chain, question),
  findPrices: async ({ chainId, currency, assets }) => {
    const { prices } = await api(findPrices, { chainId, tokens: assets.slice(0, MAX_TOKENS_ASKED) })
    return { currency, ofAsset: Object.fromEntries(prices.map(({ token, price }) => [token.toLowerCase(), price])) }
  },
}

type RunningWorker = { channel: Channel<WorkerCalls>; end: (error: Error) => void }

let running: RunningWorker | null = null

// The block from before an event does not contain the reported change.
onLiveEvent((event) => {
  if ('chainId' in event) void running?.channel.ask('forgetBlock', event.chainId).catch(() => {})
})

/** Starts the review Worker, so that it is loaded when the first question comes. */
export function startWorker(): void {
  if (onlineManager.isOnline()) running ??= openWorker()
}

/**
 * Asks the review Worker. If it ends, its open questions fail, and the next question starts another Worker.
 *
 * @throws CountersignError `SERVER_UNREACHABLE` if the browser is offline and no Worker runs, `REVIEW_INCOMPLETE` if the Worker
 *   ends; otherwise what the call throws
 */
export const askWorker: Channel<WorkerCalls>['ask'] = async (name, input) => {
  startWorker()
  if (running === null) throw fail('SERVER_UNREACHABLE', { reason: 'offline' })
  const { channel, end } = running
  try {
    return await channel.ask(name, input)
  } catch (error) {
    // A browser remembers a failed import, so this Worker could not load that code again.
    if (isMissingPart(error)) end(error)
    throw error
  }
}

/**
 * Makes the Worker read facts of a chain again, all at one block, until released. It does not use cached answers.
 *
 * @returns releases it
 */
export function holdBlock(chainId: number): () => Promise<void> {
  // If the Worker ends meanwhile, it no longer holds the block, and facts of several blocks are refused.
  const held = askWorker('holdBlock', chainId).then(
    () => true,
    () => false,
  )
  const holder = running
  return async () => {
    // Another Worker holds the block for others only.
    if ((await held) && running === holder) await askWorker('releaseBlock', chainId).catch(() => {})
  }
}

function openWorker(): RunningWorker {
  const worker = new Worker(new URL('./review-worker.ts', import.meta.url), { type: 'module' })
  const channel = openChannel<WorkerCalls, PageCalls>((messages) => worker.postMessage(messages), answers)
  let missed = 0
  const pinging = setInterval(() => {
    if (channel.isIdle()) return
    if (missed >= MAX_MISSED_PINGS) return end(workerError('The Worker does not answer.'))
    missed += 1
    channel.ask('ping', null).catch(() => {})
  }, PING_MS)
  const end = (error: Error) => {
    if (running?.channel === channel) running = null
    clearInterval(pinging)
    worker.terminate()
    channel.end(error)
  }
  worker.onmessage = ({ data }) => {
    missed = 0
    channel.receive(data)
  }
  worker.onerror = ({ message }) => end(workerError(message ?? 'The Worker could not be loaded.'))
  return { channel, end }
}

function workerError(message: string): Error {
  return fail('REVIEW_INCOMPLETE', { reason: 'worker' }, new Error(message))
}
