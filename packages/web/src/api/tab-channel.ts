/** A channel between this browser's tabs; undefined where there is none, or where the browser forbids it. */
export function openTabChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}
