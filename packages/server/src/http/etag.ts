import { createHash } from 'node:crypto'

const TAG_LENGTH = 22

/** Computes the entity tag of a body (RFC 9110), which a weak one prefixes with `W/`. */
export function entityTag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_LENGTH)}"`
}

/** True if `If-None-Match` names the tag: the caller has this body already (RFC 9110, weak comparison). */
export function isKnownTag(tag: string, ifNoneMatch: string | undefined): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''))
  return named.includes('*') || named.includes(tag)
}
