import type { ClaimedExecution } from '@countersign/review'
import type { SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'

/** An execution and its Ethereum transaction, as the server claims them. */
export type Claimed = ClaimedExecution & { transactionHash: Hex }

/** Accounts with a proved payment. Not whole if the node did not answer about an execution that could prove another one. */
export type ProvedPayees = { payees: Address[]; isWhole: boolean }

/** Executions of a Safe that may have paid accounts, and its current state. */
export type PayeesQuestion = {
  place: { chainId: number; safeAddress: Address }
  executions: readonly Claimed[]
  state: Pick<SafeState, 'owners' | 'threshold' | 'nonce'>
}
