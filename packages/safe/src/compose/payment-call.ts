import { type Address, encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { erc20Abi } from '../abi/abi.ts'
import type { BatchedCall } from '../calls/multi-send.ts'
import { isSameAddress } from '../same-address.ts'
import type { IntentProblem, PaymentIntent } from './intent.ts'

const itemAbi = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
])

const MAX_UINT256 = (1n << 256n) - 1n

/**
 * Why a payment would be lost, or move nothing.
 *
 * @example
 * paymentProblems({ kind: 'send-native', to: zeroAddress, amount: 1n }, safeAddress) // [{ field: 'to', reason: 'zero-address' }]
 */
export function paymentProblems(intent: PaymentIntent, safeAddress: Address): IntentProblem[] {
  const problems: IntentProblem[] = []
  const asset = 'token' in intent ? intent.token : 'collection' in intent ? intent.collection : null
  if (isSameAddress(intent.to, zeroAddress)) problems.push({ field: 'to', reason: 'zero-address' })
  else if (isSameAddress(intent.to, safeAddress)) problems.push({ field: 'to', reason: 'safe-itself' })
  else if (asset !== null && isSameAddress(intent.to, asset)) problems.push({ field: 'to', reason: 'token-itself' })
  if (asset !== null && isSameAddress(asset, zeroAddress)) problems.push({ field: 'asset', reason: 'zero-address' })
  if ('amount' in intent && intent.amount === 0n) problems.push({ field: 'amount', reason: 'amount-zero' })
  if ('amount' in intent && intent.amount > MAX_UINT256) problems.push({ field: 'amount', reason: 'amount-too-large' })
  if ('tokenId' in intent && intent.tokenId > MAX_UINT256)
    problems.push({ field: 'tokenId', reason: 'amount-too-large' })
  return problems
}

/**
 * The call of a payment. Items of collections go by the transfer that asks a contract whether it takes them.
 *
 * @example
 * paymentCall({ kind: 'send-native', to, amount: 1n }, safeAddress) // { to, value: 1n, data: '0x', operation: 0 }
 */
export function paymentCall(intent: PaymentIntent, safeAddress: Address): BatchedCall {
  switch (intent.kind) {
    case 'send-native':
      return { to: intent.to, value: intent.amount, data: '0x', operation: 0 }
    case 'send-erc20': {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [intent.to, intent.amount] })
      return { to: intent.token, value: 0n, data, operation: 0 }
    }
    case 'send-erc721': {
      const args = [safeAddress, intent.to, intent.tokenId] as const
      const data = encodeFunctionData({ abi: itemAbi, functionName: 'safeTransferFrom', args })
      return { to: intent.collection, value: 0n, data, operation: 0 }
    }
    case 'send-erc1155': {
      const args = [safeAddress, intent.to, intent.tokenId, intent.amount, '0x'] as const
      const data = encodeFunctionData({ abi: itemAbi, functionName: 'safeTransferFrom', args })
      return { to: intent.collection, value: 0n, data, operation: 0 }
    }
  }
}
