import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { type Announcer, describeFailure } from './announce.ts'

export type Ending = { code: number | null; lastLines: string[] }

/** A part of the product, from the moment that it is started. */
export type Running<facts> = {
  /** Facts that the other parts need, once it can be used. */
  ready: Promise<facts>
  /** Resolves when it has ended, asked to or not. */
  exited: Promise<Ending>
  stop(): Promise<void>
  kill(): void
}

export type Part<facts> = {
  /** Starts it for the first time, and keeps it running when that succeeds. */
  start(): Promise<facts>
  /** Waits until it can be used. Resolves, too, when it is being stopped. */
  ready(): Promise<void>
  /** Lets it end and starts it anew: what it was started with has changed. */
  restart(): Promise<void>
  /** Nothing is started after this. */
  stop(): Promise<void>
  kill(): void
}

export type Patience = {
  /** In a row; who ran for so long between two ends begins a new row. */
  mostEnds: number
  steadyMilliseconds: number
  firstPause: number
  longestPause: number
}

/** About two minutes of tries for what never comes back. */
const patience: Patience = { mostEnds: 10, steadyMilliseconds: 10_000, firstPause: 250, longestPause: 30_000 }

/** A part that is started again when it ends by itself, later each time, and given up after too many ends in a row. */
export function createPart<facts>(options: {
  name: string
  spawn: () => Running<facts>
  /** Resolves when it makes sense to start it again. */
  untilPossible: () => Promise<void>
  /** It can be used, for the first time or again. */
  onReady: (facts: facts) => void
  onGivenUp: (error: CountersignError) => void
  announcer: Pick<Announcer, 'warn' | 'progress'>
  patience?: Patience
}): Part<facts> {
  const { name, announcer } = options
  const { mostEnds, steadyMilliseconds, firstPause, longestPause } = options.patience ?? patience
  let running: Running<facts> | undefined
  let isReady = false
  let isKept = false
  let isStopping = false
  /** Its next end is wanted. */
  let isReplaced = false
  let readyAt = 0
  let ends = 0

  async function keep(first: Running<facts>): Promise<void> {
    let current = first
    let failure: unknown
    for (;;) {
      const ending = await current.exited
      if (isStopping) return
      const why = failure ? describeFailure(failure) : describeEnding(name, ending)
      if (!isReplaced && !(await mayStartAgain(why))) return
      isReady = false
      isReplaced = false
      await options.untilPossible()
      if (isStopping) return
      current = options.spawn()
      running = current
      failure = undefined
      try {
        const facts = await current.ready
        if (isStopping) return
        becomeReady()
        announcer.progress(`${name} runs again`)
        options.onReady(facts)
      } catch (error) {
        if (isStopping) return
        failure = error
        await current.stop()
      }
    }
  }

  function becomeReady(): void {
    isReady = true
    readyAt = performance.now()
  }

  /** Counts an end, and waits the longer the more there were. */
  async function mayStartAgain(why: string): Promise<boolean> {
    const isSteady = isReady && performance.now() - readyAt > steadyMilliseconds
    ends = isSteady ? 1 : ends + 1
    isReady = false
    if (ends === mostEnds) {
      options.onGivenUp(fail('PART_ENDED', { reason: 'too-often', part: name, ends, last: why }))
      return false
    }
    const pause = Math.min(firstPause * 2 ** (ends - 1), longestPause)
    announcer.warn(`${why}\n${' '.repeat(10)}It is started again in ${(pause / 1000).toFixed(1)} s`)
    await sleep(pause)
    return !isStopping
  }

  return {
    async start() {
      const first = options.spawn()
      running = first
      const facts = await first.ready
      becomeReady()
      isKept = true
      options.onReady(facts)
      void keep(first)
      return facts
    },
    async ready() {
      while (!isReady && !isStopping) await sleep(50)
    },
    async restart() {
      if (!isKept || isStopping) return
      isReplaced = true
      await running?.stop()
    },
    async stop() {
      isStopping = true
      await running?.stop()
    },
    kill: () => running?.kill(),
  }
}

function describeEnding(name: string, { code, lastLines }: Ending): string {
  // A killed process could not give a reason, and one that was asked to end needs none.
  if (code === null) return `${name} was killed.`
  if (code === 0) return `${name} has ended.`
  return `${name} ended with exit code ${code}.${describeLastLines(lastLines)}`
}

/** The end of what a part wrote, below a sentence. */
export function describeLastLines(lines: string[]): string {
  return lines.length === 0 ? '' : ` The last it wrote:\n${lines.map((line) => `    ${line}`).join('\n')}`
}
