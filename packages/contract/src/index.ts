export {
  type ChainStatus,
  listChainStatus,
  type NodeLimit,
  type NodeLimitKind,
  nodeLimitKinds,
} from './chains/chain-status.ts'
export { callNode, readBlockHashes, rpcMethods } from './chains/chains.ts'
export { type Chain, getConfiguration, type WalletConnectSettings } from './chains/configuration.ts'
export { findFunctions } from './chains/functions.ts'
export {
  examineInstallation,
  type Finding,
  listOutboundHosts,
  type OutboundHost,
  reloadConfiguration,
} from './chains/outbound.ts'
export {
  findPastPrices,
  findPrices,
  listPriceSources,
  MAX_MOMENTS_ASKED,
  type Price,
  type PriceFault,
  type PriceSource,
} from './chains/prices.ts'
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
} from './chains/token-lists.ts'
export { errorSentences, fail } from './errors/error-sentences.ts'
export { errorTexts } from './errors/error-texts.ts'
export { chainErrors, type ErrorCode, errorTable, type Problem, type Retry, signatureErrors } from './errors/errors.ts'
export {
  type ActivityDetail,
  type ActivityEntry,
  type ActivityVerb,
  activityDetails,
  activityVerbs,
  exportActivity,
  listActivity,
} from './safes/activity.ts'
export { type Alarm, acknowledgeAlarm, listAlarms } from './safes/alarms.ts'
export { type BalancePoint, listBalanceChanges, MAX_BALANCE_POINTS } from './safes/balances.ts'
export {
  type EntryKind,
  entryKinds,
  exportHistory,
  type HistoryEntry,
  listHistory,
  settingKinds,
} from './safes/history.ts'
export { findPayments, MAX_PAYEES_ASKED, MAX_PAYMENTS } from './safes/payments.ts'
export { endSafeAccess, listSafeAccess, type SafeAccess } from './safes/safe-access.ts'
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
} from './safes/safes.ts'
export { listMovedListed, listTokens, type MovedToken } from './safes/tokens.ts'
export {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
} from './session/api-tokens.ts'
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
} from './session/session.ts'
export { declaredEffects } from './signing/declared-effects.ts'
export {
  confirmMessage,
  deleteMessage,
  getMessage,
  listMessages,
  listSignInRequests,
  proposeMessage,
  refuseSignIn,
  type SafeMessage,
} from './signing/messages.ts'
export {
  otherServiceLimits,
  readOtherService,
  type SentSignature,
  sendToOtherService,
} from './signing/other-service.ts'
export {
  type AttachedPack,
  attachPack,
  getPack,
  listPacks,
  MAX_ATTACHED_PACK,
  removePack,
} from './signing/proof-packs.ts'
export { getReviewLists, MAX_ABIS, type ReviewList } from './signing/review-lists.ts'
export {
  type ReportedPack,
  type Reviewed,
  type ReviewReport,
  reportLimits,
  reviewed,
} from './signing/reviewed.ts'
export { listSignatures, type SignedThing } from './signing/signatures.ts'
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
} from './signing/transactions.ts'
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
} from './team/address-book.ts'
export { addNote, listNotes, type Note, removeNote } from './team/notes.ts'
export {
  approvePolicy,
  discardPolicy,
  getPolicy,
  getSpentAmounts,
  type PolicyVersion,
  proposePolicy,
  withdrawPolicyEntry,
} from './team/policy.ts'
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
} from './team/team.ts'
export { listDrafts, removeDraft, shareDraft, type TeamDraft } from './team/team-drafts.ts'
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
} from './team/webhooks.ts'
export { type ClientOptions, call } from './wire/client.ts'
export {
  type Endpoint,
  errorsOf,
  type Input,
  type Method,
  type Reply,
  scopeOf,
  toWire,
  writeWire,
} from './wire/endpoint.ts'
export { type LiveEvent, liveEvent, streamEvents } from './wire/events.ts'
export { address, chainIdParam, hash, hex, line, uint256 } from './wire/primitives.ts'
export { type TokenScope, tokenScopes } from './wire/token-scopes.ts'
