import type { CreationCall, SafeTx } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { CallAnswer } from './simulation-result.ts'
import type { StateReader } from './state-reader.ts'

/** A Safe transaction, to be run as a whole: `execTransaction` on the Safe, signatures, guard and refund included. */
export type SafeTxRun = {
  kind: 'safe-transaction'
  safeAddress: Address
  /** By whose rules the Safe hashes: `domainVersion(state)`. A wrong one ends as a revert (GS026), not in silence. */
  version: string
  /** Owners and threshold as they were read: as many of them as needed are taken to have approved. */
  owners: readonly Address[]
  threshold: number
  safeTx: SafeTx
  /** Signatures that were verified; they are used as they are, before any approval is assumed. */
  confirmations: readonly { owner: Address; signature: Hex }[]
  /** The account that sends the transaction to the chain: `tx.origin`, and `msg.sender` of `execTransaction`. */
  executor: Address
  /** The call that creates the Safe, where it is not on the chain: it is run first, by the executor. */
  creation?: CreationCall | undefined
  /** wei per unit of gas; the base fee of the block when left out. A refund depends on it. */
  gasPrice?: bigint | undefined
  /** The gas limit of the block, or 16,777,216 if that is less, when left out. */
  gas?: bigint | undefined
}

/** A plain call, as `eth_call` makes it: nothing is paid for gas, and the sender needs no key. */
export type CallRun = {
  kind: 'call'
  from: Address
  /** Null creates a contract. */
  to: Address | null
  data: Hex
  /** wei */
  value?: bigint | undefined
  gas?: bigint | undefined
}

/** Runs a plain call on the state of the reader's block, in a place of its own. */
export type RunCall = (reader: StateReader, call: CallRun) => Promise<CallAnswer>

/** A run that can be simulated. */
export type SimulationRun = SafeTxRun | CallRun

/** Limits of a run. A run that meets one is unfinished, and says which. */
export type SimulationLimits = {
  /** Processor and waiting, all rounds together. */
  milliseconds: number
  /** Bytes that one frame may hold in memory. */
  memoryBytes: number
  /** Accounts and slots that are read, all rounds together. */
  reads: number
  /** Round trips to the reader. */
  rounds: number
  /** Calls that are kept in the tree. */
  calls: number
}
