export function growthOf(run: (units: number) => void, units: number): number
export function costBeside(work: () => void, other: () => void): number
