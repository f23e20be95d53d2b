import { fail, type SessionEnd } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { Address, Hex } from 'viem'
import type { Deps } from '../context.ts'
import { accountNotAllowed } from '../safes/allowed.ts'
import type { Viewer } from '../safes/viewer.ts'
import { findTokenViewer, parseApiToken } from './api-token.ts'
import { type FoundSession, findSession } from './find-session.ts'
import { hashToken, newToken } from './random-token.ts'
import type { Variables } from './variables.ts'

/** As long as a message may wait for its owners. */
const BROWSER_COOKIE_SECONDS = 86_400

type Names = Pick<Deps, 'publicUrl' | 'installationId'>
/** Request of which only the headers are needed. */
export type Headed = { req: { header: (name: string) => string | undefined } }
type Kind = 'session' | 'signin' | 'seen'
/** `frame`: inside a Safe interface, where browsers send partitioned cookies alone (CHIPS). */
export type Place = 'page' | 'frame'

function isHttps({ publicUrl }: Names): boolean {
  return publicUrl.protocol === 'https:'
}

export function cookieName(kind: Kind, place: Place, deps: Names): string {
  return `${isHttps(deps) ? '__Host-' : ''}countersign_${place === 'frame' ? 'frame_' : ''}${kind}_${deps.installationId}`
}

export function attributes(place: Place, deps: Names) {
  return place === 'frame'
    ? ({ path: '/', httpOnly: true, secure: true, sameSite: 'None', partitioned: true } as const)
    : ({ path: '/', httpOnly: true, secure: isHttps(deps), sameSite: 'Lax' } as const)
}

/**
 * The partitioned cookie is sent to whatever asks from within that site, so it counts only when the browser itself says
 * that one of our own pages asks. Every browser that has such cookies says it.
 */
export function readCookie(c: Headed, deps: Names, kind: Kind, place: Place): string | undefined {
  if (place === 'frame' && c.req.header('sec-fetch-site') !== 'same-origin') return undefined
  const name = cookieName(kind, place, deps)
  return parse(c.req.header('cookie') ?? '', name)[name]
}

/**
 * Where a sign-in belongs.
 *
 * @throws CountersignError `FRAME_NOT_ALLOWED` when nobody may frame this installation, or its cookies cannot be secure.
 */
export function placeOf(deps: Names & Pick<Deps, 'safeHosts'>, isFramed: boolean | undefined): Place {
  if (!isFramed) return 'page'
  const { hostname } = deps.publicUrl
  const isSecure = isHttps(deps) || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  if (deps.safeHosts.length > 0 && isSecure) return 'frame'
  throw isSecure
    ? fail('FRAME_NOT_ALLOWED', { reason: 'no-host' })
    : fail('FRAME_NOT_ALLOWED', { reason: 'not-https', origin: deps.publicUrl.origin })
}

/** Opens the session in this browser, and forgets the one it may have had in the other place. */
export function writeSessionCookie(
  c: Context,
  deps: Names & Pick<Deps, 'sessionLimits'>,
  place: Place,
  token: string,
): void {
  const maxAge = Math.floor(deps.sessionLimits.absoluteMilliseconds / 1000)
  setCookie(c, cookieName('session', place, deps), token, { ...attributes(place, deps), maxAge })
  clear(c, deps, place === 'page' ? 'frame' : 'page')
}

export function clearSessionCookies(c: Context, deps: Names): void {
  clear(c, deps, 'page')
  clear(c, deps, 'frame')
}

function clear(c: Context, deps: Names, place: Place): void {
  const name = cookieName('session', place, deps)
  if (getCookie(c, name) !== undefined) deleteCookie(c, name, attributes(place, deps))
}

/** Hashes the tokens of the sessions that this request brings, at most one per place. */
export function sessionTokenHashes(c: Headed, deps: Names): Hex[] {
  return (['page', 'frame'] as const).flatMap((place) => {
    const token = readCookie(c, deps, 'session', place)
    return token ? [hashToken(token)] : []
  })
}

/** Hashes the credentials that a request shows: an API token, or else its sessions. */
export function shownHashes(c: Headed, deps: Names): Hex[] {
  const token = parseApiToken(c.req.header('authorization'))
  return token === null ? sessionTokenHashes(c, deps) : [hashToken(token)]
}

/** The cookie that binds a sign-in to this browser; made when it is absent. Several tabs share it. */
export function browserHash(c: Context, deps: Names, place: Place): Hex {
  const known = readCookie(c, deps, 'signin', place)
  const token = known && /^[\w-]{43}$/.test(known) ? known : newToken()
  setCookie(c, cookieName('signin', place, deps), token, {
    ...attributes(place, deps),
    maxAge: BROWSER_COOKIE_SECONDS,
  })
  return hashToken(token)
}

export function knownBrowserHash(c: Context, deps: Names, place: Place): Hex | null {
  const token = readCookie(c, deps, 'signin', place)
  return token ? hashToken(token) : null
}

/** The session that this request brings, ended or not; null without any. */
export async function findRequestSession(c: Context, deps: Deps): Promise<FoundSession | null> {
  let ended: FoundSession | null = null
  for (const tokenHash of sessionTokenHashes(c, deps)) {
    const found = await findSession(deps, tokenHash)
    if (found && !found.ended) return found
    ended ??= found
  }
  return ended
}

/**
 * Finds the signed-in account: by an API token if the request shows one, and its cookies count for nothing then; else
 * by a session.
 *
 * @throws CountersignError `TOKEN_UNKNOWN`, `TOKEN_EXPIRED`; `NOT_SIGNED_IN` without a session,
 * `SESSION_EXPIRED` when its time is over, `SESSION_REVOKED` when it was ended; `OWNERS_CHANGED` while it is suspended,
 * or for a token that depends on former owners.
 */
export async function requireViewer(c: Context<Variables>, deps: Deps): Promise<Viewer> {
  const byToken = await findTokenViewer(c, deps)
  if (byToken) return byToken
  const found = await findRequestSession(c, deps)
  if (!found) throw fail('NOT_SIGNED_IN')
  if (found.ended) throw endedError(deps, found.address, found.ended)
  const { address, chainId, tokenHash, id, provenBy, warrantId } = found
  return { address, chainId, tokenHash, credential: { kind: 'session', id }, provenBy, warrantId }
}

function endedError({ access }: Deps, address: Address, { reason, at }: SessionEnd): CountersignError {
  if (reason === 'not-allowed') return accountNotAllowed(access, address)
  if (reason === 'suspended') return fail('OWNERS_CHANGED', { reason, address, endedAt: at })
  if (reason === 'expired') return fail('SESSION_EXPIRED', { reason, address, endedAt: at })
  return fail('SESSION_REVOKED', { reason, address, endedAt: at })
}
