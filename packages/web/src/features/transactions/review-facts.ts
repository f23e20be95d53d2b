import type { MultisigTransaction } from '@countersign/contract'
import {
  type Code,
  codeTargets,
  describeCall,
  type ReviewInput,
  type RpcRequest,
  type SafeState,
  type SafeTx,
  safeAbi,
} from '@countersign/safe-core'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, isHex, keccak256, size } from 'viem'
import { counterpartiesOf } from './counterparties.ts'

/** What the chain says beside the Safe's own state. What could not be read is left out, and the review says so. */
export type ChainFacts = { codes: Record<string, Code | undefined>; chainSafeTxHash: Hex | null }

/** A batch can pay hundreds; what the review itself needs is read all the same. */
const MAX_PARTIES = 50

export const noChainFacts: ChainFacts = { codes: {}, chainSafeTxHash: null }

/** Reads the code of everything that is called or paid, and asks the Safe for its own hash of the transaction. */
export async function readChainFacts(request: RpcRequest, safeAddress: Address, safeTx: SafeTx): Promise<ChainFacts> {
  const targets = partiesOf(safeAddress, safeTx)
  const [chainSafeTxHash, ...codes] = await Promise.all([
    readChainHash(request, safeAddress, safeTx),
    ...targets.map((target) => readCode(request, target)),
  ])
  return {
    chainSafeTxHash,
    codes: Object.fromEntries(targets.map((target, index) => [target.toLowerCase(), codes[index]])),
  }
}

/** Whose code the review compares, and who else takes part: whether a recipient has code is worth seeing too. */
function partiesOf(safeAddress: Address, safeTx: SafeTx): Address[] {
  const others = counterpartiesOf(describeCall({ ...safeTx, safeAddress })).slice(0, MAX_PARTIES)
  return [...new Set([...codeTargets({ safeAddress, safeTx }), ...others])]
}

async function readCode(request: RpcRequest, address: Address): Promise<Code | undefined> {
  try {
    const code = await request({ method: 'eth_getCode', params: [address, 'latest'] })
    return isHex(code) ? { codeHash: keccak256(code), size: size(code) } : undefined
  } catch {
    return undefined
  }
}

async function readChainHash(request: RpcRequest, safeAddress: Address, safeTx: SafeTx): Promise<Hex | null> {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
  const call = { abi: safeAbi, functionName: 'getTransactionHash' } as const
  const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce] as const
  try {
    const answer = await request({
      method: 'eth_call',
      params: [{ to: safeAddress, data: encodeFunctionData({ ...call, args }) }, 'latest'],
    })
    return isHex(answer) ? decodeFunctionResult({ ...call, data: answer }) : null
  } catch {
    return null
  }
}

export type ReviewRequest = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  /** The hash in the link. Null before anybody proposed it. */
  claimedSafeTxHash: Hex | null
  confirmations: readonly { owner: Address; signature: Hex }[]
  others: readonly MultisigTransaction[]
  account: Address | null
  origin: string | null
}

/** Brings together what a review looks at. */
export function toReviewInput(
  request: ReviewRequest,
  state: SafeState | null,
  facts: ChainFacts,
  tokens: ReviewInput['tokens'],
  reviewedBefore: Hex | null,
): ReviewInput {
  return {
    chainId: request.chainId,
    safeAddress: request.safeAddress,
    safeTx: request.safeTx,
    claimedSafeTxHash: request.claimedSafeTxHash,
    state,
    codes: facts.codes,
    confirmations: request.confirmations.map(({ owner, signature }) => ({ owner, signature })),
    others: request.others.flatMap((other) =>
      other.safeTx === null || other.isExecuted || other.safeTxHash === request.claimedSafeTxHash
        ? []
        : [{ safeTxHash: other.safeTxHash, nonce: other.safeTx.nonce, confirmations: other.confirmations }],
    ),
    account: request.account,
    reviewedBefore,
    chainSafeTxHash: facts.chainSafeTxHash,
    origin: request.origin,
    tokens,
    sources: 'server-only',
  }
}

/** A served transaction as a request for its review; null when its fields are not known. */
export function reviewRequestOf(
  { transaction, others }: { transaction: MultisigTransaction; others: readonly MultisigTransaction[] },
  safeTxHash: Hex,
  account: Address | null,
): ReviewRequest | null {
  if (transaction.safeTx === null) return null
  return {
    chainId: transaction.chainId,
    safeAddress: transaction.safeAddress,
    safeTx: transaction.safeTx,
    // The hash in the link is what others speak about, not the one that the server repeats.
    claimedSafeTxHash: safeTxHash,
    confirmations: transaction.confirmations,
    others,
    account,
    origin: transaction.origin,
  }
}
