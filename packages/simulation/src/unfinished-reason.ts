import type { UnfinishedReason } from '@countersign/review'
import { CountersignError } from '@countersign/safe'
import { Machine } from './machine.ts'
import { Unfinished } from './unfinished.ts'

/** Names why a run did not end, from what it threw. */
export function reasonOf(error: unknown): UnfinishedReason {
  if (error instanceof Unfinished) return error.reason
  const missing = Machine.missingPrecompile(error)
  if (missing) return missing.reason
  if (error instanceof CountersignError) return { kind: 'reader', code: error.code, message: error.message }
  return { kind: 'engine', message: error instanceof Error ? error.message : String(error) }
}
