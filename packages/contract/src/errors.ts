/**
 * Every failure that reaches a person or a program, in one table: HTTP status, what it is called, what to do.
 * The sentence that names the value at fault is written where the error is thrown.
 * `docs/errors.md` is generated from here.
 */
// biome-ignore format: one code a line reads as the table it is
export const errorTable = {
  // Requests
  INVALID_REQUEST: { status: 400, title: 'The request is not valid', hint: 'Correct the fields that are named and send it again.' },
  NOT_FOUND: { status: 404, title: 'There is nothing at this address', hint: 'Check the link.' },
  WRONG_ORIGIN: { status: 403, title: 'The request came from another site', hint: 'Open Countersign at its own address and try again.' },
  REQUEST_TOO_LARGE: { status: 413, title: 'The request is too large', hint: 'Send less than 1 MiB.' },
  TOO_MANY: { status: 409, title: 'There are as many as this place holds', hint: 'Remove what is no longer needed.' },
  RATE_LIMITED: { status: 429, title: 'Too many requests', hint: 'Wait a moment, then try again.' },
  OVERLOADED: { status: 503, title: 'The server has too much to do', hint: 'Nothing was changed. Try again in a moment.' },
  INTERNAL: { status: 500, title: 'Something went wrong on the server', hint: 'Try again. If it stays, give the request id to whoever runs this server.' },
  DATABASE_UNAVAILABLE: { status: 503, title: 'The database cannot be reached', hint: 'Try again in a moment. If you were changing something, look first whether it was saved.' },
  DATABASE_READ_ONLY: { status: 503, title: 'The database cannot be written', hint: 'Nothing was changed. Whoever runs this server must let it write: on the primary server, with a role that may write.' },
  DISK_FULL: { status: 503, title: 'The disk is full', hint: 'Nothing was changed. Whoever runs this server must make room on the disk.' },
  SERVER_UNREACHABLE: { status: 503, title: 'The Countersign server cannot be reached', hint: 'Check that it is running and that you are online. Nothing was changed.' },

  // Session
  NOT_SIGNED_IN: { status: 401, title: 'You are not signed in', hint: 'Connect your wallet and verify your account.' },
  SESSION_EXPIRED: { status: 401, title: 'Your session has expired', hint: 'Verify your account again. What you entered is kept.' },
  SESSION_REVOKED: { status: 401, title: 'Your session was ended', hint: 'Verify your account again. What you entered is kept. If it was not you who ended it, look where you are signed in.' },
  TOKEN_UNKNOWN: { status: 401, title: 'This API token is not known', hint: 'It may have been revoked. Make another one in Countersign, under API tokens.' },
  TOKEN_EXPIRED: { status: 401, title: 'This API token has expired', hint: 'Make another one in Countersign, under API tokens.' },
  SCOPE_MISSING: { status: 403, title: 'This API token may not do this', hint: 'Use a token with the scope that is named.' },
  SESSION_REQUIRED: { status: 403, title: 'No API token may do this', hint: 'Sign in to Countersign in a browser and do it there.' },
  TOKEN_NOT_FOUND: { status: 404, title: 'There is no such API token of this account', hint: 'It may have been revoked already. Load the list again.' },
  SIWE_NONCE_UNKNOWN: { status: 401, title: 'This sign-in request is unknown', hint: 'Start signing in again: Countersign accepts only messages that it wrote itself, within ten minutes.' },
  SIWE_NONCE_USED: { status: 401, title: 'This sign-in request was used already', hint: 'Start signing in again: each message can be used once, whatever came of it.' },
  SIWE_NONCE_FOREIGN: { status: 401, title: 'This sign-in request belongs to another browser', hint: 'Start signing in again in this browser, and allow it to keep cookies. If somebody sent you the message, do not sign it.' },
  SIWE_MESSAGE_MISMATCH: { status: 401, title: 'The signed text is not the text that was asked for', hint: 'Sign exactly the message that Countersign shows.' },
  SIWE_MESSAGE_MALFORMED: { status: 422, title: 'The sign-in message is malformed', hint: 'Correct the field that is named: a sign-in message follows EIP-4361 to the letter.' },
  SIWE_DOMAIN_MISMATCH: { status: 401, title: 'The signed message is for another site', hint: 'Do not sign for that site. Start signing in again here.' },
  SIWE_ADDRESS_MISMATCH: { status: 401, title: 'The signed message is for another account', hint: 'Start signing in again with the account that is selected in the wallet.' },
  SIWE_URI_MISMATCH: { status: 401, title: 'The signed message names another address of this site', hint: 'Start signing in again and sign exactly the message that Countersign shows.' },
  SIWE_CHAIN_MISMATCH: { status: 401, title: 'The signed message is for another chain', hint: 'Start signing in again on the chain that is selected in the wallet.' },
  SIWE_EXPIRED: { status: 401, title: 'The sign-in request has expired', hint: 'Start signing in again.' },
  SIWE_NOT_YET_VALID: { status: 401, title: 'The signed message is not valid yet', hint: 'Start signing in again. If it stays, the clocks of the servers differ: tell whoever runs them.' },
  SIWE_SIGNATURE_INVALID: { status: 401, title: 'The signature does not belong to this account', hint: 'Check which account is selected in the wallet, then sign again.' },
  SIWE_SIGNATURE_NOT_CHECKED: { status: 503, title: 'The signature could not be checked', hint: 'The network of this chain did not answer, which says nothing about your signature. Try again in a moment, with a new message.' },
  FRAME_NOT_ALLOWED: { status: 403, title: 'Signing in inside another site is not allowed here', hint: 'Open Countersign in a window of its own, or ask whoever runs this server to name the Safe host in `safeApp.allowedHosts`.' },
  ACCOUNT_ON_OTHER_CHAIN: { status: 403, title: 'This contract account was verified on another chain', hint: 'The same address may belong to others there. Switch the wallet to the chain and verify the account again.' },
  SESSION_NOT_FOUND: { status: 404, title: 'There is no such session of this account', hint: 'It may have ended already. Load the list again.' },
  NOT_A_CONTRACT_ACCOUNT: { status: 422, title: 'There is no contract at this account', hint: 'An account with a key of its own signs at once. A Safe must be deployed on this chain before it can sign in.' },
  ACCOUNT_MISMATCH: { status: 409, title: 'The wallet uses another account than the session', hint: 'Verify the new account, or switch back in the wallet.' },

  // Chains
  CHAIN_NOT_CONFIGURED: { status: 404, title: 'This chain is not configured here', hint: 'Ask whoever runs this server to add the chain to its configuration.' },
  CHAIN_UNREACHABLE: { status: 503, title: "The chain's node cannot be reached", hint: 'Nothing was changed. Try again in a moment.' },
  CHAIN_ID_MISMATCH: { status: 503, title: 'The node is on another chain than configured', hint: 'Whoever runs this server must correct the RPC URL or the chain id.' },
  NODES_DISAGREE: { status: 503, title: 'The nodes of this chain say different things', hint: 'Nothing of it was written down. Whoever runs this server must find out which node is wrong, and replace it.' },
  RPC_METHOD_NOT_ALLOWED: { status: 403, title: 'This node method is not allowed here', hint: 'Only methods that read the chain, and eth_sendRawTransaction, pass.' },
  RPC_ERROR: { status: 502, title: 'The node answered with an error', hint: 'Read the detail; the request itself may be at fault.' },

  // Safes
  NOT_A_SAFE: { status: 422, title: 'There is no Safe at this address', hint: 'Check the address and the chain.' },
  UNKNOWN_SINGLETON: { status: 422, title: 'The code behind this Safe is not an official release', hint: 'Do not use it before someone has read that code.' },
  UNSUPPORTED_SAFE_VERSION: { status: 422, title: 'This Safe version is not supported', hint: 'Versions 1.0.0 to 1.5.0 are.' },
  SAFE_SETUP_INVALID: { status: 422, title: 'No Safe can be set up like this', hint: 'Correct the owners, the threshold or the field that is named.' },
  SAFE_NOT_FOUND: { status: 404, title: 'This Safe is not in your list', hint: 'Add it by its address.' },
  NOT_AN_OWNER: { status: 403, title: 'Only owners of this Safe may do this', hint: 'Switch to an account that is an owner.' },
  NOT_A_MEMBER: { status: 403, title: 'This is for the team of the Safe', hint: 'Switch to an account that is an owner, proposer or viewer of it, or ask an owner to invite this account.' },
  DELEGATE_NOT_FOUND: { status: 404, title: 'There is no such delegate', hint: 'It may have been removed already. Load the team again.' },
  VIEWER_NOT_FOUND: { status: 404, title: 'This account is not invited', hint: 'It may have been removed already. Load the team again.' },
  NOT_OWNER_OR_DELEGATE: { status: 403, title: 'Only owners of this Safe and their delegates may propose', hint: 'Switch to an account that is an owner, or ask an owner to make this account a delegate.' },

  // Transactions
  TRANSACTION_NOT_FOUND: { status: 404, title: 'This transaction is not known here', hint: 'Check the link, or ask its proposer for it.' },
  TRANSACTION_ALREADY_EXECUTED: { status: 409, title: 'This transaction is already executed', hint: 'Nothing is left to do.' },
  NONCE_ALREADY_EXECUTED: { status: 409, title: 'Another transaction was executed with this nonce', hint: 'Propose it again with a free nonce.' },
  SAFE_TX_HASH_MISMATCH: { status: 422, title: 'The hash is not the hash of this transaction', hint: 'Do not sign. Compute the hash from the ten fields again; if it came from the screen, tell your co-owners.' },
  TOO_MANY_PROPOSALS: { status: 409, title: 'There are too many open proposals', hint: 'Execute, cancel or delete some of those that are open. An empty transaction that cancels the next nonce always fits.' },
  SENDER_MISMATCH: { status: 422, title: 'The sender is not the signed-in account', hint: 'Propose with the account that you verified.' },
  FIELD_MALFORMED: { status: 422, title: 'A field has an impossible value', hint: 'Correct the field that is named; nothing was hashed or sent.' },
  SIGNATURE_MALFORMED: { status: 422, title: 'The signature is malformed', hint: 'Sign again with your wallet.' },
  SIGNATURE_KIND_NOT_SUPPORTED: { status: 422, title: 'This kind of signature is not accepted here', hint: 'Sign with EIP-712, or let the owner approve the hash on the chain.' },
  SIGNATURE_NOT_FROM_OWNER: { status: 422, title: 'The signature is not from an owner of this Safe', hint: 'Switch to an account that is an owner, then sign again.' },
  DELEGATE_SIGNATURE_NOT_ALONE: { status: 422, title: 'A delegate signs alone', hint: 'Propose with the signature of the delegate alone; owners confirm afterwards.' },
  SIGNATURE_OF_ANOTHER: { status: 422, title: 'The signature is of another account', hint: 'Sign with the account that is named, within the hour.' },
  SIGNATURE_DUPLICATED: { status: 422, title: 'One owner has signed twice', hint: 'Send one signature of each owner.' },
  SIGNATURE_INVALID: { status: 422, title: 'The signature does not fit this transaction', hint: 'Sign again. If the wallet showed another hash than this page, do not, and tell your co-owners.' },
  CALLDATA_MALFORMED: { status: 422, title: 'The call data cannot be read', hint: 'Do not sign: what it does cannot be read. Ask its proposer what it is meant to do.' },
  ABI_MALFORMED: { status: 422, title: 'The ABI cannot be read', hint: 'Give the ABI as JSON, as a compiler or a block explorer writes it.' },
  MULTISEND_MALFORMED: { status: 422, title: 'The batch is malformed', hint: 'Do not sign: what it does cannot be read. Ask its proposer for a correct batch.' },
  NOT_PROPOSER: { status: 403, title: 'Only the proposer may delete this', hint: 'Ask the proposer. A transaction can also be cancelled, with another one at its nonce.' },
  HISTORY_BEHIND: { status: 503, title: 'The history has not caught up with the chain', hint: 'Nothing was changed. Try again in a moment.' },
  ALARM_NOT_FOUND: { status: 404, title: 'There is no such alarm', hint: 'Load the list again.' },
  CANCELLATION_EXISTS: { status: 409, title: 'A cancellation is proposed already', hint: 'Confirm that one, and execute it.' },
  ALREADY_CONFIRMED: { status: 409, title: 'You have confirmed this transaction', hint: 'Nothing is left for you to do until enough owners have confirmed.' },
  THRESHOLD_NOT_REACHED: { status: 409, title: 'There are too few confirmations', hint: 'Ask the other owners to confirm.' },
  NONCE_OUT_OF_ORDER: { status: 409, title: 'An earlier transaction has to be executed first', hint: 'Execute or cancel the transactions before it.' },
  EXECUTION_REVERTED: { status: 422, title: 'The execution would fail', hint: 'Nothing was sent. Remove the cause and try again.' },
  EXECUTION_NOT_FOUND: { status: 422, title: 'This Ethereum transaction is not known to the node', hint: 'Wait until the node has seen it.' },
  REVIEW_INCOMPLETE: { status: 409, title: 'The review has not finished', hint: 'Wait for it, or repair what could not be checked.' },
  REVIEW_REFUSED: { status: 409, title: 'The review says: do not sign', hint: 'Read the findings and speak with your co-owners on another channel.' },

  // Messages
  MESSAGE_NOT_FOUND: { status: 404, title: 'This message is not known here', hint: 'Check the link, or ask its proposer for it. Messages are for the team of the Safe alone.' },
  MESSAGE_HASH_MISMATCH: { status: 422, title: 'The hash is not the hash of this message', hint: 'Do not sign. Compute the hash from the content again; if it came from the screen, tell your co-owners.' },
  MESSAGE_FULLY_SIGNED: { status: 409, title: 'This message has its confirmations already', hint: 'Whoever has the signature can use it: deleting it here would take nothing back.' },
  TOO_MANY_MESSAGES: { status: 409, title: 'There are too many messages', hint: 'Delete those that nobody needs any more, then propose this one again.' },

  // Wallet (browser only; the status is not used)
  WALLET_REJECTED: { status: 400, title: 'You rejected the request in the wallet', hint: 'Nothing was sent. Try again whenever you like.' },
  WALLET_BUSY: { status: 400, title: 'The wallet already has a request open', hint: 'Open the wallet and answer it there.' },
  WALLET_FAILED: { status: 400, title: 'The wallet answered with an error', hint: 'See what the wallet itself shows, then try again.' },
  WALLET_RELAY_UNREACHABLE: { status: 400, title: 'The WalletConnect relay cannot be reached', hint: 'Check that you are online and try again. If it stays, tell whoever runs this server.' },
  WALLET_NOT_CONNECTED: { status: 400, title: 'No wallet is connected', hint: 'Connect your wallet.' },
  WALLET_LOCKED: { status: 400, title: 'The wallet is locked, or keeps this account from the page', hint: 'Unlock the wallet, allow the account there, then try again.' },
  WALLET_NOT_INSTALLED: { status: 400, title: 'The wallet is not installed', hint: 'Install it, then load the page again.' },
  WALLET_NOT_AVAILABLE: { status: 400, title: 'The wallet is not available', hint: 'Open the wallet, then load the page again.' },
  WALLET_METHOD_UNSUPPORTED: { status: 400, title: 'The wallet cannot do this', hint: 'Use another wallet for it.' },
  WALLET_IS_SAFE: { status: 400, title: 'You are connected as a Safe', hint: 'Open Countersign in a tab of its own and connect the wallet of an owner.' },
  WALLET_POPUP_BLOCKED: { status: 400, title: "The browser blocked the wallet's window", hint: 'Allow windows of this page, then try again.' },
  WALLET_POPUP_CLOSED: { status: 400, title: "The wallet's window was closed", hint: 'Nothing was sent. Try again whenever you like.' },
  CHAIN_NOT_IN_WALLET: { status: 400, title: 'The wallet does not know this chain', hint: 'Add the chain to the wallet, then try again.' },
  CHAIN_SWITCH_FAILED: { status: 400, title: 'The wallet did not switch the chain', hint: 'Switch the chain in the wallet itself.' },
  CHAIN_SWITCH_UNSUPPORTED: { status: 400, title: 'This wallet cannot switch chains for a page', hint: 'Switch the chain in the wallet itself, or connect another wallet.' },
  SIGNER_IS_NOT_ACCOUNT: { status: 400, title: 'Your wallet signed something else', hint: 'Nothing was sent. Stop, and check the wallet before you sign again.' },

  // Starting (launcher and server; the status is not used)
  CONFIGURATION_INVALID: { status: 500, title: 'The configuration has errors', hint: 'Correct the lines that are named; nothing was started.' },
  PORT_IN_USE: { status: 500, title: 'The port is taken', hint: 'Stop what uses it, or set PORT.' },
  DATA_IN_USE: { status: 500, title: 'The data directory is in use by another process', hint: 'Stop the other Countersign, or set COUNTERSIGN_DATA.' },
  DATA_NOT_WRITABLE: { status: 500, title: 'The data directory cannot be written', hint: 'Give this user the right to write there, on a file system that is mounted for writing, or set COUNTERSIGN_DATA.' },
  DATA_TOO_NEW: { status: 500, title: 'The data was written by a newer version', hint: 'Start that version, or restore an older backup.' },
  PART_ENDED: { status: 500, title: 'A part of Countersign ends again and again', hint: 'Read what it wrote last, then start again: the data is kept.' },
  PUBLIC_URL_REQUIRED: { status: 500, title: 'A public address is required', hint: 'Set COUNTERSIGN_PUBLIC_URL to the https address that people open.' },
} as const satisfies Record<string, { status: number; title: string; hint: string }>

export type ErrorCode = keyof typeof errorTable

/** What asking for what a Safe's team keeps may end in. */
export const memberErrors = ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER'] as const satisfies ErrorCode[]

/** What asking the node of a configured chain may end in. */
export const chainErrors = [
  'CHAIN_NOT_CONFIGURED',
  'CHAIN_ID_MISMATCH',
  'CHAIN_UNREACHABLE',
  'NODES_DISAGREE',
] as const satisfies ErrorCode[]

/** What verifying the signatures of owners may end in. */
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
