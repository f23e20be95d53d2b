import type { CallAnswer, CallRun, RunCall, StateReader } from '@countersign/safe-core'
import { openEngine } from './engine.ts'

/** Calls of one go, together. A call of its own gets 1.5 s at most. */
const CALLS_MS = 5_000
const MAX_CALLS = 200
const MAX_SLOW = 1_000

type Waiting = { call: CallRun; resolve: (answer: CallAnswer) => void }
type Batch = { reader: StateReader; waiting: Waiting[] }

const engine = openEngine()
/** Contracts whose calls took too long: they are not run again, and one node says what they answer. */
const slow = new Set<string>()
const batches = new Map<StateReader['read'], Batch>()
let last: Promise<unknown> = Promise.resolve()

/**
 * Answers a call in a Worker of its own, so that facts do not wait for a run. Calls of the same state that are asked in one
 * go travel together.
 */
export const runCallInPage: RunCall = (reader, call) => {
  if (slow.has(nameOf(call))) return Promise.resolve(tookTooLong)
  return new Promise((resolve) => {
    const batch = batches.get(reader.read)
    if (batch && batch.waiting.length < MAX_CALLS) {
      batch.waiting.push({ call, resolve })
      return
    }
    const opened: Batch = { reader, waiting: [{ call, resolve }] }
    batches.set(reader.read, opened)
    setTimeout(() => {
      if (batches.get(reader.read) === opened) batches.delete(reader.read)
      last = last.then(() => runBatch(opened))
    }, 0)
  })
}

async function runBatch({ reader, waiting }: Batch): Promise<void> {
  const { chainId, header, headerGrade, read } = reader
  const result = await engine(
    {
      kind: 'calls',
      place: { chainId, header, headerGrade },
      calls: waiting.map(({ call }) => call),
      options: { limits: { milliseconds: CALLS_MS } },
    },
    read,
  )
  waiting.forEach(({ call, resolve }, index) => {
    const answer = (result.kind === 'answers' ? result.answers[index] : undefined) ?? notRun(result)
    const isSlow = answer.kind === 'unfinished' && answer.reason.kind === 'limit'
    if (isSlow && slow.size < MAX_SLOW) slow.add(nameOf(call))
    resolve(answer)
  })
}

const tookTooLong: CallAnswer = { kind: 'unfinished', reason: { kind: 'limit', limit: 'milliseconds' } }

function notRun(result: Awaited<ReturnType<typeof engine>>): CallAnswer {
  const reason =
    result.kind === 'ended'
      ? result.reason
      : ({ kind: 'engine', message: 'The Worker answered something else.' } as const)
  return { kind: 'unfinished', reason }
}

/** A creation asks many contracts in one call: it is known by its data. */
function nameOf({ to, data }: CallRun): string {
  return to?.toLowerCase() ?? data
}
