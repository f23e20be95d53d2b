/** Strings, numbers, and what opens and closes objects and lists: all of valid JSON that matters here. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]]/g

/**
 * Finds in JSON text what readers take differently: a key that stands twice in one object, of which some take the first value
 * and others the last; and a number with a point or an exponent, which some round to a whole one.
 *
 * @param json - valid: `JSON.parse` has read it
 * @example
 * findAmbiguity('{"value":1,"value":2}') // { key: 'value' }
 */
export function findAmbiguity(json: string): { key?: string; number?: string } {
  const around: (Set<string> | null)[] = []
  for (const { 0: token, index } of json.matchAll(tokens)) {
    const first = token[0]
    if (first === '{') around.push(new Set())
    else if (first === '[') around.push(null)
    else if (first === '}' || first === ']') around.pop()
    else if (first !== '"') {
      if (!/^-?\d+$/.test(token)) return { number: token }
    } else if (isKey(json, index + token.length)) {
      const key: string = JSON.parse(token)
      const keys = around.at(-1)
      if (keys?.has(key)) return { key }
      keys?.add(key)
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
