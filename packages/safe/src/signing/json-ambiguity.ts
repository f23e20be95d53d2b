/** Strings, numbers, and what opens and closes objects and lists: all of valid JSON that matters here. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]]/g

/** Nesting limit, above that of typed data. A value can be signed only if the value around it is. */
const MAX_KEYS = 40

/**
 * Finds in JSON text what readers take differently: a key that stands twice in one object, of which some take the first value
 * and others the last; and a number with a point or an exponent, which some round to a whole one.
 *
 * @param json - valid: `JSON.parse` has read it
 * @param isSigned - whether the number at these keys is signed; list indexes are left out
 * @example
 * findAmbiguity('{"value":1,"value":2}', () => true) // { key: 'value' }
 */
export function findAmbiguity(json: string, isSigned: (keys: string[]) => boolean): { key?: string; number?: string } {
  const around: { keys: Set<string> | null; key: string | null }[] = []
  for (const { 0: token, index } of json.matchAll(tokens)) {
    const first = token[0]
    const inside = around.at(-1)
    if (first === '{') around.push({ keys: new Set(), key: null })
    else if (first === '[') around.push({ keys: null, key: null })
    else if (first === '}' || first === ']') around.pop()
    else if (first !== '"') {
      if (/^-?\d+$/.test(token)) continue
      const keys = around.slice(0, MAX_KEYS).flatMap(({ key }) => (key === null ? [] : [key]))
      if (isSigned(keys)) return { number: token }
    } else if (isKey(json, index + token.length)) {
      const key: string = JSON.parse(token)
      if (inside?.keys?.has(key)) return { key }
      inside?.keys?.add(key)
      if (inside) inside.key = key
    }
  }
  return {}
}

/** Whether a colon follows the string that ends here. */
function isKey(json: string, end: number): boolean {
  let at = end
  while (/\s/.test(json[at] ?? '')) at += 1
  return json[at] === ':'
}
