import type { ListedToken, NamedAddress, PolicyVersion, TeamAbiEntry } from '@countersign/contract'
import type {
  CreationReview,
  ExaminedExecution,
  Execution,
  Facts,
  FinishedSimulation,
  Given,
  HashSource,
  MessageReview,
  NeededFact,
  Prices,
  ReadFact,
  Review,
  SimulatedTransaction,
  SimulationNeed,
  Subject,
  TokenQuestion,
} from '@countersign/review'
import type { SafeTx } from '@countersign/safe'
import type { Address } from 'viem'
import type { VerdictSummary } from '../../safe/words/verdict-summary.ts'
import type { PayeesQuestion, ProvedPayees } from '../attribution/claimed-payments.ts'
import type { VerifiedVersion } from '../policy/verified-version.ts'
import type { HashSources } from '../proof/hash-sources.ts'
import type { CheckedPack, PackFile, PackQuestion } from '../proof-pack/checked-pack.ts'

/** A subject with everything that the page knows about it. */
export type KnownSubject = {
  given: Given
  /** Subjects that it approves in other Safes; undefined: none, or none could be found. */
  nested: readonly KnownSubject[] | undefined
}

/** Settings of the server that affect a review, and the sources of block hashes, including the wallet. */
export type ReviewSettings = {
  sources: HashSources
  /** Version of the token lists; null: there are none. */
  listRevision: string | null
  /** Currency of prices; null: the operator names no source of prices. */
  currency: string | null
}

/** A subject to review. */
export type ReviewQuestion<Of extends Subject = Subject> = KnownSubject & ReviewSettings & { given: Of }

/**
 * Reasons to fetch an answer again. `isOpen`: a fact may change without an event. `isIncomplete`: something could not be read and
 * may be readable later.
 */
export type RefetchReasons = { isOpen: boolean; isIncomplete: boolean }

/** A fact from the Worker's cache or just read. */
export type CachedFact = ReadFact & RefetchReasons

/** A verdict for a list. */
export type JudgedSubject = RefetchReasons & { summary: VerdictSummary }

/** A review and its facts. `isOfOneBlock`: all facts were read at one block of the chain. */
export type ReviewedSubject<Of extends Subject = Subject> = RefetchReasons & {
  review: { transaction: Review; message: MessageReview; creation: CreationReview }[Of['kind']]
  facts: Facts
  isOfOneBlock: boolean
}

/** A chain, and the sources of its block hashes. */
export type ChainSources = { chainId: number; sources: HashSources }

/** An executed transaction and the sources for the hash of its block. */
export type ExecutedTransaction = Execution & ChainSources & { safeTx: SafeTx }

type SafeSources = ChainSources & { safeAddress: Address }

/** Calls that the Worker answers. */
export type WorkerCalls = {
  /** Reviews a subject for a list. */
  judge(question: ReviewQuestion): Promise<JudgedSubject>
  /** Reviews a subject for its page, or right before it is signed. */
  review(question: ReviewQuestion): Promise<ReviewedSubject>
  /** Reads the facts of a later review into the cache. */
  readAhead(question: ReviewQuestion): Promise<void>
  /** Loads the code for reviews of a kind. */
  prepareReview(kind: Subject['kind']): Promise<void>
  readFact(question: { needed: NeededFact; sources: HashSources }): Promise<CachedFact>
  /** Runs a transaction over the unproved state of one node. */
  simulate(need: SimulationNeed): Promise<SimulatedTransaction>
  /** Proves the configuration of a Safe while the page still reads the Safe. */
  proveEarly(safe: SafeSources): Promise<void>
  /** Whether something that a run used is different at the newest block. */
  hasChanged(run: ChainSources & { run: FinishedSimulation }): Promise<boolean>
  /** Verifies every signature on a version of a policy. */
  verifyPolicy(question: { version: PolicyVersion; sources: HashSources }): Promise<VerifiedVersion>
  /** Whether the author of each name signed it; null for a contract that could not be asked. */
  areNamesSigned(question: SafeSources & { names: readonly NamedAddress[] }): Promise<(boolean | null)[]>
  /** Whether the author of each ABI signed it; null as for names. */
  areAbisSigned(question: SafeSources & { abis: readonly TeamAbiEntry[] }): Promise<(boolean | null)[]>
  /** Proves which accounts earlier executions paid. */
  provePayees(question: PayeesQuestion): Promise<ProvedPayees>
  makePack(question: PackQuestion): Promise<PackFile>
  checkPack(question: PackQuestion & { text: string }): Promise<CheckedPack>
  /** Compares an execution with a simulation on the block before. Null if the node has no receipt. */
  examineExecution(executed: ExecutedTransaction): Promise<ExaminedExecution | null>
  /** Number of the block at which facts are read now. */
  newestBlock(place: ChainSources): Promise<bigint>
  /** Forgets cached answers, and reads all facts of a chain at one block until released. */
  holdBlock(chainId: number): void
  releaseBlock(chainId: number): void
  /** Forgets the block of a chain. Facts that are not cached are then read at the newest block. */
  forgetBlock(chainId: number): void
  ping(nothing: null): void
}

/** Calls that the page answers: it has the session, the wallet, and the way to the server. */
export type PageCalls = {
  askNode(question: { chainId: number; method: string; params?: unknown[] }): Promise<unknown>
  askForHash(question: { chainId: number; blockNumber: bigint; wallet: string | null }): Promise<HashSource[]>
  findTokens(question: { chainId: number; listRevision: string; question: TokenQuestion }): Promise<ListedToken[]>
  findPrices(question: { chainId: number; currency: string; assets: readonly ('native' | Address)[] }): Promise<Prices>
}
