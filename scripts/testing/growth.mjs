/** Number of parts. Quadratic work on the whole input is this many times the work on all parts. */
const PARTS = 32
const TRIES = 3

/**
 * Compares the processor time of one run on a whole input with that of runs on its parts: about 1 for linear work,
 * about 32 for quadratic work, on any machine.
 *
 * @param run works on an input of this many units
 */
export function growthOf(run, units) {
  const part = Math.ceil(units / PARTS)
  run(part)
  const whole = least(() => run(units))
  const parts = least(() => {
    for (let at = 0; at < PARTS; at += 1) run(part)
  })
  return whole / Math.max(parts, 1)
}

/** Divides the processor time of some work by that of other work, in the same run. */
export function costBeside(work, other) {
  return least(work) / Math.max(least(other), 1)
}

/** Returns the processor time in microseconds, the minimum of several runs. */
function least(work) {
  const tries = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...tries)
}
