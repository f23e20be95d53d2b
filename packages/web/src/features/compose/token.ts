import { type RpcRequest, readTokens } from '@countersign/safe'
import { queryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { findTokens } from '../../safe/worth/listed-tokens.ts'
import { fail } from '../../text/fail.ts'

/** Claims of a token contract, and the Safe's balance. */
export type TokenFacts = { address: Address; symbol: string; name: string; decimals: number; balance: bigint }

/** Reads a token; null when there is none at the address. */
export function tokenQuery(chainId: number, safeAddress: Address, token: Address | null) {
  return queryOptions({
    queryKey: ['token', chainId, safeAddress, token],
    queryFn: async ({ client }) => {
      if (token === null) return null
      const chain = client.getQueryData(configurationQuery.queryKey)?.chains.find((one) => one.chainId === chainId)
      // Whether a list has it says how it is called; the form shows its own words where nobody says.
      const found = chain && findTokens(chain, { addresses: [token], names: [] }).catch(() => {})
      const [facts] = await Promise.all([readToken(chainRequest(chainId), safeAddress, token), found])
      return facts
    },
    enabled: token !== null,
    staleTime: 15_000,
  })
}

/** Null too for what can be no amount: without a unit that can be meant nothing can be sent. */
async function readToken(request: RpcRequest, safeAddress: Address, token: Address): Promise<TokenFacts | null> {
  const [reading] = await readTokens(request, safeAddress, [token])
  if (!reading) return null
  const { name, symbol, decimals, balance } = reading
  if (balance === 'unread') throw fail('RPC_ERROR', { reason: 'token', token })
  if (!symbol || decimals === null || typeof balance !== 'bigint') return null
  return { address: token, symbol, name: name ?? '', decimals, balance }
}
