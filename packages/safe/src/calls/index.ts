export type { CallArgument } from './call-argument.ts'
export {
  type Call,
  type CallIssue,
  type CallKind,
  callIssueKinds,
  DECODE_BUDGET,
  type DescribedCall,
  describeCall,
  flattenCalls,
  type GivenAbi,
  type ProxyCode,
} from './calldata.ts'
export type { Command } from './commands.ts'
export { type CowOrder, cowSettlement, hashCowOrder, orderOf, parseCowOrder } from './cow-order.ts'
export { decodeExecTransaction, encodeExecTransaction } from './execution.ts'
export { executionSize, MAX_TRANSACTION_BYTES } from './execution-size.ts'
export { decodeCalldata, type FunctionFamily, type KnownFunction, knownFunction, listedFunctions } from './functions.ts'
export { gasToOffer, MAX_TRANSACTION_GAS, mostGas } from './gas-to-offer.ts'
export { parseGivenAbi, parseGivenAbiJson, parseGivenFunctions, writeAbiJson } from './given-abi.ts'
export { isCallLike } from './inner-calls.ts'
export { knownFunctions } from './known-functions.ts'
export { type BatchedCall, decodeMultiSend, encodeMultiSend } from './multi-send.ts'
