/** localStorage, or memory where the browser forbids storage (a cross-site frame): reading it there throws. */
export const guardedStorage = createGuardedStorage()

function createGuardedStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const memory = new Map<string, string>()
  const guarded = <T>(use: () => T, instead: () => T): T => {
    try {
      return use()
    } catch {
      return instead()
    }
  }
  return {
    getItem: (key) =>
      guarded(
        () => localStorage.getItem(key) ?? memory.get(key) ?? null,
        () => memory.get(key) ?? null,
      ),
    setItem: (key, value) =>
      guarded(
        () => {
          memory.delete(key)
          localStorage.setItem(key, value)
        },
        () => void memory.set(key, value),
      ),
    removeItem: (key) =>
      guarded(
        () => {
          memory.delete(key)
          localStorage.removeItem(key)
        },
        () => {},
      ),
  }
}
