/** Rules of a plot's value axis: round figures from below the lowest value to above the highest, at most about `most` of them. */
export function ticksOf(lowest: bigint, highest: bigint, most = 4): bigint[] {
  const span = highest - lowest
  if (span <= 0n) return [lowest]
  const step = roundUp((span + BigInt(most) - 1n) / BigInt(most))
  const first = floorTo(lowest, step)
  const ticks = [first]
  for (let tick = first; tick < highest; ) {
    tick += step
    ticks.push(tick)
  }
  return ticks
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not less. */
function roundUp(step: bigint): bigint {
  const power = 10n ** BigInt(step.toString().length - 1)
  const found = [1n, 2n, 5n].find((digit) => digit * power >= step)
  return (found ?? 10n) * power
}

function floorTo(value: bigint, step: bigint): bigint {
  const cut = (value / step) * step
  return cut > value ? cut - step : cut
}

/** Where a value lies between two others, 0 to 1. Amounts are larger than a number holds exactly; a picture is not. */
export function shareOf(value: bigint, lowest: bigint, highest: bigint): number {
  if (highest <= lowest) return 0
  return Number(((value - lowest) * 1_000_000n) / (highest - lowest)) / 1_000_000
}

/** The last step that is not later than a time; the first when all are. */
export function stepAt(steps: readonly { at: number }[], time: number): number {
  let low = 0
  let high = steps.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((steps[middle]?.at ?? 0) <= time) low = middle
    else high = middle - 1
  }
  return low
}
