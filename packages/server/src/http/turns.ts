/** As many turns in a row go to connections alone while they keep coming. */
const MAX_HELD = 16

/**
 * Lets one request begin in each turn of the event loop; clients take turns. Without it hundreds that arrive together all
 * begin before anything else is read: a probe, or the database's answers to those that came before.
 *
 * Node takes one new connection in each turn. While more come, a turn is kept short by beginning nothing in it, so that who
 * connects behind hundreds of others is soon heard.
 */
export type Turns = {
  take: (client: string, begin: () => void) => void
  /** Tells that this turn brought a connection. */
  connected: () => void
}

export function createTurns(): Turns {
  let isTaken = false
  let isConnecting = false
  let held = 0
  /** By client, whose turn is next first. */
  const queues = new Map<string, (() => void)[]>()

  function next(): void {
    const [client] = queues.keys()
    if (client === undefined) {
      isTaken = false
      return
    }
    setImmediate(next)
    if (isConnecting && held < MAX_HELD) {
      isConnecting = false
      held += 1
      return
    }
    held = 0
    const queue = queues.get(client) ?? []
    const begin = queue.shift()
    queues.delete(client)
    if (queue.length > 0) queues.set(client, queue)
    begin?.()
  }

  return {
    take(client, begin) {
      const queue = queues.get(client)
      if (queue) queue.push(begin)
      else queues.set(client, [begin])
      if (isTaken) return
      isTaken = true
      next()
    },
    connected() {
      isConnecting = true
    },
  }
}
