import type { ClaimedExecution } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'

/** An execution and its Ethereum transaction, as the server claims them. */
export type Claimed = ClaimedExecution & { transactionHash: Hex }

/** Accounts that were paid, proved. Not whole: the node answered nothing about an execution that could prove one more. */
export type ProvedPayees = { payees: Address[]; isWhole: boolean }

/** Executions of a Safe that may have paid accounts, and the Safe as it stands. */
export type ProvingPayees = {
  place: { chainId: number; safeAddress: Address }
  executions: readonly Claimed[]
  state: Pick<SafeState, 'owners' | 'threshold' | 'nonce'>
}
