import type { CallAnswer, CallRun, RunCall, StateReader } from '@countersign/review'
import { type Engine, openEngine } from './engine.ts'
import { isAnyAwaited } from './precedence.ts'

/** Calls of one go, together. A call of its own gets 1.5 s at most. */
const CALLS_MS = 5_000
const MAX_CALLS = 200
const MAX_SLOW = 1_000

type Waiting = { call: CallRun; resolve: (answer: CallAnswer) => void }
/** `isAwaited`: asked for while a review was open, or something about to be signed. */
type Batch = { reader: StateReader; waiting: Waiting[]; isAwaited: boolean }

/** Contracts whose calls took too long: they are not run again, and one node says what they answer. */
const slow = new Set<string>()

/**
 * Opens a queue of calls with two engines, so that facts do not wait for a run. Calls of the same state that are asked in one
 * go travel together. The newest go first, and one engine is kept for what is asked while a review is open: rows of a list that
 * were asked for before do not stand in its way.
 */
export function openCallQueue(openOne: () => Engine = openEngine): RunCall {
  const batches = new Map<StateReader['read'], Batch>()
  const ready: Batch[] = []
  const engines = [
    { engine: openOne(), isBusy: false, isForAwaited: false },
    { engine: openOne(), isBusy: false, isForAwaited: true },
  ]
  const take = (isForAwaited: boolean): Batch | undefined => {
    const next = ready.findLast(({ isAwaited }) => isAwaited) ?? (isForAwaited ? undefined : ready.at(-1))
    if (next) ready.splice(ready.indexOf(next), 1)
    return next
  }
  const fill = () => {
    for (const place of engines) {
      const batch = place.isBusy ? undefined : take(place.isForAwaited)
      if (!batch) continue
      place.isBusy = true
      void runBatch(place.engine, batch).finally(() => {
        place.isBusy = false
        fill()
      })
    }
  }
  return (reader, call) => {
    if (slow.has(nameOf(call))) return Promise.resolve(tookTooLong)
    return new Promise((resolve) => {
      const batch = batches.get(reader.read)
      if (batch && batch.waiting.length < MAX_CALLS) {
        batch.waiting.push({ call, resolve })
        return
      }
      const opened: Batch = { reader, waiting: [{ call, resolve }], isAwaited: false }
      batches.set(reader.read, opened)
      setTimeout(() => {
        if (batches.get(reader.read) === opened) batches.delete(reader.read)
        ready.push({ ...opened, isAwaited: isAnyAwaited() })
        fill()
      }, 0)
    })
  }
}

/** Answers a call in a Worker of its own. */
export const runCallInEngine: RunCall = openCallQueue()

async function runBatch(engine: Engine, { reader, waiting }: Batch): Promise<void> {
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

function notRun(result: Awaited<ReturnType<Engine>>): CallAnswer {
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
