import { erc20Abi, type RpcRequest } from '@countersign/safe-core'
import { queryOptions } from '@tanstack/react-query'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'

/** What a token contract says of itself, and what the Safe has of it. */
export type TokenFacts = { address: Address; symbol: string; name: string; decimals: number; balance: bigint }

/** Reads a token in one batch; null when there is none at the address. */
export function tokenQuery(chainId: number, safeAddress: Address, token: Address | null) {
  return queryOptions({
    queryKey: ['token', chainId, safeAddress, token],
    queryFn: () => (token ? readToken(chainRequest(chainId), safeAddress, token) : null),
    enabled: token !== null,
    staleTime: 15_000,
  })
}

async function readToken(request: RpcRequest, safeAddress: Address, token: Address): Promise<TokenFacts | null> {
  const ask = async (data: Hex): Promise<Hex | null> => {
    try {
      const answer = await request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })
      return isHex(answer) && answer !== '0x' ? answer : null
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'RPC_ERROR') return null
      throw error
    }
  }
  const [symbol, name, decimals, balance] = await Promise.all([
    ask(encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })),
    ask(encodeFunctionData({ abi: erc20Abi, functionName: 'name' })),
    ask(encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })),
    ask(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [safeAddress] })),
  ])
  if (!symbol || !decimals || !balance) return null
  try {
    return {
      address: token,
      symbol: decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: symbol }),
      name: name ? decodeFunctionResult({ abi: erc20Abi, functionName: 'name', data: name }) : '',
      decimals: decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data: decimals }),
      balance: decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: balance }),
    }
  } catch {
    return null
  }
}
