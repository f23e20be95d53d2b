import { basename } from 'node:path'
import { BaseSequencer } from 'vitest/node'

/**
 * Puts the files of a suite in order: the named ones come first, so that no worker is left with a long file after the
 * others have ended. Vitest itself knows from a former run how long a file takes, and on a new machine only its size.
 *
 * @param {string[]} longest names without `.test.ts`, the longest first
 * @returns {typeof BaseSequencer}
 */
export function longestFirst(longest) {
  const places = new Map(longest.map((name, place) => [`${name}.test.ts`, place]))
  const placeOf = ({ moduleId }) => places.get(basename(moduleId)) ?? longest.length
  return class extends BaseSequencer {
    async sort(files) {
      const sorted = await super.sort(files)
      return sorted.sort((a, b) => placeOf(a) - placeOf(b))
    }
  }
}
