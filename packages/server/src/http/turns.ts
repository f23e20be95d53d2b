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

/** Network of a request, and its account if known. */
export type Sender = { network: string; account: string | null }

/**
 * Alternates between known accounts and strangers, so that a flood of strangers from many networks gets at most every second
 * turn. Strangers take turns by network. Known accounts take turns by network, and by account within a network.
 */
export function createRequestTurns(): Turns<Sender> {
  const { take, connected } = createNestedTurns()
  /** Queues an account that asks from many networks under the first of them, so that it has one turn in total. */
  const places = new Map<string, { network: string; waiting: number }>()
  return {
    connected,
    take({ network, account }, begin) {
      if (account === null) return take(['strangers', network], begin)
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
