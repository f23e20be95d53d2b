import type { Address, Hex } from 'viem'
import type { FactGrade } from './fact-grade.ts'

/** Fields of a block header that code can observe, and by which the block is known. */
export type BlockHeader = {
  hash: Hex
  number: bigint
  parentHash: Hex
  stateRoot: Hex
  /** Seconds since 1970. */
  timestamp: bigint
  coinbase: Address
  gasLimit: bigint
  /** wei; null before London, and on chains without it. */
  baseFeePerGas: bigint | null
  /** Answer of the opcode at 0x44: the header's `mixHash`; its difficulty on chains that have one (BNB, Polygon). */
  prevRandao: Hex
  /** From which the blob base fee follows; null before Cancun. */
  excessBlobGas: bigint | null
  /** The newest fork of Ethereum that added a field which the header has. Chains may live by newer rules, or other ones. */
  fork: HeaderFork
}

/** A fork by the field that it added to headers. `amsterdam` stands for all to come. */
export type HeaderFork = 'frontier' | 'london' | 'shanghai' | 'cancun' | 'prague' | 'amsterdam'

/** A question about one account. */
export type AccountQuestion = {
  address: Address
  /** Whether nonce, balance and code are asked, beside the slots. */
  withAccount: boolean
  /** 32 bytes each. */
  slots: readonly Hex[]
}

/** Everything that is asked at once. A reader may split it, but needs no more than one round trip. */
export type StateQuestions = {
  accounts: readonly AccountQuestion[]
  /** Numbers of earlier blocks whose hashes are asked, as the opcode BLOCKHASH does. */
  blockNumbers: readonly bigint[]
}

/** An account as it stands in the state of the block. Of one that does not exist all is zero and the code is `0x`. */
export type AccountFacts = {
  nonce: bigint
  /** wei */
  balance: bigint
  code: Hex
}

/** The answer for one account. */
export type AccountAnswer = {
  address: Address
  /** Null when it was not asked. */
  account: AccountFacts | null
  /** 32 bytes each, by slot as it was asked: an answer to every one. */
  slots: ReadonlyMap<Hex, Hex>
  grade: FactGrade
}

/** Answers in the order of the questions. */
export type StateAnswers = {
  accounts: readonly AccountAnswer[]
  /** Null where the chain has no such block, or it is too old to be asked. */
  blockHashes: readonly { hash: Hex | null; grade: FactGrade }[]
}

/**
 * Reads the state of one block, and no other. Answers come with their grade; a reader checks itself what it calls
 * `proved`, and never gives an answer that nobody gave.
 */
export type StateReader = {
  chainId: number
  /** The block whose state is read. What code sees of the block (time, base fee …) comes from it as well. */
  header: BlockHeader
  /** Whether enough sources vouch for the header's hash. */
  headerGrade: FactGrade
  /**
   * Rejects with a CountersignError when anything stays unanswered (`RPC_ERROR` …): the run is unfinished then.
   */
  read(questions: StateQuestions): Promise<StateAnswers>
}
