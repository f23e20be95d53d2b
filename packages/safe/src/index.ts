export { erc20Abi, safeAbi } from './abi/abi.ts'
export { type ByteRange, type DecodedValue, decodeParameters } from './abi/abi-decode.ts'
export {
  type AbiParameter,
  type AbiType,
  enumNameOf,
  parseAbiSignature,
  writeAbiDeclaration,
  writeAbiSignature,
} from './abi/abi-type.ts'
export { addressWord, assertBytes, isHexWithin, showValue, uintWord } from './abi/abi-word.ts'
export { readBounded } from './chain/bounded-reads.ts'
export { callContract, isRevert } from './chain/call-contract.ts'
export { type Code, readCodes } from './chain/codes.ts'
export { MAX_NAMED_ACCOUNTS, type NameRegistry, readPrimaryNames, readRegisteredName } from './chain/registered-name.ts'
export {
  type Deployment,
  deploymentAt,
  isDelegatecallAllowed,
  isDelegatecallLibrary,
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
  type DescriptorRegistry,
  describedFunction,
  describedFunctions,
  type FormFunction,
  loadDescriptorRegistry,
  type NamedValues,
  namesAt,
} from './descriptors/registry.ts'
export { CountersignError, failWith, type Sentences } from './error.ts'
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
  findExecutableInTurn,
  groupQueue,
  isWaitingFor,
  type NonceGroup,
  nextFreeNonce,
} from './queue.ts'
export { findGsCode } from './safe/gs-codes.ts'
export { guessSafeState } from './safe/guessed-safe.ts'
export { describeRevertReason, explainRevert, type RevertExplanation, revertReasons } from './safe/revert-reasons.ts'
export {
  decodeSafeCreation,
  encodeCreateProxy,
  encodeProxyCreation,
  type NewSafeRelease,
  newSafeReleases,
  predictProxyAddress,
  predictSafeAddress,
  type SafeCreation,
} from './safe/safe-creation.ts'
export { decodeSafeEvent, type EventLog, safeEventTopics } from './safe/safe-events.ts'
export { encodeSetup, encodeSetupToL2 } from './safe/safe-setup.ts'
export {
  domainVersion,
  isBoundToChain,
  type RpcRequest,
  readSafeState,
  type SafeState,
  SETTING_SLOTS,
} from './safe/safe-state.ts'
export { isVersionBefore } from './safe/safe-version.ts'
export { limitModules, readSpendingLimits, type SpendingLimit } from './safe/spending-limits.ts'
export { type CreationCall, describeUndeployedSafe, MAX_CREATION_BYTES } from './safe/undeployed-safe.ts'
export { isSameAddress } from './same-address.ts'
export { checkSignatures, type SignatureCheck, type SignatureFacts } from './signing/check-signatures.ts'
export { type Confirmation, MAX_CONFIRMATIONS, recoverConfirmation } from './signing/confirmation.ts'
export {
  canConfirmAsNestedSafe,
  contractQuestion,
  decodeContractAnswer,
  encodeContractQuestion,
  messageQuestionData,
  nestedContentForSafeMessage,
  nestedContentForSafeTx,
} from './signing/contract-signature.ts'
export { formatHashForDevice } from './signing/device-format.ts'
export { independentCommands } from './signing/independent-check.ts'
export {
  boundMessageWork,
  describeTypedData,
  messageLimits,
  parseMessageContent,
  parseMessageContentInSteps,
  type TypedDataField,
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
export { parseSafeTxFile, writeSafeTxFile } from './signing/safe-tx-file.ts'
export {
  parseSignInMessage,
  type SignInMessage,
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
export { countSignatures, decodeSignatures, encodeSignatures, splitSignatures } from './signing/signatures.ts'
export { encodeType, HASH_BLOCK_BYTES, type Steps } from './signing/typed-data-hash.ts'
export { MAX_ITEM_URI_BYTES, readItemUri } from './tokens/item-uris.ts'
export {
  type CollectionReading,
  readItems,
  readTokenBalances,
  readTokenNames,
  readTokens,
  type TokenItem,
  type TokenReading,
} from './tokens/token-readings.ts'
export { isUnlimited } from './tokens/unlimited.ts'
export { parsePrice, valueByPrice } from './tokens/value-by-price.ts'
