import { createHash, randomBytes } from 'node:crypto'
import { CountersignError } from '@countersign/safe-core'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Hex } from 'viem'
import type { Deps, Viewer } from '../context.ts'
import { findSession } from './find-session.ts'

const SESSION_DAYS = 30

const BROWSER_COOKIE_SECONDS = 86_400

type Names = Pick<Deps, 'publicUrl' | 'installationId'>

function cookieName(kind: 'session' | 'signin', { publicUrl, installationId }: Names): string {
  return `${publicUrl.protocol === 'https:' ? '__Host-' : ''}countersign_${kind}_${installationId}`
}

function write(c: Context, deps: Names, kind: 'session' | 'signin', value: string, maxAge: number): void {
  setCookie(c, cookieName(kind, deps), value, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: deps.publicUrl.protocol === 'https:',
    path: '/',
    maxAge,
  })
}

/** 256 random bits, and what the database keeps of them. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Hex {
  return `0x${createHash('sha256').update(token).digest('hex')}`
}

export function writeSessionCookie(c: Context, deps: Names, token: string): void {
  write(c, deps, 'session', token, SESSION_DAYS * 86_400)
}

export function clearSessionCookie(c: Context, deps: Names): void {
  deleteCookie(c, cookieName('session', deps), { path: '/', secure: deps.publicUrl.protocol === 'https:' })
}

export function sessionTokenHash(c: Context, deps: Names): Hex | null {
  const token = getCookie(c, cookieName('session', deps))
  return token ? hashToken(token) : null
}

/** The cookie that binds a sign-in to this browser; made when it is absent. Several tabs share it. */
export function browserHash(c: Context, deps: Names): Hex {
  const known = getCookie(c, cookieName('signin', deps))
  const token = known && /^[\w-]{43}$/.test(known) ? known : newToken()
  write(c, deps, 'signin', token, BROWSER_COOKIE_SECONDS)
  return hashToken(token)
}

export function knownBrowserHash(c: Context, deps: Names): Hex | null {
  const token = getCookie(c, cookieName('signin', deps))
  return token ? hashToken(token) : null
}

/**
 * @throws CountersignError `NOT_SIGNED_IN` without a session, `SESSION_EXPIRED` when it has ended by time.
 */
export async function requireViewer(c: Context, deps: Deps): Promise<Viewer> {
  const tokenHash = sessionTokenHash(c, deps)
  const found = tokenHash ? await findSession(deps, tokenHash) : null
  if (!found) throw new CountersignError('NOT_SIGNED_IN', 'This request needs a session.')
  if (found.isExpired)
    throw new CountersignError('SESSION_EXPIRED', `The session of \`${found.address}\` has expired.`, {
      data: { address: found.address },
    })
  return { address: found.address, chainId: found.chainId, tokenHash: found.tokenHash }
}
