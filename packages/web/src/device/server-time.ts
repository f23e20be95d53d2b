/**
 * The server's clock, as its answers tell it: the browser's may be minutes or years off, and may jump. In between, the time
 * that passes is measured by a clock that nobody can set.
 */
let serverClock: { at: number; measured: number } | null = null

/** Takes over the time of an answer of the server. */
export function noteServerTime({ headers }: Pick<Response, 'headers'>): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isFinite(at)) serverClock = { at, measured: performance.now() }
}

/** Milliseconds since 1970 by the server's clock, to within a second; by the browser's before the first answer. */
export function serverNow(): number {
  return serverClock === null ? Date.now() : serverClock.at + performance.now() - serverClock.measured
}
