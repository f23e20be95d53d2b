export {
  type EncodedCall,
  encodeTypedCall,
  type TypedValue,
  type ValueProblem,
  type ValueProblemReason,
} from './call-values.ts'
export {
  type ComposedDraft,
  type ComposedIntent,
  type ComposingSafe,
  composeCalls,
  composeSafeTx,
  libraryCandidates,
} from './compose-calls.ts'
export { type ContractFit, type ContractRole, readContractFit } from './contract-fit.ts'
export type {
  Intent,
  IntentProblem,
  IntentProblemReason,
  LimitIntent,
  PaymentIntent,
  SettingsIntent,
  UpgradeIntent,
  UpgradeVersion,
} from './intent.ts'
export { paymentCall, paymentProblems } from './payment-call.ts'
export type { ComposedSettings } from './settings-after.ts'
export { newSigningOnChain } from './sign-message-call.ts'
export {
  type BatchLimits,
  batchLimits,
  type MeasuredPayments,
  type PaymentBatch,
  splitPayments,
} from './split-payments.ts'
export {
  parseTransactionBuilderFile,
  type TransactionBuilderFile,
  writeTransactionBuilderFile,
} from './transaction-builder.ts'
export { upgradeTarget, upgradeVersions } from './upgrade-call.ts'
