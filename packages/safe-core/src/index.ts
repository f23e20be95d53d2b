export {
  erc20Abi,
  multiSendAbi,
  safeAbi,
} from './abi/abi.ts'
export {
  type AbiProblem,
  type ByteRange,
  type DecodedParameters,
  type DecodedValue,
  decodeParameters,
} from './abi/abi-decode.ts'
export {
  type AbiParameter,
  type AbiSignature,
  type AbiType,
  enumNameOf,
  parseAbiSignature,
  writeAbiDeclaration,
  writeAbiSignature,
} from './abi/abi-type.ts'
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
export type { CallArgument } from './calls/call-argument.ts'
export {
  argumentAddresses,
  type Call,
  type CalledContracts,
  type CallIssue,
  type CallIssueId,
  type CallKind,
  type CallProblem,
  callIssueKinds,
  DECODE_BUDGET,
  type DescribedCall,
  describeCall,
  flattenCalls,
  type GivenAbi,
  type ProxyCode,
} from './calls/calldata.ts'
export type { Command } from './calls/commands.ts'
export { type CowOrder, cowSettlement, hashCowOrder, parseCowOrder, parseOrderUid } from './calls/cow-order.ts'
export { decodeExecTransaction, encodeExecTransaction } from './calls/execution.ts'
export { executionSize, MAX_TRANSACTION_BYTES } from './calls/execution-size.ts'
export {
  type Alternative,
  type FunctionFamily,
  type FunctionSource,
  type KnownFunction,
  listedFunctions,
} from './calls/functions.ts'
export { parseGivenAbi, parseGivenAbiJson, parseGivenFunctions, writeAbiJson } from './calls/given-abi.ts'
export { type BatchedCall, decodeMultiSend, encodeMultiSend } from './calls/multi-send.ts'
export { type NamedNumber, namedNumbers } from './calls/named-numbers.ts'
export { callContract } from './chain/call-contract.ts'
export { readCodes } from './chain/codes.ts'
export {
  MAX_NAMED_ACCOUNTS,
  type NameRegistry,
  type RegisteredName,
  readPrimaryNames,
  readRegisteredName,
} from './chain/registered-name.ts'
export {
  type EncodedCall,
  encodeTypedCall,
  type TypedValue,
  type ValueProblem,
  type ValueProblemReason,
} from './compose/call-values.ts'
export {
  type ComposedDraft,
  type ComposedIntent,
  type ComposingSafe,
  composeCalls,
  composeSafeTx,
  libraryCandidates,
} from './compose/compose-calls.ts'
export { type ContractFit, type ContractRole, readContractFit } from './compose/contract-fit.ts'
export type {
  Intent,
  IntentProblem,
  IntentProblemReason,
  LimitIntent,
  PaymentIntent,
  SettingsIntent,
  UpgradeIntent,
  UpgradeVersion,
} from './compose/intent.ts'
export { paymentCall, paymentProblems } from './compose/payment-call.ts'
export type { ComposedSettings } from './compose/settings-after.ts'
export { newSigningOnChain } from './compose/sign-message-call.ts'
export {
  type BatchLimits,
  batchLimits,
  type MeasuredPayments,
  type PaymentBatch,
  splitPayments,
} from './compose/split-payments.ts'
export {
  parseTransactionBuilderFile,
  type TransactionBuilderFile,
  writeTransactionBuilderFile,
} from './compose/transaction-builder.ts'
export { upgradeTarget, upgradeVersions } from './compose/upgrade-call.ts'
export {
  type Deployment,
  type DeploymentKind,
  deploymentAt,
  isDelegatecallLibrary,
  knownDelegatecallTarget,
  listedChains,
  lookupDeployment,
  officialDeployment,
  officialDeployments,
  officialProxyVersion,
  officialSingleton,
} from './deployments/deployments.ts'
export { verifiedAttestations } from './descriptors/attestations.ts'
export {
  type DescribedFunction,
  type Descriptor,
  type DescriptorRegistry,
  describedFunction,
  describedFunctions,
  type FormFunction,
  loadDescriptorRegistry,
  type NamedValues,
  namesAt,
  type SignedAttestation,
} from './descriptors/registry.ts'
export { approvalLine, assetLine, coveredEffects, slotLine } from './effects/compare-effects.ts'
export {
  type ApprovalLeft,
  type AssetChange,
  type DeclaredEffects,
  type EffectPart,
  type Effects,
  effectLimits,
  effectParts,
  effectsTypedData,
  isOfAuthor,
  type ObservedEffects,
  type SlotChange,
} from './effects/declared-effects.ts'
export { countedBalances } from './effects/effects-by-run.ts'
export { type EffectsFile, type EffectsFilePlace, writeEffectsJson } from './effects/effects-file.ts'
export { writeEffectsMarkdown } from './effects/effects-markdown.ts'
export { parseEffectsFile } from './effects/files.ts'
export { observeEffects } from './effects/observed-effects.ts'
export { type NamedSlot, nameSlots, type SafeSlotName } from './effects/safe-slots.ts'
export { CountersignError, failWith, fillSentence, type Sentences, sentenceOf } from './error.ts'
export { coreSentences } from './error-sentences.ts'
export {
  compareWithReceipt,
  type Execution,
  type ExecutionReceipt,
  parseExecutionReceipt,
  type ReceiptDifference,
} from './executed/execution-receipt.ts'
export { readExecution } from './executed/read-execution.ts'
export { type ExaminedExecution, examineExecution } from './executed/run-again.ts'
export { HIDDEN_CHARACTER } from './hidden-characters.ts'
export {
  canCancel,
  canConfirm,
  canDelete,
  canExecute,
  canPropose,
  canReplace,
  type Delegation,
  isCancellation,
  newApproval,
  newCancellation,
  type Permission,
} from './permissions.ts'
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
export { type PolicySignature, policySigners } from './policy/policy-signatures.ts'
export {
  type PolicyOwners,
  type PolicyStanding,
  policyApprovalsRequired,
  policyStanding,
} from './policy/policy-standing.ts'
export {
  type AssetAmounts,
  amountOf,
  amountsByNonce,
  sumAmounts,
  UNTOLD_AMOUNT,
} from './policy/queued-amounts.ts'
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
export { EMPTY_ROOT } from './proof/trie.ts'
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
export {
  countConfirmations,
  findExecutable,
  findExecutableInTurn,
  groupQueue,
  isWaitingFor,
  type NonceGroup,
  nextFreeNonce,
  type QueuedTransaction,
} from './queue.ts'
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
} from './review/acknowledgements.ts'
export { type Approval, approvalsOf, approvedHash, MAX_APPROVAL_DEPTH, MAX_APPROVALS } from './review/approvals.ts'
export {
  type CheckId,
  checkIds,
  type FindingId,
  findingCatalogue,
  type Severity,
  type Way,
} from './review/catalogue.ts'
export type { ExecutedAmount } from './review/facts/assets/executed-amounts.ts'
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
} from './review/facts/collect.ts'
export { readImplementation } from './review/facts/contracts/implementations.ts'
export type { ChainReader } from './review/facts/fact.ts'
export {
  createFactReader,
  type FactReader,
  factsOf,
  isOfOneBlock,
  provenanceOf,
  type ReadFact,
} from './review/facts/proved-fact.ts'
export type { Simulate, SimulationNeed } from './review/facts/simulate.ts'
export { skeletonOf } from './review/findings/addresses/confusables.ts'
export { maximumRefund } from './review/findings/assets/refund.ts'
export { reviewReturnedSignature } from './review/findings/signatures/signatures.ts'
export { type ExecutedRun, executedRun, finishedRun, isExecuted } from './review/findings/simulation/finished.ts'
export { assetsExchanged } from './review/findings/simulation/worth.ts'
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
} from './review/given.ts'
export type { CreationInput, MessageInput, ReviewInput, SignedInput, SubjectInput } from './review/input.ts'
export { type ContentReview, reviewSafeMessage } from './review/kinds/message-content.ts'
export { imitatedToken } from './review/listed-tokens.ts'
export {
  type ClaimedExecution,
  isProvedPayment,
  payeesOf,
  readSignedPayment,
  type SignedPayment,
} from './review/payees.ts'
export type { Provenance } from './review/provenance.ts'
export { prepareReview, reviewCreation, reviewMessage, reviewSafeTx, reviewSubject } from './review/review.ts'
export {
  hashCreation,
  hashSubject,
  ownerQuestionOf,
  type SubjectHashes,
  subjectTypedData,
  wrongHashesOf,
} from './review/subject.ts'
export { codeTargets, counterpartiesOf, describeTransaction } from './review/targets.ts'
export { questionKeys, type TokenQuestion, tokenKeys, tokenQuestion } from './review/token-question.ts'
export {
  type Check,
  type CheckScope,
  type Code,
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
} from './review/types.ts'
export { describeGsCode, findGsCode, type GsCode, gsCodes } from './safe/gs-codes.ts'
export { guessSafeState } from './safe/guessed-safe.ts'
export {
  describeRevertReason,
  explainRevert,
  type RevertExplanation,
  type RevertReason,
  revertSentences,
} from './safe/revert-reasons.ts'
export {
  type CreationMethod,
  decodeSafeCreation,
  encodeCreateProxy,
  encodeProxyCreation,
  type NewSafe,
  type NewSafeRelease,
  type NewSafeVersion,
  newSafeReleases,
  type ProxyCreation,
  type ProxyFactory,
  predictProxyAddress,
  predictSafeAddress,
  type SafeCreation,
  type SetupContracts,
  setupContracts,
} from './safe/safe-creation.ts'
export {
  decodeSafeEvent,
  type EventLog,
  type SafeEvent,
  type SafeEventName,
  safeEventTopics,
} from './safe/safe-events.ts'
export { type HealthPoint, healthAddresses, safeHealth } from './safe/safe-health.ts'
export {
  decodeSetup,
  describeSetupAction,
  encodeSetup,
  encodeSetupToL2,
  type SafeSetup,
  type SafeSetupFields,
  type SetupAction,
  type SetupLayout,
} from './safe/safe-setup.ts'
export {
  domainVersion,
  isBoundToChain,
  type RpcRequest,
  readSafeState,
  type SafeState,
} from './safe/safe-state.ts'
export { isVersionBefore } from './safe/safe-version.ts'
export { limitModules, readSpendingLimits, type SpendingLimit, type SpendingLimits } from './safe/spending-limits.ts'
export {
  type CreationCall,
  describeUndeployedSafe,
  MAX_CREATION_BYTES,
  type UndeployedSafe,
} from './safe/undeployed-safe.ts'
export type { Lookout } from './service/service-answers.ts'
export { parseServiceDelegates, type ServiceDelegate } from './service/service-delegates.ts'
export { parseServiceMessages, type ServiceMessage, type ServiceMessages } from './service/service-messages.ts'
export {
  parseServiceQueue,
  type ServiceProposal,
  type ServiceQueue,
  type UnusableProposal,
} from './service/service-queue.ts'
export {
  type DelegateRequest,
  type DeleteRequest,
  delegateHashes,
  delegateTextHashes,
  delegateTypedData,
  deleteRequestHashes,
  deleteRequestTypedData,
  serviceHour,
} from './service/service-requests.ts'
export {
  CONTRACT_SIGNATURE_BUDGET,
  checkSignatures,
  type RefusalCode,
  type SignatureCheck,
  type SignatureFacts,
} from './signing/check-signatures.ts'
export { type Confirmation, recoverConfirmation } from './signing/confirmation.ts'
export {
  type ContractAnswer,
  type ContractQuestion,
  canConfirmAsNestedSafe,
  contractQuestion,
  decodeContractAnswer,
  encodeContractQuestion,
  messageQuestionData,
  nestedContentForSafeMessage,
  nestedContentForSafeTx,
} from './signing/contract-signature.ts'
export { type DeviceLetterCase, formatHashForDevice, groupHash, isHashFromDevice } from './signing/device-format.ts'
export { type IndependentCommand, independentCommands } from './signing/independent-check.ts'
export {
  boundMessageWork,
  describeTypedData,
  messageLimits,
  parseMessageContent,
  parseMessageContentInSteps,
  type TypedDataField,
  type TypedDataReading,
  unsignedPaths,
  writeMessageFile,
} from './signing/message-content.ts'
export {
  encodeMessageContent,
  encodeSafeMessagePreimage,
  hashSafeMessage,
  type MessageContent,
  type MessageTypedData,
  parseMessageText,
  type SafeMessageContext,
  type SafeMessageHashes,
  safeMessageTypedData,
} from './signing/safe-message.ts'
export {
  encodeSafeTxPreimage,
  hashSafeDomain,
  hashSafeTx,
  newSafeTx,
  type SafeTx,
  type SafeTxContext,
  type SafeTxHashes,
  safeTxHasher,
  safeTxTypedData,
} from './signing/safe-tx.ts'
export { parseSafeTxFile, type SafeTxFile, writeSafeTxFile } from './signing/safe-tx-file.ts'
export {
  parseSignInMessage,
  type SignInMessage,
  type SignInMessageField,
  signInMessageTimeliness,
  writeSignInMessage,
} from './signing/sign-in-message.ts'
export {
  contractSignatureBytes,
  encodeApprovedHash,
  encodeContractSignature,
  expandCompactSignature,
  normalizeEthSignature,
  normalizeSignature,
  type ParsedSignature,
  parseSignature,
  type SignatureType,
} from './signing/signature.ts'
export {
  countSignatures,
  type DecodedSignatures,
  decodeSignatures,
  encodeSignatures,
  type SignaturesProblem,
  type SignaturesProblemCode,
  splitSignatures,
} from './signing/signatures.ts'
export {
  calldataDigest,
  type DeviceDisplay,
  type DevicePart,
  type DeviceScreen,
  type DeviceSource,
  deviceScreen,
  deviceScreenOfMessage,
  type SigningDevice,
} from './signing/signing-device.ts'
export { signingDevice, signingDevices } from './signing/signing-devices.data.ts'
export { HASH_BLOCK_BYTES, runSteps, type Steps } from './signing/typed-data-hash.ts'
export { type FactGrade, lowestGrade } from './simulation/fact-grade.ts'
export { excessGas, gasToOffer, MAX_TRANSACTION_GAS, mostGas } from './simulation/gas-to-offer.ts'
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
export { type TransactionStatus, transactionStatus } from './status.ts'
export { type ItemUri, MAX_ITEM_URI_BYTES, readItemUri } from './tokens/item-uris.ts'
export {
  type CollectionReading,
  readItems,
  readTokens,
  type TokenItem,
  type TokenReading,
  type UnreadBalance,
} from './tokens/token-readings.ts'
export { isUnlimited } from './tokens/unlimited.ts'
export { parsePrice, valueByPrice } from './tokens/value-by-price.ts'
