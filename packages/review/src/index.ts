export {
  type Acknowledgement,
  type Demand,
  type Demanding,
  demandsOf,
  isClosed,
  isReason,
  isTypedRight,
  meets,
  stillOpen,
} from './acknowledgements.ts'
export { addressEnds, isAlikeAddress } from './alike-address.ts'
export {
  type AliveMessage,
  type AliveTransaction,
  type CountingSafe,
  findAliveMessages,
  findAliveTransactions,
  groupAlive,
  isCompletedBy,
  type Reach,
} from './alive/alive.ts'
export { type AliveTogether, findAliveTogether, type Together } from './alive/alive-together.ts'
export { type GivenSignature, verifyGiven } from './alive/given-signatures.ts'
export { neededForSignatures, type SignedHash, withOwnApprovals } from './alive/needed-facts.ts'
export { type Approval, approvalsOf, approvedHash, MAX_APPROVAL_DEPTH, MAX_APPROVALS } from './approvals.ts'
export { type CheckId, checkIds, type FindingId, findingCatalogue, type Severity, type Way } from './catalogue.ts'
export { approvalLine, assetLine, coveredEffects, slotLine } from './effects/compare-effects.ts'
export {
  type ApprovalLeft,
  type AssetChange,
  type DeclaredEffects,
  type EffectPart,
  type Effects,
  effectLimits,
  effectParts,
  type ObservedEffects,
  type SlotChange,
} from './effects/declared-effects.ts'
export { countedBalances } from './effects/effects-by-run.ts'
export { type EffectsFile, type EffectsFilePlace, writeEffectsJson } from './effects/effects-file.ts'
export { writeEffectsMarkdown } from './effects/effects-markdown.ts'
export { parseEffectsFile } from './effects/files.ts'
export { observeEffects } from './effects/observed-effects.ts'
export { type NamedSlot, nameSlots, type SafeSlotName } from './effects/safe-slots.ts'
export { effectsTypedData, isOfAuthor } from './effects/sign-effects.ts'
export {
  type EvidenceItem,
  type EvidenceName,
  type EvidenceOf,
  evidenceItem,
  evidenceItems,
  written,
  writtenEvidence,
} from './evidence.ts'
export {
  compareWithReceipt,
  type Execution,
  type ExecutionReceipt,
  parseExecutionReceipt,
  type ReceiptDifference,
} from './executed/execution-receipt.ts'
export { readExecution } from './executed/read-execution.ts'
export { type ExaminedExecution, examineExecution } from './executed/run-again.ts'
export type { ExecutedAmount } from './facts/assets/executed-amounts.ts'
export {
  collectFacts,
  configurationFact,
  type FactId,
  type Facts,
  isFactOpen,
  type NeededFact,
  neededFacts,
  readFact,
  toFacts,
} from './facts/collect.ts'
export { readImplementation } from './facts/contracts/implementations.ts'
export type { ChainReader } from './facts/fact.ts'
export {
  createFactReader,
  type FactReader,
  factsOf,
  isOfOneBlock,
  provenanceOf,
  type ReadFact,
} from './facts/proved-fact.ts'
export type { Simulate, SimulationNeed } from './facts/simulate.ts'
export { skeletonOf } from './findings/addresses/confusables.ts'
export { maximumRefund } from './findings/assets/refund.ts'
export { reviewReturnedSignature } from './findings/signatures/signatures.ts'
export { type ExecutedRun, executedRun, finishedRun, isExecuted } from './findings/simulation/finished.ts'
export { assetsExchanged } from './findings/simulation/worth.ts'
export type {
  CreationGiven,
  CreationSubject,
  Given,
  MessageGiven,
  MessageSubject,
  Prices,
  RemovedOwner,
  SignedSubject,
  Subject,
  TransactionGiven,
  TransactionSubject,
} from './given.ts'
export type { CreationInput, MessageInput, ReviewInput, SignedInput, SubjectInput } from './input.ts'
export { type ContentReview, reviewSafeMessage } from './kinds/message-content.ts'
export { type ClaimedExecution, isProvedPayment, payeesOf, readSignedPayment, type SignedPayment } from './payees.ts'
export { evaluatePolicy, type PolicyEvaluation } from './policy/evaluate-policy.ts'
export { nextPolicy, POLICY_BOUNDS, parsePolicy, writePolicy } from './policy/parse-policy.ts'
export type { Implementation, PolicyCodes } from './policy/policy-cover.ts'
export {
  type PolicyRollback,
  type PolicyState,
  policyInForce,
  rememberedPolicy,
  type SeenPolicy,
  type ServedPolicy,
} from './policy/policy-in-force.ts'
export {
  type BrokenRule,
  brokenMessageRules,
  isNeverRestricted,
  type PolicyRuleId,
  policyRuleIds,
  type RestrictedTransaction,
} from './policy/policy-rules.ts'
export { type PolicySignature, policySigners, verifyPolicySignatures } from './policy/policy-signatures.ts'
export {
  type PolicyOwners,
  type PolicyStanding,
  policyApprovalsRequired,
  policyStanding,
} from './policy/policy-standing.ts'
export { type AssetAmounts, amountOf, amountsByNonce, sumAmounts, UNTOLD_AMOUNT } from './policy/queued-amounts.ts'
export {
  abiTypedData,
  type EndorsedAbi,
  type EndorsedName,
  hashAbi,
  hashName,
  nameTypedData,
} from './policy/signed-entry.ts'
export { spentAmounts } from './policy/spent-amounts.ts'
export {
  type AllowEntry,
  type AllowEntryKind,
  type AmountLimit,
  type AssetAmount,
  allowEntryKinds,
  hashAllowEntry,
  hashPolicy,
  hashWithdrawal,
  type PolicyPlace,
  type PolicyWithdrawal,
  policyTypedData,
  type RequiredReviewer,
  type SpentAmount,
  type TeamPolicy,
  withdrawalTypedData,
} from './policy/team-policy.ts'
export {
  EMPTY_CODE_HASH,
  type ProvedAccount,
  type ProvedStorage,
  readAccountProof,
  readProvedCode,
} from './proof/account-proof.ts'
export { forkOfFields, type Header, parseBlockHeader, parseRawHeader } from './proof/header.ts'
export { createProvedReader, type KeptProof, type ProvedReader } from './proof/proved-reader.ts'
export { createProvedRequest, type OnGrade } from './proof/proved-request.ts'
export {
  type AskSources,
  gradeOf,
  type HashSource,
  judgeSources,
  readVouchedBlock,
  type VouchedBlock,
  type Vouching,
} from './proof/vouched-block.ts'
export { type Examined, examine, type PackEngine, type PackSubject } from './proof-pack/examine-pack.ts'
export {
  comparePacks,
  compareReviews,
  type PackDifference,
  type PackPart,
  packParts,
} from './proof-pack/pack-differences.ts'
export { MAX_PROOF_PACK, parseProofPack, writeProofPack } from './proof-pack/pack-file.ts'
export { openPack, type PackNode } from './proof-pack/pack-node.ts'
export type { PackedPolicy, PackedReview, ProofPack } from './proof-pack/proof-pack.ts'
export type { Provenance } from './provenance.ts'
export { prepareReview, reviewCreation, reviewMessage, reviewSafeTx, reviewSubject } from './review.ts'
export { excessGas } from './simulation/excess-gas.ts'
export { type FactGrade, lowestGrade } from './simulation/fact-grade.ts'
export { otherMachine } from './simulation/other-machine.ts'
export { signedConfirmations, withoutContracts } from './simulation/signed-confirmations.ts'
export type {
  ActivatedSafe,
  ApprovalChange,
  BalanceChange,
  CallAnswer,
  CallFailure,
  CallPart,
  CallPath,
  CrossCheck,
  FinishedSimulation,
  LessLater,
  MovedOtherwise,
  NodeMethod,
  NodeSimulation,
  PinnedBlock,
  SimulatedCall,
  SimulatedLog,
  SimulatedTransaction,
  SimulationAssumptions,
  SimulationCost,
  SimulationGap,
  SimulationOutcome,
  SimulationResult,
  Touched,
  UnfinishedReason,
  UnfinishedSimulation,
} from './simulation/simulation-result.ts'
export type { CallRun, RunCall, SafeTxRun, SimulationLimits, SimulationRun } from './simulation/simulation-run.ts'
export { digestState, type StateOfAccount } from './simulation/state-digest.ts'
export type {
  AccountAnswer,
  AccountFacts,
  AccountQuestion,
  BlockHeader,
  HeaderFork,
  StateAnswers,
  StateQuestions,
  StateReader,
} from './simulation/state-reader.ts'
export {
  hashCreation,
  hashSubject,
  type SubjectHashes,
  subjectTypedData,
  wrongHashesOf,
} from './subject.ts'
export { codeTargets, counterpartiesOf, describeTransaction } from './targets.ts'
export { imitatedToken } from './tokens/listed-tokens.ts'
export { questionKeys, tokenKeys } from './tokens/token-keys.ts'
export { type TokenQuestion, tokenQuestion } from './tokens/token-question.ts'
export {
  type Check,
  type CheckScope,
  type CreationReview,
  type Effect,
  type EffectKey,
  effectKeys,
  type Finding,
  type GradedPart,
  type MessageReview,
  type MessageReviewInput,
  type NestedReview,
  type Review,
  type ReviewedConfirmation,
  type SafeConfiguration,
  type SignedReview,
  type SubjectReview,
  type Token,
  type Verdict,
  type Where,
} from './types.ts'
