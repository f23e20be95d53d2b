export { erc20Abi, multiSendAbi, safeAbi } from './abi/abi.ts'
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
export { addressWord, assertBytes, isBytes, showValue, uintWord } from './abi/abi-word.ts'
export { readBounded } from './chain/bounded-reads.ts'
export { callContract, isRevert } from './chain/call-contract.ts'
export { type Code, readCodes } from './chain/codes.ts'
export {
  MAX_NAMED_ACCOUNTS,
  type NameRegistry,
  type RegisteredName,
  readPrimaryNames,
  readRegisteredName,
} from './chain/registered-name.ts'
export { type DecodedNodes, decode, EMPTY_ROOT, isHexWithin, readTrie } from './chain/trie.ts'
export {
  type Deployment,
  type DeploymentKind,
  deploymentAt,
  isDelegatecallAllowed,
  isDelegatecallLibrary,
  knownDelegatecallTarget,
  listedChains,
  listsTaken,
  lookupDeployment,
  officialDeployment,
  officialDeployments,
  officialProxyVersion,
  officialSingleton,
} from './deployments/deployments.ts'
export { proxies } from './deployments/proxy-code.data.ts'
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
export { CountersignError, failWith, fillSentence, type Sentences, sentenceOf } from './error.ts'
export { coreSentences, fail } from './error-sentences.ts'
export { HIDDEN_CHARACTER } from './hidden-characters.ts'
export { isRecord, parseJson } from './json.ts'
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
  GUARD_SLOT,
  HANDLER_SLOT,
  isBoundToChain,
  MODULE_GUARD_SLOT,
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
export { isSameAddress, isZeroAddress } from './same-address.ts'
export {
  CONTRACT_SIGNATURE_BUDGET,
  checkSignatures,
  type RefusalCode,
  type SignatureCheck,
  type SignatureFacts,
} from './signing/check-signatures.ts'
export { type Confirmation, MAX_CONFIRMATIONS, recoverConfirmation } from './signing/confirmation.ts'
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
export { parseTime } from './signing/rfc-3339.ts'
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
  signatureTypeOf,
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
export { type TransactionStatus, transactionStatus } from './status.ts'
export { type ItemUri, MAX_ITEM_URI_BYTES, readItemUri } from './tokens/item-uris.ts'
export { decodeWord } from './tokens/token-claims.ts'
export {
  type CollectionReading,
  readItems,
  readTokenBalances,
  readTokenNames,
  readTokens,
  type TokenItem,
  type TokenReading,
  type UnreadBalance,
} from './tokens/token-readings.ts'
export { isUnlimited } from './tokens/unlimited.ts'
export { parsePrice, valueByPrice } from './tokens/value-by-price.ts'
