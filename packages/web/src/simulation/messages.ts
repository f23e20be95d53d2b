import type { SimulationResult, SimulationRun, StateAnswers, StateQuestions, StateReader } from '@countersign/safe-core'
import type { SimulationOptions } from '@countersign/simulation'

/** The page tells the Worker. A reader cannot travel: the Worker asks the page for what it needs. */
export type ToEngine =
  | {
      kind: 'run'
      place: Pick<StateReader, 'chainId' | 'header' | 'headerGrade'>
      run: SimulationRun
      options: SimulationOptions
    }
  | { kind: 'answers'; id: number; answers: StateAnswers }
  | { kind: 'unanswered'; id: number; code: string; message: string }

/** The Worker tells the page. */
export type FromEngine =
  | { kind: 'questions'; id: number; questions: StateQuestions }
  | { kind: 'result'; result: SimulationResult }
