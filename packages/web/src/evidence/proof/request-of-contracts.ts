import type { RpcRequest } from '@countersign/safe'
import type { QueryClient } from '@tanstack/react-query'
import { configurationQuery } from '../../api/configuration.ts'

/**
 * The way to owners that are contracts: at the block of the review, and by no answer that is worth less than that. What an owner
 * signed lowers findings or makes a call readable, so one node's word is not enough where others are asked.
 */
export function requestOfContracts(chainId: number, client: QueryClient): RpcRequest {
  return async (asked) => {
    const [{ pinReader }, { readHashSources }, { chains }] = await Promise.all([
      import('./pinned-reader.ts'),
      import('./hash-sources.ts'),
      client.ensureQueryData(configurationQuery),
    ])
    const { request } = await pinReader(chainId, readHashSources(chains, chainId))
    return request(asked)
  }
}
