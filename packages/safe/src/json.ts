/**
 * Parses JSON. Returns undefined if the text is not JSON.
 *
 * @example
 * parseJson('{"nonce":7}') // { nonce: 7 }
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a value of JSON is an object with members, neither null nor a list.
 *
 * @example
 * isRecord([]) // false
 */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
