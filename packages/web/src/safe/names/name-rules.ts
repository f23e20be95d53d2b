import { normalize } from 'viem/ens'

/** The one way of writing a name (ENSIP-15), or null when it is none: mixed scripts, invisible characters. */
export function normalizeByRules(name: string): string | null {
  try {
    return normalize(name)
  } catch {
    return null
  }
}
