import type { Address, Hex } from 'viem'
import { encodeFunctionData, hexToBigInt, parseAbi } from 'viem'
import { type ApprovalHint, type BalanceHint, PERMIT2 } from './token-hints.ts'

const abi = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function balanceOf(address account, uint256 id) view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function allowance(address owner, address token, address spender) view returns (uint160)',
  'function getApproved(uint256 tokenId) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
])

/**
 * A question to a token. `isOfOwner`: it is asked whose an item is, which a contract refuses to answer where it is nobody's
 * (ERC-721).
 */
export type TokenQuestion = { to: Address; data: Hex; read: (answer: Hex) => bigint; isOfOwner?: true }

/** The question for a balance; for an item of ERC-721 whether it is the account's. */
export function balanceQuestion({
  token: to,
  account,
  standard,
  tokenId,
}: Omit<BalanceHint, 'isLogged'>): TokenQuestion {
  if (standard === 'erc721' && tokenId !== null) {
    const data = encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] })
    return { to, data, read: isAccount(account), isOfOwner: true }
  }
  const args = standard === 'erc1155' && tokenId !== null ? ([account, tokenId] as const) : ([account] as const)
  return { to, data: encodeFunctionData({ abi, functionName: 'balanceOf', args }), read: hexToBigInt }
}

/** The question for what a spender may take. */
export function approvalQuestion({ token, owner, spender, standard, tokenId }: ApprovalHint): TokenQuestion {
  if (standard === 'erc721' && tokenId !== null) {
    const data = encodeFunctionData({ abi, functionName: 'getApproved', args: [tokenId] })
    return { to: token, data, read: isAccount(spender) }
  }
  if (standard === 'operator') {
    const data = encodeFunctionData({ abi, functionName: 'isApprovedForAll', args: [owner, spender] })
    return { to: token, data, read: hexToBigInt }
  }
  if (standard === 'permit2') {
    const data = encodeFunctionData({ abi, functionName: 'allowance', args: [owner, token, spender] })
    return { to: PERMIT2, data, read: hexToBigInt }
  }
  return {
    to: token,
    data: encodeFunctionData({ abi, functionName: 'allowance', args: [owner, spender] }),
    read: hexToBigInt,
  }
}

function isAccount(account: Address): (answer: Hex) => bigint {
  return (answer) => (hexToBigInt(answer) === hexToBigInt(account) ? 1n : 0n)
}
