export { accountsNamed, addressesNamed, addressesWhere, type CallArgument, isWrittenAs } from './call-argument.ts'
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
  placedAddresses,
} from './calldata.ts'
export type { Command } from './commands.ts'
export { type CowOrder, cowSettlement, hashCowOrder, orderOf, parseCowOrder, parseOrderUid } from './cow-order.ts'
export { decodeExecTransaction, encodeExecTransaction } from './execution.ts'
export { executionSize, MAX_TRANSACTION_BYTES } from './execution-size.ts'
export {
  type Alternative,
  decodeCalldata,
  type FunctionFamily,
  type FunctionSource,
  type KnownFunction,
  knownFunction,
  listedFunctions,
} from './functions.ts'
export { gasToOffer, MAX_TRANSACTION_GAS, mostGas } from './gas-to-offer.ts'
export { parseGivenAbi, parseGivenAbiJson, parseGivenFunctions, writeAbiJson } from './given-abi.ts'
export { isCallLike } from './inner-calls.ts'
export { knownFunctions } from './known-functions.ts'
export { type BatchedCall, decodeMultiSend, encodeMultiSend, isMultiSend } from './multi-send.ts'
export { type NamedNumber, namedNumbers } from './named-numbers.ts'
export { isOpenToAll } from './open-callers.ts'
