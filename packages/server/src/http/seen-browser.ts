import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { Address } from 'viem'
import type { Deps } from '../context.ts'
import type { Admission } from './admission.ts'
import { attributes, cookieName, type Headed, type Place, readCookie, shownHashes } from './session.ts'

/** Longest time for which browsers keep a cookie. */
const SECONDS = 400 * 86_400
/** Accounts that the cookie of one browser lists: the latest to sign in. */
const MAX_ACCOUNTS = 5
const PART_BYTES = 12
const PART_LENGTH = (PART_BYTES / 3) * 4

type Names = Pick<Deps, 'publicUrl' | 'installationId' | 'seenKey'>

/*
 * The cookie lists the accounts that have signed in in this browser, so that they keep their own share while strangers flood the
 * sign-in. It gives no access. It contains no address and is the same in every browser of an account, so it does not distinguish
 * browsers.
 */

function sign({ seenKey }: Names, what: 'account' | 'seen', text: string): string {
  return createHmac('sha256', seenKey).update(`${what} ${text}`).digest().subarray(0, PART_BYTES).toString('base64url')
}

/** Returns the name under which an account is limited. It cannot be made without the installation's key. */
export function seenName(deps: Names, account: Address): string {
  return sign(deps, 'account', account.toLowerCase())
}

function isGenuine(deps: Names, entry: string): boolean {
  const [name, proof] = [entry.slice(0, PART_LENGTH), entry.slice(PART_LENGTH)]
  const expected = sign(deps, 'seen', name)
  return proof.length === expected.length && timingSafeEqual(Buffer.from(proof), Buffer.from(expected))
}

/** Returns the names of the accounts that have signed in in this browser. Forged entries are left out. */
export function seenNames(c: Headed, deps: Names): string[] {
  const entries = (['page', 'frame'] as const).flatMap((place) =>
    (readCookie(c, deps, 'seen', place) ?? '').split('.', MAX_ACCOUNTS),
  )
  const genuine = entries.filter((entry) => /^[\w-]+$/.test(entry) && isGenuine(deps, entry))
  return [...new Set(genuine.map((entry) => entry.slice(0, PART_LENGTH)))]
}

/** Adds the account to the browser's cookie. */
export function writeSeenCookie(c: Context, deps: Names, place: Place, account: Address): void {
  const name = seenName(deps, account)
  const names = [name, ...seenNames(c, deps).filter((other) => other !== name)].slice(0, MAX_ACCOUNTS)
  const value = names.map((one) => one + sign(deps, 'seen', one)).join('.')
  setCookie(c, cookieName('seen', place, deps), value, { ...attributes(place, deps), maxAge: SECONDS })
}

/**
 * Returns the known account of a request: by a session or API token that was valid at its last lookup, else by this cookie.
 * Null if this process has verified neither.
 */
export function knownAs(c: Headed, deps: Names, admission: Pick<Admission, 'accountOf'>): string | null {
  return admission.accountOf(shownHashes(c, deps)) ?? seenNames(c, deps)[0] ?? null
}
