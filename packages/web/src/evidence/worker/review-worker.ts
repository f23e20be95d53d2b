import type { SimulationResult, StateAnswers, StateQuestions, StateReader } from '@countersign/review'
import { CountersignError } from '@countersign/safe'
import { simulate, simulateCalls } from '@countersign/simulation'
import type { FromEngine, ToEngine } from '../simulation/messages.ts'
import { answerPage } from './answer-page.ts'
import type { ChannelMessage } from './channel.ts'

// The code of every Worker that reviews or runs. One of them answers the page; it opens further ones, with the same code, as
// engines. An engine has one job at a time, so ending a hanging job with its Worker affects no other job.

type Waiting = { resolve: (answers: StateAnswers) => void; reject: (error: Error) => void }

const waiting = new Map<number, Waiting>()
let lastId = 0

function tell(message: FromEngine): void {
  self.postMessage(message)
}

/** A tree of calls may be too deep to be copied out of the Worker. */
function tellResult(result: SimulationResult): void {
  try {
    tell({ kind: 'result', result })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const { block, cost } = result
    tell({ kind: 'result', result: { status: 'unfinished', reason: { kind: 'engine', message }, block, cost } })
  }
}

function ask(questions: StateQuestions): Promise<StateAnswers> {
  lastId += 1
  const id = lastId
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    tell({ kind: 'questions', id, questions })
  })
}

async function work(data: ToEngine): Promise<void> {
  if (data.kind === 'run' || data.kind === 'calls') {
    const reader: StateReader = { ...data.place, read: ask }
    if (data.kind === 'run') tellResult(await simulate(reader, data.run, data.options))
    else tell({ kind: 'answers', answers: await simulateCalls(reader, data.calls, data.options) })
    return
  }
  const asked = waiting.get(data.id)
  waiting.delete(data.id)
  if (data.kind === 'answered') asked?.resolve(data.answers)
  else asked?.reject(new CountersignError(data.code, data.message))
}

const receive = answerPage((messages) => self.postMessage(messages))

self.addEventListener('message', ({ data }: MessageEvent<ToEngine | ChannelMessage[]>) => {
  if (Array.isArray(data)) receive(data)
  else void work(data)
})
