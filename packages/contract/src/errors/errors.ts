/** Whether the same request may be sent again: by the page itself, when a person asks for it, after signing in, or never. */
export type Retry = 'at-once' | 'on-request' | 'after-sign-in' | 'never'

/**
 * How the page shows it. `neutral`: nothing failed, the person declined or has to answer in the wallet. `technical`: the
 * sentence names an operation of the program, so it stands in the small print.
 */
export type Tone = 'failure' | 'technical' | 'neutral'

/**
 * Every failure that reaches a person or a program: HTTP status, whether a request may be sent again, how the page shows
 * it. Titles and hints are in `error-texts.ts`, sentences with the data that they need in `error-sentences.ts`.
 * `docs/errors.md` is generated from these three.
 */
// biome-ignore format: one code a line reads as the table it is
export const errorTable = {
  // Requests
  INVALID_REQUEST: { status: 400, retry: 'on-request', tone: 'failure' },
  NOT_FOUND: { status: 404, retry: 'never', tone: 'failure' },
  WRONG_ORIGIN: { status: 403, retry: 'never', tone: 'failure' },
  REQUEST_TOO_LARGE: { status: 413, retry: 'on-request', tone: 'failure' },
  TOO_MANY: { status: 409, retry: 'on-request', tone: 'failure' },
  RATE_LIMITED: { status: 429, retry: 'on-request', tone: 'failure' },
  OVERLOADED: { status: 503, retry: 'on-request', tone: 'failure' },
  INTERNAL: { status: 500, retry: 'at-once', tone: 'technical' },
  DATABASE_UNAVAILABLE: { status: 503, retry: 'at-once', tone: 'failure' },
  DATABASE_READ_ONLY: { status: 503, retry: 'at-once', tone: 'failure' },
  DISK_FULL: { status: 503, retry: 'at-once', tone: 'failure' },
  SERVER_UNREACHABLE: { status: 503, retry: 'at-once', tone: 'technical' },

  // Session
  NOT_SIGNED_IN: { status: 401, retry: 'after-sign-in', tone: 'failure' },
  SESSION_EXPIRED: { status: 401, retry: 'after-sign-in', tone: 'failure' },
  SESSION_REVOKED: { status: 401, retry: 'after-sign-in', tone: 'failure' },
  OWNERS_CHANGED: { status: 401, retry: 'after-sign-in', tone: 'failure' },
  TOKEN_UNKNOWN: { status: 401, retry: 'on-request', tone: 'failure' },
  TOKEN_EXPIRED: { status: 401, retry: 'on-request', tone: 'failure' },
  SCOPE_MISSING: { status: 403, retry: 'on-request', tone: 'failure' },
  SESSION_REQUIRED: { status: 403, retry: 'on-request', tone: 'failure' },
  TOKEN_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  SIWE_NONCE_UNKNOWN: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_NONCE_USED: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_REFUSED: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_NONCE_FOREIGN: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_MESSAGE_MISMATCH: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_MESSAGE_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  SIWE_DOMAIN_MISMATCH: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_ADDRESS_MISMATCH: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_URI_MISMATCH: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_CHAIN_MISMATCH: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_EXPIRED: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_NOT_YET_VALID: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_SIGNATURE_INVALID: { status: 401, retry: 'on-request', tone: 'failure' },
  SIWE_SIGNATURE_NOT_CHECKED: { status: 503, retry: 'on-request', tone: 'failure' },
  FRAME_NOT_ALLOWED: { status: 403, retry: 'on-request', tone: 'failure' },
  ACCOUNT_ON_OTHER_CHAIN: { status: 403, retry: 'on-request', tone: 'failure' },
  SIGN_IN_REQUEST_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  SESSION_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  NOT_A_CONTRACT_ACCOUNT: { status: 422, retry: 'on-request', tone: 'failure' },
  RELOAD_REFUSED: { status: 403, retry: 'on-request', tone: 'failure' },
  ACCOUNT_NOT_ALLOWED: { status: 403, retry: 'on-request', tone: 'failure' },
  ACCOUNT_MISMATCH: { status: 409, retry: 'never', tone: 'failure' },

  // Chains
  CHAIN_NOT_CONFIGURED: { status: 404, retry: 'never', tone: 'failure' },
  CHAIN_UNREACHABLE: { status: 503, retry: 'at-once', tone: 'failure' },
  CHAIN_ID_MISMATCH: { status: 503, retry: 'on-request', tone: 'failure' },
  NODES_DISAGREE: { status: 503, retry: 'on-request', tone: 'failure' },
  RPC_METHOD_NOT_ALLOWED: { status: 403, retry: 'on-request', tone: 'failure' },
  RPC_ERROR: { status: 502, retry: 'on-request', tone: 'technical' },
  PROOF_INVALID: { status: 502, retry: 'on-request', tone: 'failure' },

  // Safes
  NOT_A_SAFE: { status: 422, retry: 'on-request', tone: 'failure' },
  UNKNOWN_SINGLETON: { status: 422, retry: 'on-request', tone: 'failure' },
  UNSUPPORTED_SAFE_VERSION: { status: 422, retry: 'never', tone: 'failure' },
  SAFE_SETUP_INVALID: { status: 422, retry: 'on-request', tone: 'failure' },
  CREATION_REFUSED: { status: 422, retry: 'on-request', tone: 'failure' },
  SAFE_NOT_DEPLOYED: { status: 409, retry: 'on-request', tone: 'failure' },
  SAFE_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  SAFE_NOT_ALLOWED: { status: 403, retry: 'on-request', tone: 'failure' },
  NOT_AN_OWNER: { status: 403, retry: 'never', tone: 'failure' },
  NOT_A_MEMBER: { status: 403, retry: 'never', tone: 'failure' },
  DELEGATE_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  VIEWER_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  WEBHOOK_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  OTHER_SERVICE_FAILED: { status: 502, retry: 'on-request', tone: 'failure' },
  WEBHOOK_URL_REFUSED: { status: 422, retry: 'on-request', tone: 'failure' },
  DELIVERY_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  NOT_OWNER_OR_DELEGATE: { status: 403, retry: 'never', tone: 'failure' },

  // Transactions
  TRANSACTION_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  TRANSACTION_ALREADY_EXECUTED: { status: 409, retry: 'never', tone: 'failure' },
  NONCE_ALREADY_EXECUTED: { status: 409, retry: 'never', tone: 'failure' },
  SAFE_TX_HASH_MISMATCH: { status: 422, retry: 'on-request', tone: 'failure' },
  TOO_MANY_PROPOSALS: { status: 409, retry: 'on-request', tone: 'failure' },
  SENDER_MISMATCH: { status: 422, retry: 'on-request', tone: 'failure' },
  FIELD_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  SIGNATURE_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  SIGNATURE_KIND_NOT_SUPPORTED: { status: 422, retry: 'on-request', tone: 'failure' },
  SIGNATURE_NOT_FROM_OWNER: { status: 422, retry: 'on-request', tone: 'failure' },
  DELEGATE_SIGNATURE_NOT_ALONE: { status: 422, retry: 'on-request', tone: 'failure' },
  SIGNATURE_OF_ANOTHER: { status: 422, retry: 'on-request', tone: 'failure' },
  SIGNATURE_DUPLICATED: { status: 422, retry: 'on-request', tone: 'failure' },
  SIGNATURE_INVALID: { status: 422, retry: 'on-request', tone: 'failure' },
  CALLDATA_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  ABI_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  PROOF_PACK_INVALID: { status: 422, retry: 'on-request', tone: 'failure' },
  EFFECTS_FILE_INVALID: { status: 422, retry: 'on-request', tone: 'failure' },
  POLICY_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  POLICY_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  POLICY_CONFLICT: { status: 409, retry: 'on-request', tone: 'failure' },
  POLICY_RESTRICTS: { status: 403, retry: 'on-request', tone: 'failure' },
  MULTISEND_MALFORMED: { status: 422, retry: 'on-request', tone: 'failure' },
  NOT_PROPOSER: { status: 403, retry: 'on-request', tone: 'failure' },
  HISTORY_BEHIND: { status: 503, retry: 'on-request', tone: 'failure' },
  ALARM_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  CANCELLATION_EXISTS: { status: 409, retry: 'on-request', tone: 'failure' },
  ALREADY_CONFIRMED: { status: 409, retry: 'never', tone: 'failure' },
  THRESHOLD_NOT_REACHED: { status: 409, retry: 'on-request', tone: 'failure' },
  NONCE_OUT_OF_ORDER: { status: 409, retry: 'on-request', tone: 'failure' },
  EXECUTION_REVERTED: { status: 422, retry: 'on-request', tone: 'failure' },
  EXECUTION_NOT_FOUND: { status: 422, retry: 'on-request', tone: 'failure' },
  EXECUTION_UNDER_WAY: { status: 409, retry: 'on-request', tone: 'failure' },
  REVIEW_NOT_ACKNOWLEDGED: { status: 409, retry: 'on-request', tone: 'failure' },
  NAME_CHANGED: { status: 409, retry: 'on-request', tone: 'failure' },
  REVIEW_INCOMPLETE: { status: 409, retry: 'on-request', tone: 'failure' },
  REVIEW_REFUSED: { status: 409, retry: 'on-request', tone: 'failure' },

  // Messages
  MESSAGE_NOT_FOUND: { status: 404, retry: 'on-request', tone: 'failure' },
  MESSAGE_HASH_MISMATCH: { status: 422, retry: 'on-request', tone: 'failure' },
  MESSAGE_FULLY_SIGNED: { status: 409, retry: 'on-request', tone: 'failure' },
  TOO_MANY_MESSAGES: { status: 409, retry: 'on-request', tone: 'failure' },

  // Wallet (browser only; the status is not used)
  WALLET_REJECTED: { status: 400, retry: 'on-request', tone: 'neutral' },
  WALLET_BUSY: { status: 400, retry: 'on-request', tone: 'neutral' },
  WALLET_FAILED: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_RELAY_UNREACHABLE: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_NOT_CONNECTED: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_LOCKED: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_NOT_INSTALLED: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_NOT_AVAILABLE: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_METHOD_UNSUPPORTED: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_IS_SAFE: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_POPUP_BLOCKED: { status: 400, retry: 'on-request', tone: 'failure' },
  WALLET_POPUP_CLOSED: { status: 400, retry: 'on-request', tone: 'failure' },
  CHAIN_NOT_IN_WALLET: { status: 400, retry: 'on-request', tone: 'failure' },
  CHAIN_SWITCH_FAILED: { status: 400, retry: 'on-request', tone: 'failure' },
  CHAIN_SWITCH_UNSUPPORTED: { status: 400, retry: 'on-request', tone: 'failure' },
  SIGNER_IS_NOT_ACCOUNT: { status: 400, retry: 'on-request', tone: 'failure' },

  // Starting (launcher and server; the status is not used)
  CONFIGURATION_INVALID: { status: 500, retry: 'on-request', tone: 'failure' },
  PORT_IN_USE: { status: 500, retry: 'on-request', tone: 'failure' },
  DATA_IN_USE: { status: 500, retry: 'on-request', tone: 'failure' },
  DATA_NOT_WRITABLE: { status: 500, retry: 'on-request', tone: 'failure' },
  DATA_TOO_NEW: { status: 500, retry: 'on-request', tone: 'failure' },
  BACKUP_INVALID: { status: 500, retry: 'never', tone: 'failure' },
  RESTORE_REFUSED: { status: 500, retry: 'never', tone: 'failure' },
  PART_ENDED: { status: 500, retry: 'on-request', tone: 'failure' },
  PUBLIC_URL_REQUIRED: { status: 500, retry: 'on-request', tone: 'failure' },
} as const satisfies Record<string, { status: number; retry: Retry; tone: Tone }>

export type ErrorCode = keyof typeof errorTable

/** Errors of asking for the data of a Safe's team. */
export const memberErrors = ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER'] as const satisfies ErrorCode[]

/** Errors of asking the node of a configured chain. */
export const chainErrors = [
  'CHAIN_NOT_CONFIGURED',
  'CHAIN_ID_MISMATCH',
  'CHAIN_UNREACHABLE',
  'NODES_DISAGREE',
] as const satisfies ErrorCode[]

/** Errors of verifying the signatures of owners. */
export const signatureErrors = [
  'SIGNATURE_MALFORMED',
  'SIGNATURE_KIND_NOT_SUPPORTED',
  'SIGNATURE_INVALID',
  'SIGNATURE_DUPLICATED',
  'SIGNATURE_NOT_FROM_OWNER',
  'UNKNOWN_SINGLETON',
] as const satisfies ErrorCode[]

/** RFC 9457 problem document. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  hint: string
  code: ErrorCode
  /** Values at fault, by name. */
  data: Record<string, unknown>
  requestId: string
}
