const PERCENT = '%[0-9A-Fa-f]{2}'
const NAME_CHARACTER = "[A-Za-z0-9\\-._~!$&'()*+,;=]"
const SEGMENT = `(?:${NAME_CHARACTER}|[:@]|${PERCENT})*`
const SEGMENT_NOT_EMPTY = `(?:${NAME_CHARACTER}|[:@]|${PERCENT})+`
const USER = `(?:${NAME_CHARACTER}|:|${PERCENT})*`
const AUTHORITY = `(?:${USER}@)?(?:\\[([^\\][]*)\\]|(?:${NAME_CHARACTER}|${PERCENT})*)(?::[0-9]*)?`
const PATH = `(?://${AUTHORITY}(?:/${SEGMENT})*|/(?:${SEGMENT_NOT_EMPTY}(?:/${SEGMENT})*)?|${SEGMENT_NOT_EMPTY}(?:/${SEGMENT})*|)`
const QUERY = `(?:${NAME_CHARACTER}|[:@/?]|${PERCENT})*`

const uriPattern = new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${PATH}(?:\\?${QUERY})?(?:#${QUERY})?$`)
const authorityPattern = new RegExp(`^${AUTHORITY}$`)
const charactersPattern = new RegExp(`^${SEGMENT}$`)

/** Whether a text is a URI with a scheme (RFC 3986 §3). A relative reference is none. */
export function isUri(text: string): boolean {
  const found = uriPattern.exec(text)
  return found !== null && (found[1] === undefined || isIpLiteral(found[1]))
}

/** Whether a text is an authority with a host that is not empty (RFC 3986 §3.2): `user@host:port`. */
export function isAuthority(text: string): boolean {
  const found = authorityPattern.exec(text)
  if (found === null) return false
  if (found[1] !== undefined) return isIpLiteral(found[1])
  return !/^(?:.*@)?(?::[0-9]*)?$/.test(text)
}

/** Whether a text is made of the characters of a path segment alone (RFC 3986 `*pchar`). Empty is allowed. */
export function isPathCharacters(text: string): boolean {
  return charactersPattern.test(text)
}

/** Whether a text is a scheme (RFC 3986 §3.1), without the colon. */
export function isScheme(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(text)
}

/** Accepts the text between the brackets: IPv6, or a later version of IP. */
function isIpLiteral(text: string): boolean {
  if (/^v[0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+$/i.test(text)) return true
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)?.at(-1)
  const hasIpv4 = last !== undefined && isIpv4(last)
  const words = groups.flat()
  const isHex = words.every((word, at) => (hasIpv4 && at === words.length - 1) || /^[0-9A-Fa-f]{1,4}$/.test(word))
  const count = words.length + (hasIpv4 ? 1 : 0)
  return isHex && (halves.length === 2 ? count <= 7 : count === 8)
}

function isIpv4(text: string): boolean {
  const numbers = text.split('.')
  return (
    numbers.length === 4 && numbers.every((number) => /^(?:0|[1-9][0-9]{0,2})$/.test(number) && Number(number) <= 255)
  )
}
