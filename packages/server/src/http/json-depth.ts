const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [...'"\\[]{}'].map((character) =>
  character.charCodeAt(0),
)

/** Typed data of a message is the deepest that anybody sends, and never near this. */
export const MAX_JSON_DEPTH = 64

/**
 * Whether JSON text is nested deeper than so many levels, found before anything is made of it: whatever walks a value
 * level by level may run out of stack.
 */
export function isDeeperThan(text: string, levels: number): boolean {
  if (text.length <= levels) return false
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isInString) {
      if (code === backslash) at += 1
      else if (code === quote) isInString = false
    } else if (code === quote) isInString = true
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > levels) return true
    } else if (code === closeBracket || code === closeBrace) depth -= 1
  }
  return false
}
