import type { Review } from '@countersign/review'
import { flattenCalls } from '@countersign/safe/calls'

/**
 * Whether every byte of every call was read by a function that is known. Over anything else nothing reassuring is said:
 * what nobody read may do whatever the called contract can do.
 */
export function isAllRead({ call, checks, effects }: Review): boolean {
  const isPassed = (id: string) => checks.every((check) => check.id !== id || check.status === 'passed')
  return (
    isPassed('encoding') &&
    isPassed('functions') &&
    effects.every(({ key }) => !unreadEffects.has(key)) &&
    flattenCalls(call).every(
      ({ name, data, undecodedBytes, problem }) =>
        problem === null && undecodedBytes === 0 && (name !== null || data === '0x'),
    )
  )
}

/**
 * Returns how much of a transaction is decoded. Even if every byte is decoded, the function or the code can be unknown. All parts of
 * the page use this result, so that they agree.
 */
export function extentRead(review: Review): { extent: 'all-read' | 'not-all-read' | 'undecoded'; undecoded: number } {
  const undecoded = flattenCalls(review.call).reduce((sum, call) => sum + call.undecodedBytes, 0)
  return { extent: undecoded > 0 ? 'undecoded' : isAllRead(review) ? 'all-read' : 'not-all-read', undecoded }
}

const unreadEffects = new Set<string>(['foreign-code', 'unreadable-batch', 'unknown-call', 'not-decoded'])
