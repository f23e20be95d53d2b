/** As many turns in a row go to connections alone while they keep coming. */
const MAX_HELD = 16

/**
 * Lets one request begin in each turn of the event loop; clients take turns. Without it hundreds that arrive together all
 * begin before anything else is read: a probe, or the database's answers to those that came before.
 *
 * Node takes one new connection in each turn. While more come, a turn is kept short by beginning nothing in it, so that who
 * connects behind hundreds of others is soon heard.
 */
export type Turns<Client = string> = {
  take: (client: Client, begin: () => void) => void
  /** Tells that this turn brought a connection. */
  connected: () => void
}

export function createTurns(): Turns {
  const { take, connected } = createNestedTurns()
  return { take: (client, begin) => take([client], begin), connected }
}

/** Shortest average time between two requests of strangers. */
export const STRANGER_MS = 2
/** Requests of strangers that may begin at once, such as those for the files of a page. */
export const STRANGERS_AT_ONCE = 50
/** Most strangers that wait for this. Further ones pass on to the limits of their requests, which turn them away. */
const MAX_STRANGERS_WAITING = 1_000

/** Network of a request, and its account if known. */
export type Sender = { network: string; account: string | null }

/**
 * Alternates between known accounts and strangers, so that a flood of strangers from many networks gets at most every second
 * turn. Strangers take turns by network. Known accounts take turns by network, and by account within a network.
 *
 * A request takes many turns of the event loop, mostly for the answers of the database. Strangers also begin at a bounded rate, so
 * that few of these turns are theirs.
 */
export function createRequestTurns(): Turns<Sender> {
  const { take, connected } = createNestedTurns()
  const pace = createPace((network, begin) => take(['strangers', network], begin))
  /** Queues an account that asks from many networks under the first of them, so that it has one turn in total. */
  const places = new Map<string, { network: string; waiting: number }>()
  return {
    connected,
    take({ network, account }, begin) {
      if (account === null) return pace(network, begin)
      const place = places.get(account) ?? { network, waiting: 0 }
      places.set(account, place)
      place.waiting += 1
      take(['known', place.network, account], () => {
        place.waiting -= 1
        if (place.waiting === 0) places.delete(account)
        begin()
      })
    },
  }
}

/** Passes requests on at a bounded rate. Networks take turns. */
function createPace(pass: (network: string, begin: () => void) => void): (network: string, begin: () => void) => void {
  const waiting = newGroup()
  let waitingOfAll = 0
  let left = STRANGERS_AT_ONCE
  let at = performance.now()
  let timer: NodeJS.Timeout | undefined

  function passDue(): void {
    const now = performance.now()
    left = Math.min(STRANGERS_AT_ONCE, left + (now - at) / STRANGER_MS)
    at = now
    for (; left >= 1 && waitingOfAll > 0; left -= 1) passFirst()
    timer = waitingOfAll > 0 ? setTimeout(passDue, STRANGER_MS) : undefined
  }

  function passFirst(): void {
    waitingOfAll -= 1
    takeFirst(waiting)?.()
  }

  return (network, begin) => {
    waitingOfAll += 1
    add(waiting, [network], () => pass(network, begin))
    if (!timer) passDue()
    else if (waitingOfAll > MAX_STRANGERS_WAITING) passFirst()
  }
}

/** Queue in which groups take turns, and within each group its subgroups and clients. */
function createNestedTurns(): Turns<readonly string[]> {
  let isTaken = false
  let isConnecting = false
  let held = 0
  const all = newGroup()

  function next(): void {
    if (isEmpty(all)) {
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
    takeFirst(all)?.()
  }

  return {
    take(path, begin) {
      add(all, path, begin)
      if (isTaken) return
      isTaken = true
      next()
    },
    connected() {
      isConnecting = true
    },
  }
}

/** Waiting clients. `groups` are in the order of their turns. */
type Group = { begins: (() => void)[]; groups: Map<string, Group> }

function newGroup(): Group {
  return { begins: [], groups: new Map() }
}

function isEmpty({ begins, groups }: Group): boolean {
  return begins.length === 0 && groups.size === 0
}

function add(group: Group, [name, ...rest]: readonly string[], begin: () => void): void {
  if (name === undefined) return void group.begins.push(begin)
  const inner = group.groups.get(name) ?? newGroup()
  group.groups.set(name, inner)
  add(inner, rest, begin)
}

/** Removes and returns the next client. Its groups move to the end. */
function takeFirst(group: Group): (() => void) | undefined {
  const [first] = group.groups
  if (!first) return group.begins.shift()
  const [name, inner] = first
  const begin = takeFirst(inner)
  group.groups.delete(name)
  if (!isEmpty(inner)) group.groups.set(name, inner)
  return begin
}
