import { flattenCalls, type Review } from '@countersign/safe-core'

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

const unreadEffects = new Set<string>(['foreign-code', 'unreadable-batch', 'unknown-call', 'not-decoded'])
