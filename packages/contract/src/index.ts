export {
  type ActivityDetail,
  type ActivityEntry,
  type ActivityVerb,
  activityDetails,
  activityVerbs,
  exportActivity,
  listActivity,
} from './activity.ts'
export {
  addAbi,
  listAbis,
  listNames,
  MAX_SIGNED_NAMES,
  type NamedAddress,
  nameAddress,
  removeAbi,
  removeName,
  type TeamAbiEntry,
} from './address-book.ts'
export { type Alarm, acknowledgeAlarm, listAlarms } from './alarms.ts'
export {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from './api-tokens.ts'
export { type BalancePoint, listBalanceChanges, MAX_BALANCE_POINTS } from './balances.ts'
export {
  type ChainStatus,
  listChainStatus,
  type NodeLimit,
  type NodeLimitKind,
  nodeLimitKinds,
} from './chain-status.ts'
export { callNode, readBlockHashes, rpcMethods } from './chains.ts'
export { type ClientOptions, call } from './client.ts'
export { type Chain, getConfiguration, type WalletConnectSettings } from './configuration.ts'
export { declaredEffects } from './declared-effects.ts'
export { type Endpoint, errorsOf, type Input, type Method, type Reply, scopeOf, toWire, writeWire } from './endpoint.ts'
export { errorSentences, fail } from './error-sentences.ts'
export { errorTexts } from './error-texts.ts'
export { chainErrors, type ErrorCode, errorTable, type Problem, type Retry, signatureErrors } from './errors.ts'
export { type LiveEvent, liveEvent, streamEvents } from './events.ts'
export { findFunctions } from './functions.ts'
export { type EntryKind, entryKinds, exportHistory, type HistoryEntry, listHistory, settingKinds } from './history.ts'
export {
  confirmMessage,
  deleteMessage,
  getMessage,
  listMessages,
  listSignInRequests,
  proposeMessage,
  refuseSignIn,
  type SafeMessage,
} from './messages.ts'
export { addNote, listNotes, type Note, removeNote } from './notes.ts'
export { otherServiceLimits, readOtherService, type SentSignature, sendToOtherService } from './other-service.ts'
export {
  examineInstallation,
  type Finding,
  listOutboundHosts,
  type OutboundHost,
  reloadConfiguration,
} from './outbound.ts'
export { findPayments, MAX_PAYEES_ASKED, MAX_PAYMENTS } from './payments.ts'
export {
  approvePolicy,
  discardPolicy,
  getPolicy,
  getSpentAmounts,
  type PolicyVersion,
  proposePolicy,
  withdrawPolicyEntry,
} from './policy.ts'
export {
  findPastPrices,
  findPrices,
  listPriceSources,
  MAX_MOMENTS_ASKED,
  type Price,
  type PriceFault,
  type PriceSource,
} from './prices.ts'
export { address, chainIdParam, hash, hex, line, uint256 } from './primitives.ts'
export { type AttachedPack, attachPack, getPack, listPacks, MAX_ATTACHED_PACK, removePack } from './proof-packs.ts'
export { getReviewLists, MAX_ABIS, type ReviewList } from './review-lists.ts'
export {
  type ReportedPack,
  type Reviewed,
  type ReviewReport,
  reportLimits,
  reviewed,
} from './reviewed.ts'
export { endSafeAccess, listSafeAccess, type SafeAccess } from './safe-access.ts'
export {
  addSafe,
  getSafe,
  getSafeCreation,
  listSafes,
  MAX_PAYEES,
  type Role,
  resumeReading,
  type Safe,
  type SafeOrigin,
  stopReading,
} from './safes.ts'
export {
  getSession,
  getWaitingSignIn,
  keepWaitingSignIn,
  listSessions,
  type OwnersPending,
  prepareSignIn,
  revokeOtherSessions,
  revokeSession,
  type Session,
  type SessionEnd,
  type SessionEntry,
  SIGN_IN_STATEMENT,
  sessionEnd,
  signIn,
  signOut,
} from './session.ts'
export { listSignatures, type SignedThing } from './signatures.ts'
export {
  addDelegate,
  addDelegateOfAll,
  type Delegate,
  inviteViewer,
  listDelegates,
  listIdleOwners,
  listViewers,
  removeDelegate,
  removeDelegateOfAll,
  removeViewer,
  type ViewerEntry,
} from './team.ts'
export { listDrafts, removeDraft, shareDraft, type TeamDraft } from './team-drafts.ts'
export {
  findListedTokens,
  type ListedToken,
  type ListFault,
  listFaults,
  listTokenLists,
  MAX_TOKEN_NAME_ASKED,
  MAX_TOKENS_ASKED,
  type RefusalReason,
  refusalReasons,
  type TokenListStatus,
} from './token-lists.ts'
export { type TokenScope, tokenScopes } from './token-scopes.ts'
export { listMovedListed, listTokens, type MovedToken } from './tokens.ts'
export {
  confirmTransaction,
  deleteTransaction,
  type FormerConfirmation,
  getTransaction,
  listQueue,
  type MultisigTransaction,
  type OtherProposal,
  type ProposalClaims,
  proposeTransaction,
  type QueueClaims,
  recordExecution,
  storedSafeTx,
} from './transactions.ts'
export {
  createWebhook,
  type DeliveryFailure,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookEvent,
  webhookEvents,
} from './webhooks.ts'
