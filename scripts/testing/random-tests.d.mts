export const isSoak: boolean
export const seed: number
export function runs(sample: number, soak?: number): { seed: number; numRuns: number }
export function createRandomInt(): (bound: number) => number
