import { call, type Endpoint, type Input, type Reply, scopeOf } from '@countersign/contract'
import { isHash } from 'viem'
import { noteServerTime } from '../device/server-time.ts'
import { answered } from './answered.ts'

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its schemas
type AnyEndpoint = Endpoint<any, any, any, any>

/** Returns the error that blocks all writes of the page, or null. Called for each write. */
let refusal: () => Error | null = () => null

/** Refuses every write for which the function returns an error. Reads and session requests still work. */
export function refuseWrites(next: (() => Error | null) | null): void {
  refusal = next ?? (() => null)
}

/** Counts the sessions of this page. */
let sessionNumber = 0
const ofEarlierSessions = new WeakSet<Error>()

/** Starts a new session. Answers to earlier requests do not affect it. */
export function noteSession(): void {
  sessionNumber++
}

/** Whether an error is the answer to a request of an earlier session of this page. */
export function isOfEarlierSession(error: Error): boolean {
  return ofEarlierSessions.has(error)
}

/** An event about one's own write arrives within this. */
const OWN_MS = 8_000
const written = new Map<string, number>()

/** Whether this tab wrote about a transaction or message just now: nobody has to be told what they did themselves. */
export function wroteLately(hash: string): boolean {
  return performance.now() - (written.get(hash) ?? Number.NEGATIVE_INFINITY) < OWN_MS
}

const server = {
  baseUrl: '',
  fetch: async (...request: Parameters<typeof fetch>) => {
    const response = await fetch(...request)
    noteServerTime(response)
    return response
  },
}

/** Calls an endpoint of the server that served this page; reading ends in time. Throws CountersignError only. */
export async function api<E extends AnyEndpoint>(
  endpoint: E,
  input: Input<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  if (isWrite(endpoint)) {
    const error = refusal()
    if (error) throw error
    for (const value of Object.values(input ?? {}))
      if (typeof value === 'string' && isHash(value)) written.set(value, performance.now())
  }
  const ask = (limited?: AbortSignal) => call(server, endpoint, input, limited)
  const asked = sessionNumber
  try {
    return await (isRead(endpoint) ? answered(signal, ask) : ask(signal))
  } catch (error) {
    if (asked !== sessionNumber && error instanceof Error) ofEarlierSessions.add(error)
    throw error
  }
}

function isWrite(endpoint: AnyEndpoint): boolean {
  return !isRead(endpoint) && !endpoint.path.startsWith('/api/session')
}

/** Questions that are too long for a URL are posted, and change nothing. */
function isRead(endpoint: AnyEndpoint): boolean {
  return endpoint.method === 'GET' || scopeOf(endpoint) === 'read'
}
