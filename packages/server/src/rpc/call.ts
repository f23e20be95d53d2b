/** A question to a node. `isBehind`: of those who follow the chain, for whom no person waits. */
export type Call = { method: string; params?: unknown[]; isBehind?: boolean }

/** Gas of a call of which nobody says how much it needs: no getter of a Safe with a thousand owners takes a quarter of it. */
const CALL_GAS = '0xf42400'

/** A call of a contract has a limit of gas: the contract may be anybody's, and burn all that it is given. */
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
