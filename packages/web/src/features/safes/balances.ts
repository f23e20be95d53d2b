import type { Chain } from '@countersign/contract'
import { erc20Abi, type RpcRequest } from '@countersign/safe-core'
import { type Address, decodeFunctionResult, encodeFunctionData, isAddress, isHex } from 'viem'

export type TokenBalance = {
  token: Chain['tokens'][number] /** Null when it could not be read. */
  value: bigint | null
}

/** Reads what the Safe has of every listed token; the requests of one tick travel as one batch. */
export function readTokenBalances(
  request: RpcRequest,
  safeAddress: Address,
  tokens: Chain['tokens'],
): Promise<TokenBalance[]> {
  return Promise.all(
    tokens.map(async (token) => ({ token, value: await readBalance(request, safeAddress, token.address) })),
  )
}

async function readBalance(request: RpcRequest, safeAddress: Address, token: string): Promise<bigint | null> {
  if (!isAddress(token)) return null
  const call = { abi: erc20Abi, functionName: 'balanceOf' } as const
  try {
    const data = encodeFunctionData({ ...call, args: [safeAddress] })
    const answer = await request({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })
    return isHex(answer) && answer !== '0x' ? decodeFunctionResult({ ...call, data: answer }) : null
  } catch {
    return null
  }
}
