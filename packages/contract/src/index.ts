// Endpoints, by subject, with their schemas and limits.
export * from './chains/chain-status.ts'
export * from './chains/chains.ts'
export * from './chains/configuration.ts'
export * from './chains/functions.ts'
export * from './chains/outbound.ts'
export * from './chains/prices.ts'
export * from './chains/token-lists.ts'
export { errorSentences, fail } from './errors/error-sentences.ts'
export { errorTexts } from './errors/error-texts.ts'
export { chainErrors, type ErrorCode, errorTable, type Problem, type Retry, signatureErrors } from './errors/errors.ts'
export * from './safes/activity.ts'
export * from './safes/alarms.ts'
export * from './safes/balances.ts'
export * from './safes/history.ts'
export * from './safes/payments.ts'
export * from './safes/safe-access.ts'
export * from './safes/safes.ts'
export * from './safes/tokens.ts'
export * from './session/api-tokens.ts'
export * from './session/session.ts'
export * from './signing/declared-effects.ts'
export * from './signing/messages.ts'
export * from './signing/other-service.ts'
export * from './signing/proof-packs.ts'
export * from './signing/review-lists.ts'
export * from './signing/reviewed.ts'
export * from './signing/signatures.ts'
export * from './signing/transactions.ts'
export * from './team/address-book.ts'
export * from './team/notes.ts'
export * from './team/policy.ts'
export * from './team/team.ts'
export * from './team/team-drafts.ts'
export * from './team/webhooks.ts'
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
