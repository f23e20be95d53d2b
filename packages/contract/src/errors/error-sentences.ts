import { coreSentences, failWith, type Sentences } from '@countersign/safe'
import type { ErrorCode } from './errors.ts'

/**
 * The English sentence of every error that the API or the page may end in, by code; by `data.reason` where a code has
 * several. Values stand as `{name}` and come from the error's data. The page has the sentences in each language.
 */
// biome-ignore format: one sentence a line reads as the table it is
export const errorSentences = {
  ...coreSentences,

  // Requests
  INVALID_REQUEST: {
    fields: 'These fields are not valid: `{fields}`.',
    nul: 'The body has the character `U+0000` in it.',
    depth: 'The body is nested deeper than `{limit}` levels.',
    json: 'The body is not JSON.',
    incomplete: 'The body ended before it was complete.',
    'content-type': 'The content type is `{contentType}`, not `application/json`.',
    past: '`{field}` must be in the future; it is `{value}`.',
    late: '`{field}` must not be after `{last}`, because the token of a contract account expires within 30 days; it is `{value}`.',
    account: '`{field}` must be an account; nobody can sign as `{value}`.',
    cursor: 'This server did not issue the cursor `{cursor}`.',
  },
  NOT_FOUND: 'There is nothing at `{method} {path}`.',
  WRONG_ORIGIN: {
    missing: 'The request has no Origin header; `{expected}` is expected.',
    other: 'The request came from `{origin}`, not from `{expected}`.',
    site: 'The browser marks the request as `{site}` (Sec-Fetch-Site); only `same-origin` is accepted.',
    host: 'The request is for `{host}`; this server is at `{expected}`.',
  },
  REQUEST_TOO_LARGE: 'The body is larger than `{limit}` bytes.',
  TOO_MANY: {
    names: 'You already have `{limit}` names in the address book of this Safe, which is the limit.',
    'signed-names': 'You already have `{limit}` signed names in the address book of this Safe, which is the limit.',
    notes: 'You already have `{limit}` notes here, which is the limit.',
    'note-bytes': 'With this one, your notes on this Safe exceed `{limit}` bytes.',
    drafts: 'You already have `{limit}` drafts and templates of this Safe, which is the limit.',
    packs: 'You already have `{limit}` proof packs at this proposal, which is the limit.',
    'pack-bytes': 'Your proof packs at open proposals of this Safe exceed `{limit}` files or `{bytes}` bytes with this one.',
    'pack-bytes-of-others': 'The proof packs of accounts that are not owners, at open proposals of this Safe, exceed `{limit}` files or `{bytes}` bytes with this one.',
    'pack-bytes-in-all': 'With this one, your proof packs at proposals of all Safes exceed `{limit}` bytes.',
    abis: 'You already have `{limit}` ABIs for this Safe, which is the limit.',
    'abi-bytes': 'With this one, your ABIs for this Safe exceed `{limit}` bytes.',
    viewers: 'This Safe already has `{limit}` invitations, which is the limit.',
    webhooks: 'This Safe already has `{limit}` webhooks, which is the limit.',
    'webhooks-of-account': 'This account already has `{limit}` webhooks, which is the limit.',
    deliveries: 'This webhook already has `{limit}` deliveries that wait, which is the limit.',
    delegates: '`{delegator}` already has `{limit}` proposers on this chain, which is the limit.',
    tokens: 'This account already has `{limit}` API tokens, which is the limit.',
    safes: 'Your list already has `{limit}` Safes, which is the limit.',
    streams: 'The account `{account}` already has `{limit}` live streams open, which is the limit.',
  },
  RATE_LIMITED: 'Too many requests: the next one is possible in {retryAfterSeconds} s.',
  OVERLOADED: 'The server has more requests than it can answer. Ask again in `{retryAfterSeconds}` s.',
  INTERNAL: {
    unexpected: 'The request could not be answered.',
    'block-time': 'The time of block `{blockNumber}` was not read.',
    note: 'The note was not stored.',
    pack: 'The proof pack was not stored.',
    configuration: 'The configuration was used before it was loaded.',
    execution: 'There is no execution to follow.',
    reply: 'The answer to `{operation}` does not match its contract.',
    status: '`{operation}` answered {status}.',
  },
  DATABASE_UNAVAILABLE: {
    silent: 'The database did not answer.',
    'lock-lost': 'The lock of chain `{chainId}` was lost: what was read of it was not stored.',
  },
  DATABASE_READ_ONLY: 'The database can be read and not written: it is a standby, or was made read-only.',
  DISK_FULL: {
    database: 'The disk of the database is full.',
    full: 'The disk of `{path}` is full ({systemError}).',
    shortage: 'The disk of `{path}` has `{freeMebibytes}` MiB left; Countersign needs `{neededMebibytes}` MiB there.',
  },
  SERVER_UNREACHABLE: {
    failed: 'No answer to `{operation}`.',
    lost: 'No answer to `{operation}`, which may have been carried out.',
    unsent: '`{operation}` was not sent: there was no connection.',
    late: 'No answer within {unansweredSeconds} seconds.',
    offline: 'This device has no network.',
  },

  // Session
  SESSION_EXPIRED: { expired: 'The session of `{address}` expired at `{endedAt}`.' },
  SESSION_REVOKED: {
    revoked: 'The session of `{address}` was ended from another session of this account at `{endedAt}`.',
    'revoked-by-owner': 'An owner of this Safe ended the session of `{address}` at `{endedAt}`.',
    'owners-changed': 'The session of `{address}` ended at `{endedAt}`, when the owners of this Safe changed.',
  },
  OWNERS_CHANGED: {
    suspended: 'The session of `{address}` is suspended. Since `{endedAt}`, the owners on the chain differ from those who signed.',
    token: 'The API token `{name}` of `{address}` is suspended. Since `{since}`, the owners on the chain differ from those who signed.',
    'token-ended': 'The API token `{name}` of `{address}` ended at `{since}`, when the owners of this Safe changed.',
  },
  TOKEN_UNKNOWN: 'The API token `{start}…` of this request is not known.',
  TOKEN_EXPIRED: 'The API token `{name}` expired at `{expiresAt}`.',
  SCOPE_MISSING: 'The API token has the scopes `{scopes}`; this needs `{scope}`.',
  SESSION_REQUIRED: 'This needs a session, not an API token.',
  TOKEN_NOT_FOUND: 'There is no API token `{id}` of `{account}`.',
  SIWE_NONCE_UNKNOWN: 'This server did not create the nonce `{nonce}`.',
  SIWE_NONCE_USED: 'The nonce `{nonce}` was used at `{usedAt}`.',
  SIWE_REFUSED: {
    refused: 'An owner of the Safe refused the sign-in with the nonce `{nonce}` at `{refusedAt}`.',
    cancelled: 'The sign-in with the nonce `{nonce}` was cancelled at `{refusedAt}`.',
  },
  SIWE_NONCE_FOREIGN: 'This browser did not ask for the nonce `{nonce}`.',
  SIWE_MESSAGE_MISMATCH: 'The {field} of the message is `{received}`, not `{expected}`.',
  SIWE_DOMAIN_MISMATCH: 'The {field} of the message is `{received}`, not `{expected}`.',
  SIWE_ADDRESS_MISMATCH: 'The {field} of the message is `{received}`, not `{expected}`.',
  SIWE_URI_MISMATCH: 'The {field} of the message is `{received}`, not `{expected}`.',
  SIWE_CHAIN_MISMATCH: 'The {field} of the message is `{received}`, not `{expected}`.',
  SIWE_EXPIRED: {
    asked: 'The message expired at `{expiresAt}`.',
    field: 'The {field} of the message is `{received}`, not `{expected}`.',
    collecting: 'The owners did not sign in time. Start again with a new message.',
  },
  SIWE_NOT_YET_VALID: {
    asked: 'The message was issued at `{issuedAt}`.',
    field: 'The {field} of the message is `{received}`, not `{expected}`.',
  },
  SIWE_SIGNATURE_INVALID: '`{address}` did not make this signature.',
  SIWE_SIGNATURE_NOT_CHECKED: 'The node of `{name}` (chain `{chainId}`) did not say whether `{address}` made the signature.',
  FRAME_NOT_ALLOWED: {
    'no-host': 'The configuration names no Safe host in `safeApp.allowedHosts`.',
    'not-https': 'Cookies inside a frame need https, and this is `{origin}`.',
  },
  ACCOUNT_ON_OTHER_CHAIN: 'The account `{address}` was verified on chain `{verifiedOn}`, not on `{chainId}`.',
  SIGN_IN_REQUEST_NOT_FOUND: 'There is no open sign-in request for `{safeAddress}` with the nonce `{nonce}`.',
  SESSION_NOT_FOUND: 'There is no session `{id}` of `{account}`.',
  NOT_A_CONTRACT_ACCOUNT: 'There is no contract at `{address}` on `{name}`.',
  RELOAD_REFUSED: {
    admin: '`{account}` is none of the admins that the configuration of this server names.',
    launcher: 'This server was started without the launcher, which restarts it. Restart the process to load the configuration.',
    faults: 'The configuration has errors: {faults}.',
  },
  ACCOUNT_NOT_ALLOWED: {
    accounts: '`{address}` is none of the accounts that the operator of this server lets in.',
    owners: '`{address}` is in the team of no Safe that is stored on this server.',
  },
  ACCOUNT_MISMATCH: {
    wallet: 'You are signed in as `{session}`, but the wallet is on `{account}`.',
    signature: '`{signer}` made this signature, but you are signed in as `{account}`.',
  },

  // Chains
  CHAIN_NOT_CONFIGURED: 'Chain `{chainId}` is not configured here.',
  CHAIN_UNREACHABLE: {
    silent: 'The node of `{name}` (chain `{chainId}`) did not answer.',
    waiting: 'All nodes of `{name}` (chain `{chainId}`) failed recently. Countersign waits before it asks them again.',
    few: 'Of the nodes of `{name}` (chain `{chainId}`), only `{answered}` answered. `{needed}` must agree.',
    reorganised: '`{lacking}` of `{count}` nodes of `{name}` report a reorganisation deeper than Countersign can undo. `{needed}` must report it before reading stops.',
  },
  CHAIN_ID_MISMATCH: {
    ...coreSentences.CHAIN_ID_MISMATCH,
    node: 'The node at `{host}` is on chain `{actual}`, not on chain `{expected}`.',
    configured: 'The node of `{name}` is not on chain `{chainId}`.',
  },
  NODES_DISAGREE: {
    answers: 'The nodes at `{hosts}` give different answers to `{method}` at block `{blockNumber}`. Countersign uses neither.',
    blocks: '`{lacking}` does not know any of the blocks up to `{blockNumber}` that `{having}` reports. Countersign asks `{having}` first.',
  },
  RPC_METHOD_NOT_ALLOWED: 'The method `{method}` is not passed on.',
  RPC_ERROR: {
    ...coreSentences.RPC_ERROR,
    nonce: 'The node answered `{value}` as a nonce.',
    owners: 'The node answered `{value}` as owners.',
    behind: 'The node is at block `{head}`, behind block `{blockNumber}`, which was already read.',
    'no-head': 'The node lags, or has no newest block.',
    changed: 'Block `{blockNumber}` changed while it was read.',
    large: 'The answer of the node is larger than 4 MiB.',
    lags: 'The node at `{host}` does not know yet what `{method}` asks for.',
    'no-block': 'The node has no block `{wanted}`.',
    'no-transaction': 'The node has no transaction `{hash}`.',
    'no-receipt': 'The node has no receipt of `{hash}`.',
    'no-logs': 'The node answered `eth_getLogs` without a list.',
    'other-log': 'The node answered a log of block `{blockNumber}`, which was not asked for.',
    'no-log': 'The node answered a log that is not an object.',
    'removed-log': 'The node answered a log that was removed.',
    'no-topics': 'The node answered a log without topics.',
    'log-value': 'The node answered `{value}` in a log.',
    unanswered: 'The node did not answer `{method}`.',
    refused: 'The node answered `{method}` with: `{rpcMessage}`.',
    gas: 'The node estimated `{value}` gas.',
    token: 'The node did not return the symbol and decimals of `{token}`.',
  },

  // Safes
  SAFE_NOT_ALLOWED: {
    admins: 'Only accounts that the operator of this server has named may add a Safe; `{address}` is not stored yet.',
    safes: '`{address}` on chain `{chainId}` is none of the Safes that the operator of this server allows.',
    quota: '`{account}` has added `{limit}` new Safes within 24 hours, which is the limit.',
    'quota-of-all': 'All accounts together have added `{limit}` new Safes within 24 hours, which is the limit.',
  },
  UNKNOWN_SINGLETON: 'The singleton `{singleton}` is not an official release.',
  SAFE_NOT_DEPLOYED: {
    batch: 'The Safe `{safeAddress}` is not on the chain yet, and this chain has no MultiSendCallOnly that could create it and execute at once: activate it first.',
    message: 'The Safe `{safeAddress}` is not on the chain yet, and only a contract that is there can answer for a message.',
  },
  SAFE_NOT_FOUND: 'The Safe `{address}` on chain `{chainId}` is not in your list.',
  NOT_A_MEMBER: 'The account `{account}` is not an owner, proposer or viewer of the Safe `{safeAddress}`.',
  DELEGATE_NOT_FOUND: '`{delegate}` is not a proposer of `{delegator}` on chain `{chainId}`.',
  VIEWER_NOT_FOUND: 'The account `{account}` is not invited to `{safeAddress}`.',
  WEBHOOK_NOT_FOUND: 'The Safe `{safeAddress}` has no webhook `{id}`.',
  OTHER_SERVICE_FAILED: {
    none: 'The operator names no other Transaction Service for chain `{chainId}`.',
    unreachable: '`{host}` did not answer, or its answer was too long.',
    status: '`{host}` answered with the status `{status}`.',
    sending: 'This transaction is being sent to `{host}` at the moment.',
    unsigned: 'No owner has signed this transaction here, so `{host}` would not take it.',
  },
  WEBHOOK_URL_REFUSED: {
    url: 'The URL `{url}` is not an https URL without user name and fragment.',
    address: 'The host `{host}` is an address that the operator of this server does not allow.',
  },
  DELIVERY_NOT_FOUND: 'The webhook `{id}` has no delivery `{deliveryId}`.',
  NOT_OWNER_OR_DELEGATE: {
    ...coreSentences.NOT_OWNER_OR_DELEGATE,
    viewer: 'The account `{account}` is a viewer of the Safe `{safeAddress}` and cannot change anything.',
  },

  // Transactions
  TRANSACTION_NOT_FOUND: {
    transaction: 'Countersign does not know the transaction `{safeTxHash}` on chain `{chainId}`.',
    subject: 'Countersign knows no transaction or message `{subjectHash}` of the Safe `{safeAddress}`.',
  },
  SAFE_TX_HASH_MISMATCH: {
    fields: 'The hash of the ten fields is `{expected}`, not `{received}`.',
    version: 'The version of the Safe has changed, and this transaction now has the hash `{expected}`. Propose it again.',
    signing: '`{received}` is not the reviewed hash.',
    served: 'The server answered with `{received}`, not with `{expected}`.',
    reviewed: 'You reviewed `{shown}`; the transaction is now `{now}`.',
  },
  TOO_MANY_PROPOSALS: {
    everywhere: 'The account `{account}` has proposals of `{limit}` bytes here, over all Safes.',
    account: 'The account `{account}` has `{limit}` open proposals of the Safe `{safeAddress}`.',
    others: 'Accounts that are not owners have `{limit}` open proposals of the Safe `{safeAddress}`.',
    unsigned: 'There are `{limit}` open proposals of the Safe `{safeAddress}` without a signature.',
    'account-bytes': 'The account `{account}` has open proposals of the Safe `{safeAddress}` with `{bytes}` bytes of calldata; with `{added}` more they would have over `{limit}`.',
    'others-bytes': 'Accounts that are not owners have open proposals of the Safe `{safeAddress}` with `{bytes}` bytes of calldata; with `{added}` more they would have over `{limit}`.',
    'unsigned-bytes': 'The open proposals of the Safe `{safeAddress}` without a signature have `{bytes}` bytes of calldata; with `{added}` more they would have over `{limit}`.',
  },
  SENDER_MISMATCH: {
    account: 'The sender is `{sender}`, but you are signed in as `{account}`.',
    signer: '`{signer}` made the signature, but the sender is `{sender}`.',
  },
  SIGNATURE_MALFORMED: {
    ...coreSentences.SIGNATURE_MALFORMED,
    text: 'The signature `{start}…` is not 0x and an even number of hex digits, of at most `{limit}` bytes.',
    'too-long': 'The signature of `{signer}` has `{bytes}` bytes; `{limit}` are accepted.',
    'too-many': 'The request has `{count}` contract signatures. Send at most `{limit}` at a time.',
    several: 'One signature is expected; the request has `{count}`.',
    none: 'There is no signature in `{signature}`.',
  },
  SIGNATURE_KIND_NOT_SUPPORTED: {
    ...coreSentences.SIGNATURE_KIND_NOT_SUPPORTED,
    version: 'Safe `{version}` does not accept signatures of the kind `{signatureType}`.',
    message: 'Signatures of the kind `{signatureType}` are not accepted for a message.',
    handler: 'With its fallback handler `{fallbackHandler}`, the Safe never asks an owner that is a contract about a message.',
    request: 'An on-chain approval does not sign a request.',
    unknown: 'Signatures of the kind `{signatureType}` are not supported yet.',
  },
  SIGNATURE_NOT_FROM_OWNER: '`{signer}` signed this, but is not an owner of this Safe.',
  DELEGATE_SIGNATURE_NOT_ALONE: 'The proposer `{sender}` may send only its own signature. The request has `{count}`.',
  SIGNATURE_OF_ANOTHER: 'None of `{accounts}` made this signature, for this hour or the one before.',
  SIGNATURE_DUPLICATED: {
    owner: 'There are two signatures of the owner `{owner}`.',
    request: 'There are several signatures; one is expected.',
  },
  SIGNATURE_INVALID: {
    ...coreSentences.SIGNATURE_INVALID,
    approval: 'The owner `{owner}` has not approved the hash `{hash}` on-chain.',
    contract: 'The owner `{owner}`, which is a contract, does not accept the signature for `{hash}`.',
    account: 'The contract `{account}` does not accept the signature.',
    'typed-data': 'The signature for `{hash}` is not of `{account}`.',
    declaration: 'The signature `{signature}` under the declared effects is not of their author, for this transaction.',
  },
  POLICY_NOT_FOUND: {
    version: 'The Safe `{safeAddress}` has no policy version `{policyHash}` in a state that allows this action.',
    entry: 'The version `{policyHash}` of the policy has no allow entry `{entryHash}`.',
  },
  POLICY_CONFLICT: {
    open: 'Version {number} is proposed already, by `{proposer}`: its hash is `{hash}`.',
    number: 'The policy has the number {number}; the next one is {expected}.',
    previous: 'The policy names `{previousHash}` as the version before it; the one in force is `{expected}`.',
  },
  POLICY_RESTRICTS: {
    rule: 'The policy of the team does not allow this: the restriction is `{rule}`.',
    amount: 'Version {policy} of the team’s policy limits `{asset}` to `{limit}` base units in {period} seconds. This moves `{amount}`, `{executed}` are executed and `{queued}` queued.',
    'amount-hidden': 'Version {policy} of the team’s policy limits `{asset}` to `{limit}` base units in {period} seconds. How much this transaction moves cannot be read (call `{call}`).',
    'amount-message': 'Version {policy} of the team’s policy limits `{asset}` to `{limit}` base units in {period} seconds. How much this message lets others take cannot be read.',
    recipient: 'Version {policy} of the team’s policy lets assets and rights go to known recipients only. `{recipient}` is none of them.',
    delegatecall: 'Version {policy} of the team’s policy allows only batches and named contracts to run as the Safe. `{to}` is not allowed.',
    reviewer: 'Version {policy} of the team’s policy requires the confirmation of `{reviewer}` before this one completes the transaction.',
    refund: 'Version {policy} of the team’s policy limits the refund in `{asset}` to `{limit}` base units. This transaction can pay more.',
  },
  HISTORY_BEHIND: 'Countersign has not read yet whether `{safeTxHash}` was executed. The Safe is at nonce `{safeNonce}`.',
  ALARM_NOT_FOUND: 'The Safe `{safeAddress}` has no alarm `{alarmId}`.',
  THRESHOLD_NOT_REACHED: {
    ...coreSentences.THRESHOLD_NOT_REACHED,
    verified: '`{confirmations}` of `{threshold}` confirmations could be verified.',
  },
  EXECUTION_REVERTED: {
    answer: 'The Safe answered `{answer}` to the simulation.',
    inner: 'The inner call would fail and the nonce would be used up.',
    code: '`{gs}`: {cause} {remedy}',
    other: 'The Safe refuses: `{said}`.',
  },
  EXECUTION_NOT_FOUND: 'The node does not know the on-chain transaction `{transactionHash}` yet.',
  EXECUTION_UNDER_WAY: {
    tab: 'Another tab of this browser is about to execute a transaction of this Safe.',
    sent: 'The on-chain transaction `{transactionHash}` was sent to execute it, and may still be mined.',
  },
  REVIEW_NOT_ACKNOWLEDGED: {
    findings: 'Not answered: `{findings}`.',
  },
  NAME_CHANGED: {
    other: 'The transaction pays `{address}`, and `{name}` is `{now}` now.',
    nobody: 'The transaction pays `{address}`, and `{name}` names nobody now, or the node did not say whom.',
  },
  REVIEW_INCOMPLETE: {
    nothing: 'There is nothing to review.',
    fields: 'The fields of this transaction are not known.',
    blocks: 'The facts of the review were read at different blocks of the chain: a block was replaced meanwhile.',
    unchecked: 'Not checked: `{checks}`.',
    worker: 'The part of the page that computes reviews stopped or could not be loaded.',
  },
  REVIEW_REFUSED: {
    'other-safe': 'This now belongs to another Safe: `{safeAddress}`.',
    findings: 'The review finds: `{findings}`.',
  },

  // Messages
  MESSAGE_NOT_FOUND: 'Countersign does not know the message `{safeMessageHash}` on chain `{chainId}`.',
  MESSAGE_HASH_MISMATCH: {
    computed: 'The Safe hashes this message to `{expected}`, not `{received}`.',
    signing: '`{received}` is not the reviewed hash.',
    served: 'The server answered with `{received}`, not with `{expected}`.',
    reviewed: 'You reviewed `{shown}`; the message is now `{now}`.',
  },
  MESSAGE_FULLY_SIGNED: 'The message has `{confirmations}` of `{confirmationsRequired}` confirmations.',
  TOO_MANY_MESSAGES: {
    count: 'There are already `{limit}` messages, which is the limit.',
    bytes: 'The messages would have more than `{limit}` bytes.',
  },

  // Wallet
  WALLET_REJECTED: {
    request: 'You declined the request in {wallet}.',
    left: 'You left the screen before the phone answered.',
  },
  WALLET_BUSY: '{wallet} already has a request open.',
  WALLET_FAILED: {
    answer: '{wallet} answered: `{answer}`.',
    silent: '{wallet} failed and did not say why.',
    'no-account': '{wallet} answered without an account that this page can read.',
    'no-chain': '{wallet} does not say which chain it is on.',
    unsigned: '{wallet} answered without a signature or hash that this page can read.',
    'no-phone-account': 'No account was approved on the phone.',
    'not-allowed': 'The wallet on the phone does not allow `{method}` for this page.',
  },
  WALLET_RELAY_UNREACHABLE: {
    refused: 'The relay refused this page: `{answer}`.',
    silent: 'The relay between this page and the phone did not answer.',
  },
  WALLET_NOT_CONNECTED: {
    none: 'No wallet is connected.',
    ended: 'The phone is no longer connected.',
    reconnecting: 'The wallet has not answered yet. Try again when it is connected.',
  },
  WALLET_LOCKED: '{wallet} is locked, or does not show this account to this page.',
  WALLET_NOT_INSTALLED: '{wallet} is not installed.',
  WALLET_NOT_AVAILABLE: {
    gone: '{wallet} no longer answers this page: it may have been closed, disabled or updated. Open it, then reload this page.',
    'no-project': 'WalletConnect is not set up on this server. The operator can set a WalletConnect project ID or their own relay.',
    outside: 'Countersign is not open inside a Safe interface. Add it there as a custom Safe App, or connect an owner’s wallet here.',
    silent: 'The surrounding page did not respond as a Safe interface within 1 second. Reload it, or open Countersign in a new tab.',
    malformed: 'The surrounding page did not name a valid Safe.',
  },
  WALLET_METHOD_UNSUPPORTED: '{wallet} does not support this request.',
  WALLET_IS_SAFE: 'You are signed in as the Safe itself. To propose, confirm or execute, open Countersign in a new tab and connect an owner’s wallet.',
  WALLET_POPUP_BLOCKED: 'The browser blocked the window of {wallet}.',
  WALLET_POPUP_CLOSED: 'The window of {wallet} was closed before it answered.',
  CHAIN_NOT_IN_WALLET: {
    unknown: '{wallet} does not know this chain.',
    'add-by-hand': 'Add {chain} (chain ID `{chainId}`) to {wallet} yourself. You need your own RPC URL.',
  },
  CHAIN_SWITCH_FAILED: {
    refused: '{wallet} could not switch to {chain} (chain ID `{chainId}`).',
    'not-switched': '{wallet} is still on a different chain than {chain} (chain ID `{chainId}`).',
    'not-approved': 'The phone did not approve chain `{chainId}` for this page. Add the chain in the wallet, disconnect here, and scan again.',
  },
  CHAIN_SWITCH_UNSUPPORTED: {
    page: '{wallet} does not let pages switch to {chain} (chain ID `{chainId}`).',
    safe: 'A Safe cannot switch chains. Open Countersign from a Safe on a configured chain.',
  },
  SIGNER_IS_NOT_ACCOUNT: {
    other: 'The signature of {wallet} belongs to `{recovered}` on the reviewed hash, not to `{account}`.',
    nobody: 'The signature of {wallet} belongs to nobody on the reviewed hash. It should belong to `{account}`.',
  },
} as const satisfies Sentences

/** Sentences of the launcher, the start of the server and the devnet: they reach the terminal alone. */
// biome-ignore format: one sentence a line reads as the table it is
const launchSentences = {
  CONFIGURATION_INVALID: {
    faults: 'The configuration has errors:\n{faults}',
    migrations: 'There are no migrations at `{places}`.',
    host: 'HOST is `{host}`, which is not an address of this machine.',
  },
  PORT_IN_USE: {
    range: 'The ports `{first}` to `{last}` are all in use.',
    port: 'The port `{port}` at `{host}` is in use.',
    forbidden: 'This user may not listen on port `{port}` of `{host}`.',
    'public-url': 'Port `{port}` is in use, and COUNTERSIGN_PUBLIC_URL is set, so no other port is used instead.',
    none: 'No free port was found from `{port}` on.',
  },
  DATA_IN_USE: {
    process: 'The data directory `{directory}` is in use by process {pid}.',
    unknown: 'The data directory `{directory}` is in use by another process.',
    postgres: 'The PostgreSQL with process id `{pid}` in `{directory}` cannot be stopped.',
  },
  DATA_NOT_WRITABLE: {
    file: 'The data directory `{directory}` cannot be written ({systemError}).',
    'read-only': 'The data directory `{directory}` cannot be written: its file system is mounted read-only ({systemError}).',
    user: 'The data directory `{directory}` cannot be written: user {user} may not ({systemError}).',
    unreachable: 'PostgreSQL does not run as root, and there is no directory that user `{user}` can reach.',
  },
  BACKUP_INVALID: {
    'no-command': 'Say `backup`, with a file or directory for it, or `restore` with the file of a backup; not `{given}`.',
    'no-data': 'There is no data of Countersign to back up.',
    exists: 'There is a file `{file}` already.',
    unreadable: 'The file `{file}` cannot be read ({systemError}).',
    'not-a-backup': 'The file `{file}` is no backup of Countersign.',
    'cut-off': 'The file `{file}` ends too early: it was cut off.',
    changed: 'The file `{file}` was changed since it was written: `{table}` has other rows than its end says.',
    refused: 'PostgreSQL refuses a row of `{file}`: {message}.',
    'not-restored': 'What PostgreSQL stored of `{table}` differs from what the file `{file}` holds.',
    log: 'Entry {entry} of the activity log in `{file}` does not follow from the one before it: the log was changed.',
  },
  DATA_TOO_NEW: {
    postgres: 'The database in `{directory}` was written by PostgreSQL `{found}`; this version brings `{supported}`.',
    schema: 'The database has the schema of `{newestAt}`; this version knows `{knownAt}`.',
  },
  RESTORE_REFUSED: {
    'not-empty': 'The database holds data already.',
    'newer-tables': 'The database has empty tables of a newer version than the backup.',
    'in-use': 'A server of Countersign uses the database now, with {connections} connections.',
  },
  PART_ENDED: {
    part: '{what}.{lastLines}',
    'too-often': '{part} ended `{ends}` times in a row; everything else is stopped now. The last time: {last}',
    stopping: 'Stopping.',
  },
  PUBLIC_URL_REQUIRED: 'COUNTERSIGN_PUBLIC_URL must be an https URL when HOST is `{host}`.',
  DATABASE_UNAVAILABLE: {
    ...errorSentences.DATABASE_UNAVAILABLE,
    package: 'There is no embedded PostgreSQL for `{platform}` (`{package}`). Set DATABASE_URL to a PostgreSQL 15 or newer.',
    root: 'PostgreSQL does not run as root, and the system has neither a user `postgres` nor `nobody`. Start Countersign as another user, or set DATABASE_URL.',
    cluster: 'PostgreSQL could not create its cluster (exit code {exitCode}). The end of `{file}`:\n{lastLines}',
    start: 'PostgreSQL did not start. The end of `{file}`:\n{lastLines}',
    'role-refused': 'For the role `{role}` and the database `{database}`, PostgreSQL does not let that role in: look at its `pg_hba.conf`.',
    'password-refused': 'For the role `{role}` and the database `{database}`, PostgreSQL does not take that password: look at `DATABASE_URL`.',
    'no-database': 'For the role `{role}` and the database `{database}`, PostgreSQL has no such database: create it.',
    'not-owner': 'For the role `{role}` and the database `{database}`, PostgreSQL does not let that role make tables there: make it the owner of the database.',
  },
  CHAIN_UNREACHABLE: {
    ...errorSentences.CHAIN_UNREACHABLE,
    'devnet-start': 'The node `{binary}` did not start: {complaint}',
    'devnet-package': 'The package `{package}` with the local node is not installed.',
    'devnet-silent': 'No answer from the node at `{rpcUrl}`.',
    'devnet-stuck': 'The node at `{rpcUrl}` does not mine what it was sent.',
    'devnet-ended': 'The node at `{rpcUrl}` has ended.',
  },
  EXECUTION_REVERTED: {
    ...errorSentences.EXECUTION_REVERTED,
    devnet: 'The transaction `{transactionHash}` reverted.',
  },
  INTERNAL: {
    ...errorSentences.INTERNAL,
    'devnet-code': 'The code at `{address}` ({asset} {version}) has the hash `{codeHash}`, not the official `{official}`.',
    'devnet-address': 'The npm artifact of {asset} {version} would be at `{reached}`, not at the canonical `{address}`.',
    'devnet-safe': 'The factory of Safe `{version}` did not create the Safe at the predicted `{address}`.',
    'devnet-asset': 'There is no `{asset}` of Safe `{version}`.',
  },
} as const satisfies Sentences

const all = { ...errorSentences, ...launchSentences } satisfies Record<ErrorCode, Sentences[string]>

/**
 * An error of the table, its English sentence filled from its data. The compiler asks for the data that it needs.
 *
 * @example
 * throw fail('SAFE_NOT_FOUND', { address, chainId })
 */
export const fail = failWith(all)
