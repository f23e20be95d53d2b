import { CountersignError, type StateAnswers, type StateQuestions, type StateReader } from '@countersign/safe-core'
import { simulate } from '@countersign/simulation'
import type { FromEngine, ToEngine } from './messages.ts'

// Runs in a Worker: one run at a time, so that a run that does not end is ended with the Worker, and hurts no other.

type Waiting = { resolve: (answers: StateAnswers) => void; reject: (error: Error) => void }

const waiting = new Map<number, Waiting>()
let lastId = 0

function tell(message: FromEngine): void {
  self.postMessage(message)
}

function ask(questions: StateQuestions): Promise<StateAnswers> {
  lastId += 1
  const id = lastId
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    tell({ kind: 'questions', id, questions })
  })
}

self.addEventListener('message', async ({ data }: MessageEvent<ToEngine>) => {
  if (data.kind === 'run') {
    const reader: StateReader = { ...data.place, read: ask }
    tell({ kind: 'result', result: await simulate(reader, data.run, data.options) })
    return
  }
  const asked = waiting.get(data.id)
  waiting.delete(data.id)
  if (data.kind === 'answers') asked?.resolve(data.answers)
  else asked?.reject(new CountersignError(data.code, data.message))
})
