import type { RpcRequest } from '@countersign/safe'
import type { HashSources } from './hash-sources.ts'
import { pinReader } from './pinned-reader.ts'

/**
 * The way to owners that are contracts: at the block of the review, and by no answer that is worth less than that. What an owner
 * signed lowers findings or makes a call readable, so one node's word is not enough where others are asked.
 */
export function requestOfContracts(chainId: number, sources: HashSources): RpcRequest {
  return async (asked) => (await pinReader(chainId, sources)).request(asked)
}
