import type { Duplex } from 'node:stream'

/**
 * Sends together what is written to a stream before the program waits again: the statements of a transaction that are asked
 * one behind the other then cost one call of the system, and reach PostgreSQL at once.
 */
export function gatherWrites(stream: Duplex): void {
  const { write } = stream
  let isGathering = false
  const gather = (...given: unknown[]): boolean => {
    if (!isGathering) {
      isGathering = true
      stream.cork()
      process.nextTick(() => {
        isGathering = false
        stream.uncork()
      })
    }
    return Reflect.apply(write, stream, given)
  }
  Object.assign(stream, { write: gather })
}
