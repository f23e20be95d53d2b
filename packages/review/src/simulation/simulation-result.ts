import type { RevertExplanation } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { SlotChange } from '../effects/declared-effects.ts'
import type { FactGrade } from './fact-grade.ts'

/** The block whose state was used, and whose time and fees code saw. */
export type PinnedBlock = { chainId: number; number: bigint; hash: Hex /** Seconds since 1970. */; timestamp: bigint }

/** A call of the tree by its place: `[]` the first, `[2, 0]` the first call inside the third call of that. */
export type CallPath = readonly number[]

/** The purpose of a call, as the Safe's own code makes it; null for all that these do themselves. */
export type CallPart = 'signature' | 'guard' | 'transaction' | 'module' | 'refund'

/** A log, as it was written. Anybody can write any log: a hint, never a proof. */
export type SimulatedLog = { address: Address; topics: readonly Hex[]; data: Hex }

/** One call, with the calls that it made. */
export type SimulatedCall = {
  path: CallPath
  operation: 'call' | 'callcode' | 'delegatecall' | 'staticcall' | 'create' | 'create2'
  /** The account in whose name it runs: its storage, its balance, and `msg.sender` of what it calls. */
  context: Address
  from: Address
  /** The account whose code runs; for a creation the new address. */
  to: Address
  /** wei */
  value: bigint
  gas: bigint
  gasUsed: bigint
  /** The beginning of it: `inputSize` is its whole length. */
  input: Hex
  inputSize: number
  output: Hex
  outputSize: number
  /** Null when it ended well. Its changes, and those of all calls inside, are undone otherwise. */
  failure: CallFailure | null
  part: CallPart | null
  /** Logs of this call itself, not of those inside. They are undone with it. */
  logs: readonly SimulatedLog[]
  calls: readonly SimulatedCall[]
}

/** Why a call failed: it reverted, with data that says something; or the machine stopped it (`out of gas` …). */
export type CallFailure =
  | { kind: 'revert'; data: Hex; explanation: RevertExplanation }
  | { kind: 'halt'; reason: string }

/**
 * How the whole ended.
 * - `success`: `execTransaction` returned true; a plain call did not fail.
 * - `inner-failure`: `execTransaction` returned false (`safeTxGas` or `gasPrice` is set): the nonce is used up, the refund
 *   is paid, the transaction itself did nothing.
 * - `reverted`: nothing happens but the gas being paid.
 */
export type SimulationOutcome =
  | { kind: 'success'; output: Hex }
  | {
      kind: 'inner-failure' | 'reverted'
      failure: CallFailure /** Where it began: the innermost call. */
      began: CallPath
    }

/** Coin or tokens of an account before and after. Only what differs, or could not be read on one side. */
export type BalanceChange = {
  account: Address
  /** The zero address: the chain's own coin. */
  token: Address
  standard: 'native' | 'erc20' | 'erc721' | 'erc1155'
  /** The item, of ERC-721 and ERC-1155; null otherwise. */
  tokenId: bigint | null
  /** Base units; of an ERC-721 item 1 or 0. Null when the contract does not answer as a token does. */
  before: bigint | null
  after: bigint | null
}

/** Amounts that a spender may take, before and after, as the token itself answers. Only what differs or could not be read. */
export type ApprovalChange = {
  token: Address
  owner: Address
  spender: Address
  /** `permit2` is an allowance of the Permit2 contract, for `token`. */
  standard: 'erc20' | 'erc721' | 'operator' | 'permit2'
  /** The item, of ERC-721; null otherwise. */
  tokenId: bigint | null
  /** Base units; for one item or all (`operator`) 1 or 0. Null when the contract does not answer. */
  before: bigint | null
  after: bigint | null
}

/** Slots of one account that the run read or wrote: an access list, and the hint for the next run. */
export type Touched = { address: Address; slots: readonly Hex[] }

/** Facts that the run took for granted, beyond the chain's state. */
export type SimulationAssumptions = {
  /** Owners who are taken to have approved the hash on the chain. */
  approvedBy: readonly Address[]
  /** The Safe's nonce was set to the transaction's; null when it is. */
  nonce: { onChain: bigint; assumed: bigint } | null
  /** wei given to the executor, who could not pay for the gas; 0 as a rule. */
  executorFunds: bigint
}

/** Costs of the run. */
export type SimulationCost = {
  /** Round trips to the reader. */
  rounds: number
  /** Runs, the last included. */
  runs: number
  /** Accounts and slots read. */
  reads: number
  /** Milliseconds of the last run, and of all. */
  lastRunMs: number
  totalMs: number
}

/** Why a run did not end: a limit; a question that stayed unanswered (`reader`); a precompile that is not here. */
export type UnfinishedReason =
  | { kind: 'limit'; limit: 'milliseconds' | 'memoryBytes' | 'reads' | 'rounds' | 'calls' }
  | { kind: 'reader'; code: string; message: string }
  | { kind: 'precompile'; address: Address }
  /** The Worker ended, or could not be started. */
  | { kind: 'engine'; message: string }
  /** The call that creates the Safe fails, or creates another. */
  | { kind: 'creation' }
  /** The chain's accounts hold code of another machine than an EVM: nothing is run. */
  | { kind: 'machine'; name: string }

/** The answer to a plain call: what it returned, the data of its revert, or why it was not run to its end. */
export type CallAnswer =
  | { kind: 'returned' | 'reverted'; data: Hex; grade: FactGrade }
  | { kind: 'unfinished'; reason: UnfinishedReason }

/**
 * Where answers beside the main one were cut short; `conditions`: code did something else with other gas, at another price or
 * by the rules before, or asked who had approved, which a run only assumes.
 */
export type SimulationGap = 'balances' | 'approvals' | 'call-data' | 'conditions'

/** A run that ended. */
export type FinishedSimulation = {
  status: 'finished'
  block: PinnedBlock
  /** The lowest of all that was read. */
  grade: FactGrade
  /** The hard fork whose rules were used, as the library names it: `prague`. */
  hardfork: string
  /** The chain's own EVM by name, where it is not Ethereum's, by whose rules it was run; null otherwise. */
  otherMachine: string | null
  outcome: SimulationOutcome
  call: SimulatedCall
  /** All slots of all accounts that differ afterwards. Those that the run assumed are compared with the chain's. */
  slots: readonly SlotChange[]
  /** Slots of the Safe that were written, and hold at the end what they held before. */
  restoredSlots: readonly Hex[]
  balances: readonly BalanceChange[]
  approvals: readonly ApprovalChange[]
  created: readonly Address[]
  destroyed: readonly Address[]
  /** EIP-7702: accounts whose delegation was used. `to` is whose code ran. */
  delegations: readonly { account: Address; to: Address }[]
  /** Gas that the sender pays for, after refunds by the protocol. */
  gasUsed: bigint
  /** Gas before refunds by the protocol. A call hands on 63/64 of what is left: the limit must be higher than this. */
  gasPeak: bigint
  /** Gas that it had: as much as one transaction may have, unless the run names less. */
  gasLimit: bigint
  /**
   * Gas before refunds that a transaction takes which fails with that, and does not with more. Null of all others, and of
   * one that took too long.
   */
  gasWanted: bigint | null
  touched: readonly Touched[]
  /** Digest of what `touched` held on the chain at the block: `digestState`. */
  seen: Hex
  assumed: SimulationAssumptions
  /** Where the Safe was created first: what its creation left at its address. Left out of a run on a Safe that is there. */
  activated?: ActivatedSafe | undefined
  gaps: readonly SimulationGap[]
  /** Assets of which noticeably less comes to the Safe a day later, from a transaction that costs it nothing; left out where none. */
  lessLater?: readonly LessLater[] | undefined
  cost: SimulationCost
}

/** Amounts that come to the Safe in the run, and in one a day later. Base units. */
export type LessLater = Pick<BalanceChange, 'token' | 'tokenId'> & { received: bigint; receivedLater: bigint }

/** Code and slots of a Safe right after its creation, and the gas of that call; the slots that are not zero. */
export type ActivatedSafe = { code: Hex; slots: readonly (readonly [slot: Hex, word: Hex])[]; gasUsed: bigint }

/** A run that did not end: it says nothing of what the transaction does. */
export type UnfinishedSimulation = {
  status: 'unfinished'
  reason: UnfinishedReason
  block: PinnedBlock
  cost: SimulationCost
}

/** The result of a run in the page. */
export type SimulationResult = FinishedSimulation | UnfinishedSimulation

/** A balance, or what may be taken, that a node says otherwise than the run. `token`: the zero address for the chain's own coin. */
export type MovedOtherwise = { account: Address; token: Address; here: bigint; node: bigint }

/**
 * The node's own word on the same run: `agrees`, `diverges` (it ends otherwise, gives another reason, or moves something
 * else), or `unasked` with the reason: the node takes no overrides, did not answer, or the run in the page did not end.
 */
export type CrossCheck =
  | {
      status: 'agrees' | 'diverges'
      method: NodeMethod
      outcome: 'success' | 'inner-failure' | 'reverted'
      data: Hex
      /** Balances and approvals that the node said, too; null where it did not answer for all, or nothing moves. */
      compared: number | null
      /** The first of these that the node says otherwise. */
      moved: MovedOtherwise | null
    }
  | { status: 'unasked'; reason: string }

/** Methods by which a node runs a call. */
export type NodeMethod = 'eth_call' | 'eth_simulateV1'

/** A node's own answer, where no run in the page is possible: of the whole only this is known. */
export type NodeSimulation = {
  method: NodeMethod
  block: PinnedBlock
  outcome: SimulationOutcome['kind']
  failure: CallFailure | null
  /** Null where the method does not tell. */
  gasUsed: bigint | null
  logs: readonly SimulatedLog[] | null
}

/** Everything that a review needs of simulation: the run in the page, the node's word on it, and the stand-in. */
export type SimulatedTransaction = {
  result: SimulationResult
  crossCheck: CrossCheck
  /** Only where `result` is unfinished and the node can run it. */
  standIn: NodeSimulation | null
}
