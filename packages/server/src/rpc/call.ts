/** A question to a node. */
export type Call = { method: string; params?: unknown[] }

/** These can take a node long that is well. */
const SLOW_METHODS = /^(eth_getLogs|eth_getBlockReceipts|debug_|trace_)/

/** Calls that a healthy node answers at once. */
export function isQuick({ method }: Call): boolean {
  return !SLOW_METHODS.test(method)
}
