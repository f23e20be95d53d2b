import { CountersignError } from '@countersign/safe'
import type { Address } from 'viem'
import { retryWhenLimited } from '../../api/retry-when-limited.ts'

/** A name that is typed for an address. */
export type TypedName = { address: Address; name: string }

/** A name that was not written, and why. */
export type RefusedName = TypedName & { error: CountersignError }

/**
 * Writes names one after the other. A refused name does not stop those after it.
 *
 * @returns the refused names; empty if all are written
 * @throws whatever `write` throws that is not a CountersignError
 * @example
 * const refused = await saveNames(names, (typed) => api(nameAddress, { chainId, safeAddress, ...typed }))
 */
export async function saveNames(
  names: readonly TypedName[],
  write: (typed: TypedName) => Promise<unknown>,
): Promise<RefusedName[]> {
  const refused: RefusedName[] = []
  for (const typed of names)
    try {
      await retryWhenLimited(() => write(typed))
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      refused.push({ ...typed, error })
    }
  return refused
}
