import type { TeamAbiEntry } from '@countersign/contract'
import { isAbiSigned } from '@countersign/safe-core'
import type { Address } from 'viem'
import { chainRequest } from './chain-client.ts'

/** The server is not believed: whoever can write there could say that every owner endorsed a reading. */
export async function isSignedByAuthor(
  place: { chainId: number; safeAddress: Address },
  { contract, abi, author: owner, signature }: TeamAbiEntry,
): Promise<boolean> {
  if (signature === null) return false
  return isAbiSigned({ ...place, contract, abi }, { owner, signature }, chainRequest(place.chainId))
}
