import type {
  CallAnswer,
  CallRun,
  SimulationResult,
  SimulationRun,
  StateAnswers,
  StateQuestions,
  StateReader,
} from '@countersign/review'
import type { SimulationOptions } from '@countersign/simulation'

type Place = Pick<StateReader, 'chainId' | 'header' | 'headerGrade'>

/** One thing to run: a whole transaction, or calls of the same state. */
export type Job =
  | { kind: 'run'; place: Place; run: SimulationRun; options: SimulationOptions }
  | { kind: 'calls'; place: Place; calls: readonly CallRun[]; options: SimulationOptions }

/** The end of a job. */
export type JobResult =
  | { kind: 'result'; result: SimulationResult }
  | { kind: 'answers'; answers: readonly CallAnswer[] }

/** Messages to an engine. A reader cannot be cloned: the engine asks for what it needs. */
export type ToEngine =
  | Job
  | { kind: 'answered'; id: number; answers: StateAnswers }
  | { kind: 'unanswered'; id: number; code: string; message: string }

/** Messages of an engine. */
export type FromEngine = JobResult | { kind: 'questions'; id: number; questions: StateQuestions }
