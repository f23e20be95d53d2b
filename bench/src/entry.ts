/** One line of a result: what was measured, how much, and how much of what it stands beside. */
export type Measurement = {
  what: string
  value: number
  unit: string
  /** The bare operation, in the same run. */
  peer?: { what: string; value: number }
  /** Goal set by PRODUCT.md. */
  goal?: { value: number; isAtMost: boolean }
}

export type Entry = { name: string; about: string; run(): Promise<Measurement[]> }

/** The middle one: a single slow start or request says nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('no values')
  return middle
}
