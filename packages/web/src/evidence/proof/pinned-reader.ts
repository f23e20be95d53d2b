import { createFactReader, type FactReader, readVouchedBlock } from '@countersign/review'
import { runCallInEngine } from '../simulation/run-call.ts'
import { askPage, requestByPage } from '../worker/ask-page.ts'
import type { HashSources } from './hash-sources.ts'

/** Facts that are asked within this time are read at one block. */
const PIN_MS = 8_000

type Pin = { at: number; pinned: Promise<FactReader> }

const pins = new Map<string, Pin>()
/** Chains whose readers are kept however long it takes, and by how many. */
const held = new Map<number, number>()

/** Reads the newest block next, unless the reader is held. An earlier block does not contain what an event reports. */
export function forgetPins(chainId: number): void {
  if (!held.has(chainId)) dropPins(chainId)
}

/** Keeps a chain's newest reader until it is released, so that all facts are read at one block until then. */
export function holdPins(chainId: number): void {
  if (!held.has(chainId)) dropPins(chainId)
  held.set(chainId, (held.get(chainId) ?? 0) + 1)
}

/** Ends a `holdPins`. */
export function releasePins(chainId: number): void {
  const left = (held.get(chainId) ?? 1) - 1
  if (left > 0) held.set(chainId, left)
  else held.delete(chainId)
}

/**
 * Gives the reader of the newest block of a chain, the same one for a few seconds: what a review asks is read at one block.
 *
 * @throws CountersignError whatever the way to the node throws; `PROOF_INVALID` where it names no block
 */
export function pinReader(chainId: number, sources: HashSources): Promise<FactReader> {
  const key = JSON.stringify([chainId, sources])
  const known = pins.get(key)
  if (known && (held.has(chainId) || performance.now() - known.at < PIN_MS)) return known.pinned
  const pin = { at: performance.now(), pinned: openReader(chainId, sources) }
  pins.set(key, pin)
  pin.pinned.catch(() => dropPin(chainId, sources, pin.pinned))
  return pin.pinned
}

/** Forgets the readers of a chain: what is asked next is read at its newest block, whatever replaced another. */
function dropPins(chainId: number): void {
  for (const key of [...pins.keys()]) if (key.startsWith(`[${chainId},`)) pins.delete(key)
}

/** Forgets a reader: its block is no longer of the chain, or the node no longer proves it. */
export function dropPin(chainId: number, sources: HashSources, pinned: Promise<FactReader>): void {
  const key = JSON.stringify([chainId, sources])
  if (pins.get(key)?.pinned === pinned) pins.delete(key)
}

async function openReader(chainId: number, { needed, wallet }: HashSources): Promise<FactReader> {
  const request = requestByPage(chainId)
  const askSources = (blockNumber: bigint) => askPage('askForHash', { chainId, blockNumber, wallet })
  return createFactReader(
    requestByPage,
    await readVouchedBlock({ chainId, request, askSources, needed }),
    runCallInEngine,
  )
}
