/**
 * A request to a node. `isBehind`: it comes from a follower, and no client waits for it. `signal` aborts when nobody waits for the
 * answer any longer: a request that still waits for its turn at the node then leaves the queue.
 */
export type Call = { method: string; params?: unknown[]; isBehind?: boolean; signal?: AbortSignal | undefined }

/** Gas limit of a call without its own. A getter of a Safe with a thousand owners needs less than a quarter of it. */
const CALL_GAS = '0xf42400'

/** Limits the gas of a contract call, because an unknown contract may burn all the gas it gets. */
export function withGasLimit<call extends Call>(call: call): call {
  const [asked, ...rest] = call.params ?? []
  if (call.method !== 'eth_call' || typeof asked !== 'object' || asked === null || 'gas' in asked) return call
  return { ...call, params: [{ ...asked, gas: CALL_GAS }, ...rest] }
}

/** These can take a node long that is well. */
const SLOW_METHODS = /^(eth_getLogs|eth_getBlockReceipts|debug_|trace_)/

/** Calls that a healthy node answers at once. */
export function isQuick({ method }: Call): boolean {
  return !SLOW_METHODS.test(method)
}
