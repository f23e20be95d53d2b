import type { SimulationNeed } from '@countersign/review'

/** Runs that somebody waits for: those of an open page, and of what is about to be signed. */
const awaited = new Map<string, number>()
let onChange = () => {}

/** The run of a transaction, whatever block it is made on. */
export function runKey({ chainId, run }: Pick<SimulationNeed, 'chainId' | 'run'>): string {
  const { safeAddress, safeTx } = run
  return `${chainId} ${safeAddress} ${safeTx.nonce} ${safeTx.to} ${safeTx.data}`
}

/**
 * Says that somebody waits for a run, so that it does not stand behind the rows of a list.
 *
 * @returns ends it, and is called once
 */
export function awaitRun(key: string): () => void {
  addWaiters(key, 1)
  return () => addWaiters(key, -1)
}

function addWaiters(key: string, added: 1 | -1): void {
  const count = (awaited.get(key) ?? 0) + added
  if (count > 0) awaited.set(key, count)
  else awaited.delete(key)
  onChange()
}

/** Whether somebody waits for it now. */
export function isAwaited(key: string): boolean {
  return awaited.has(key)
}

/** Whether somebody waits for any run: then a review is open, or something is about to be signed. */
export function isAnyAwaited(): boolean {
  return awaited.size > 0
}

/** Hears of what is waited for; the queue of runs alone does. */
export function onAwaited(listener: () => void): void {
  onChange = listener
}
