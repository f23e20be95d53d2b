import { isFactOpen, type NeededFact } from '@countersign/review'
import type { HashSources } from '../proof/hash-sources.ts'
import { readProvedFact } from '../proof/prove-fact.ts'
import { readRun } from '../simulation/read-run.ts'
import { remember } from './answer-cache.ts'
import type { CachedFact } from './calls.ts'

/** The page also keeps an answer for 15 seconds, so a fresh answer is at most 30 seconds old. */
const KEEP_MS = 15_000
/** A run on one block never changes. */
const KEEP_RUN_MS = 300_000

/** Reads a fact, unless it was read a moment ago for another row or page. */
export function readCachedFact(question: { needed: NeededFact; sources: HashSources }): Promise<CachedFact> {
  const { needed } = question
  const isRun = needed.id === 'simulation'
  const read = async (): Promise<CachedFact> => {
    const fact = await (isRun ? readRun(question) : readProvedFact(question))
    return { ...fact, isOpen: fact.answer !== null && isFactOpen(needed, fact.answer) }
  }
  return remember(`fact ${writeKey(question)}`, read, (fact) => {
    if (isUnsettled(fact)) return 0
    return isRun ? KEEP_RUN_MS : KEEP_MS
  })
}

/** Whether the answer may be different a moment later. */
function isUnsettled({ answer, isRefused, isIncomplete, isOpen }: CachedFact): boolean {
  return answer === null || isRefused || isIncomplete || isOpen
}

function writeKey(question: object): string {
  return JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
