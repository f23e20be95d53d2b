import { type PolicySignature, policySigners } from '@countersign/review'
import type { RpcRequest } from '@countersign/safe'
import type { Address, Hex } from 'viem'

/** An entry of the book, and its author's signature; null: it was given without. */
export type SignedEntry = { author: Address; signature: Hex | null }

/** Time after which verification pauses for other questions. Each of up to a thousand signatures takes some milliseconds. */
const SLICE_MS = 30

/** Signatures of keys that hold, with author and hash: that never changes, and the lists are asked for every minute. */
const holding = new Set<string>()

/**
 * Says of each entry whether its author signed it. The server is not believed: whoever can write there could say that every
 * owner endorsed it.
 *
 * @param hashOf - of the entry, as its author signs it
 * @param request the way to authors that are contracts
 * @returns null for a contract that could not be asked
 */
export async function areSigned<Entry extends SignedEntry>(
  entries: readonly Entry[],
  hashOf: (entry: Entry) => Hex,
  request: RpcRequest,
): Promise<(boolean | null)[]> {
  const verified: (boolean | Promise<boolean | null>)[] = []
  let began = performance.now()
  for (const entry of entries) {
    if (performance.now() - began > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      began = performance.now()
    }
    if (entry.signature === null) {
      verified.push(false)
      continue
    }
    const signed = { owner: entry.author, signature: entry.signature }
    const hash = hashOf(entry)
    // Contracts are asked together.
    verified.push((await isSignedByKey(hash, signed)) || isSigned(hash, signed, request).catch(() => null))
  }
  return Promise.all(verified)
}

async function isSignedByKey(hash: Hex, signed: PolicySignature): Promise<boolean> {
  const key = `${signed.owner} ${signed.signature} ${hash}`
  if (holding.has(key)) return true
  const isHolding = await isSigned(hash, signed)
  if (isHolding) holding.add(key)
  return isHolding
}

async function isSigned(hash: Hex, signed: PolicySignature, request?: RpcRequest): Promise<boolean> {
  return (await policySigners(hash, [signed], request)).length > 0
}
