/** A channel between this browser's tabs; undefined where there is none, or where the browser forbids it. */
export function openTabChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/** Whether the browser has locks and gives none: a person who blocks storage blocks them, too. */
export function isLockRefused(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'SecurityError'
}
