import type { ListedToken, NamedAddress, PolicyVersion, TeamAbiEntry } from '@countersign/contract'
import type {
  FinishedSimulation,
  Given,
  HashSource,
  NeededFact,
  Prices,
  ReadFact,
  SignedSubject,
  SimulatedTransaction,
  SimulationNeed,
  SubjectInput,
  TokenQuestion,
} from '@countersign/review'
import type { Address } from 'viem'
import type { VerdictSummary } from '../../safe/words/verdict-summary.ts'
import type { VerifiedVersion } from '../policy/verified-version.ts'
import type { HashSources } from '../proof/hash-sources.ts'

/** A subject of a list, with everything that the page knows about it. */
export type VerdictRequest = {
  given: Given<SignedSubject>
  /** Subjects that it approves in other Safes; undefined: none, or none could be found. */
  nested: readonly SubjectInput[] | undefined
  sources: HashSources
  /** Version of the token lists; null: there are none. */
  listRevision: string | null
  /** Currency of prices; null: the operator names no source of prices. */
  currency: string | null
}

/**
 * A verdict for a list. `isOpen`: some answer may change without notice; `isIncomplete`: something could not be read that may be
 * readable later.
 */
export type JudgedSubject = { summary: VerdictSummary; isOpen: boolean; isIncomplete: boolean }

/** The sources of a chain's block. */
export type PlaceOfFacts = { chainId: number; sources: HashSources }

type SafeOfFacts = PlaceOfFacts & { safeAddress: Address }

/** Calls that the Worker answers. */
export type WorkerCalls = {
  judge(request: VerdictRequest): Promise<JudgedSubject>
  readFact(question: { needed: NeededFact; sources: HashSources }): Promise<ReadFact>
  /** Runs a transaction over unproved state from one node. */
  simulate(need: SimulationNeed): Promise<SimulatedTransaction>
  /** Proves the configuration of a Safe while the page still reads the Safe. */
  proveEarly(safe: SafeOfFacts): Promise<void>
  /** Whether something that a run used is different at the newest block. */
  hasChanged(run: PlaceOfFacts & { run: FinishedSimulation }): Promise<boolean>
  /** Verifies every signature on a version of a policy. */
  verifyPolicy(question: { version: PolicyVersion; sources: HashSources }): Promise<VerifiedVersion>
  /** Whether the author of each name signed it; null for a contract that could not be asked. */
  areNamesSigned(question: SafeOfFacts & { names: readonly NamedAddress[] }): Promise<(boolean | null)[]>
  /** Whether the author of each ABI signed it; null as for names. */
  areAbisSigned(question: SafeOfFacts & { abis: readonly TeamAbiEntry[] }): Promise<(boolean | null)[]>
  /** Number of the block at which facts are read now. */
  newestBlock(place: PlaceOfFacts): Promise<bigint>
  /** Reads facts of a chain again, all at one block, until released. */
  holdBlock(chainId: number): void
  releaseBlock(chainId: number): void
  /** Forgets the block of a chain. Facts that are not remembered are then read at the newest block. */
  forgetBlock(chainId: number): void
  /** Gives a run priority while a review of it is open. */
  setPriority(run: { key: string; isAwaited: boolean }): void
  ping(nothing: null): void
}

/** Calls that the page answers: it has the session, the wallet, and the way to the server. */
export type PageCalls = {
  askNode(question: { chainId: number; method: string; params?: unknown[] }): Promise<unknown>
  askForHash(question: { chainId: number; blockNumber: bigint; wallet: string | null }): Promise<HashSource[]>
  findTokens(question: { chainId: number; listRevision: string; question: TokenQuestion }): Promise<ListedToken[]>
  findPrices(question: { chainId: number; currency: string; assets: readonly ('native' | Address)[] }): Promise<Prices>
}
