/** The end of the year 9999 in seconds since 1970. Readers of our answers take no later time. */
const LAST_SECOND = 253_402_300_799

/** Returns the time of a block. A chain may put its clock anywhere. */
export function blockTime(seconds: number): Date {
  return new Date(Math.min(seconds, LAST_SECOND) * 1000)
}
