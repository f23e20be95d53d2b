/**
 * How much a fact of the chain is worth: `proved` by a Merkle path to a block hash that enough independent sources vouch
 * for; `one-node`: said by one node; `unknown`: nobody answered.
 */
export type FactGrade = 'proved' | 'one-node' | 'unknown'

const worth: Record<FactGrade, number> = { unknown: 0, 'one-node': 1, proved: 2 }

/**
 * The grade of what rests on several facts: that of the weakest. Of no facts at all: `unknown`.
 *
 * @example
 * lowestGrade(['proved', 'one-node']) // 'one-node'
 */
export function lowestGrade(grades: Iterable<FactGrade>): FactGrade {
  let lowest: FactGrade | null = null
  for (const grade of grades) if (lowest === null || worth[grade] < worth[lowest]) lowest = grade
  return lowest ?? 'unknown'
}
