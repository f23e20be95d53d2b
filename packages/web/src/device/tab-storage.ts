/** sessionStorage, which a browser may refuse: then things last as long as the page. */
const fallback = new Map<string, string>()

function forget(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Then nothing was kept before.
  }
}

export function readTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key) ?? fallback.get(key) ?? null
  } catch {
    return fallback.get(key) ?? null
  }
}

export function writeTab(key: string, value: string | null): void {
  if (value === null) fallback.delete(key)
  else fallback.set(key, value)
  try {
    if (value === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
  } catch {
    // The map has it. What was there before would be taken for it after a reload.
    forget(key)
  }
}
