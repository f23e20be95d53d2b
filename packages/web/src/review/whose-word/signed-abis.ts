import type { TeamAbiEntry } from '@countersign/contract'
import { isAbiSigned, type PolicyPlace, type RpcRequest } from '@countersign/safe-core'

/** The page is drawn after so much work: a signature takes some milliseconds, and a large team has a thousand. */
const SLICE_MS = 30

/** Signatures of keys that hold, with what they hold for: that never changes, and the list is asked for every minute. */
const holding = new Map<string, PolicyPlace & TeamAbiEntry>()

/**
 * Says of each ABI whether its author signed it. The server is not believed: whoever can write there could say that every owner
 * endorsed a reading.
 *
 * @param request the way to authors that are contracts
 */
export async function areSigned(
  place: PolicyPlace,
  entries: readonly TeamAbiEntry[],
  request: RpcRequest,
): Promise<boolean[]> {
  const verified: (boolean | Promise<boolean>)[] = []
  let began = performance.now()
  for (const entry of entries) {
    if (performance.now() - began > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      began = performance.now()
    }
    // Contracts are asked together.
    verified.push((await isSignedByKey(place, entry)) || isSignedByAuthor(place, entry, request))
  }
  return Promise.all(verified)
}

async function isSignedByKey(place: PolicyPlace, entry: TeamAbiEntry): Promise<boolean> {
  const { signature } = entry
  if (signature === null) return false
  const given = { ...entry, ...place }
  const known = holding.get(signature)
  const fields = ['chainId', 'safeAddress', 'contract', 'abi', 'author'] as const
  if (known && fields.every((field) => known[field] === given[field])) return true
  const isSigned = await isSignedByAuthor(place, entry)
  if (isSigned) holding.set(signature, given)
  return isSigned
}

async function isSignedByAuthor(
  place: PolicyPlace,
  { contract, abi, author: owner, signature }: TeamAbiEntry,
  request?: RpcRequest,
): Promise<boolean> {
  return signature !== null && isAbiSigned({ ...place, contract, abi }, { owner, signature }, request)
}
