import type {
  ActivityVerb,
  EntryKind,
  ErrorCode,
  ListFault,
  NodeLimitKind,
  OwnersPending,
  Reviewed,
  SafeOrigin,
} from '@countersign/contract'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  doublePrecision,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { address, addressList, blockNumber, chainId, hash, hex, moment, ownerSignature, uint256 } from './columns.ts'

/** One row: what this installation calls itself in cookie names, which ignore ports. */
export const installation = pgTable('installation', {
  id: text('id').primaryKey(),
  createdAt: moment('created_at').notNull(),
  /** Signs the cookie by which a browser is known to have signed in before. It opens nothing. */
  seenKey: hash('seen_key').notNull().default(sql`sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)`),
})

export const session = pgTable(
  'session',
  {
    /** SHA-256 of the cookie's value: who reads the database cannot become anybody. */
    tokenHash: hash('token_hash').primaryKey(),
    /** Name of the session for the account's other sessions. */
    id: text('id').notNull(),
    address: address('address').notNull(),
    chainId: chainId(),
    /** A key proves the account on every chain; a contract on its own, where alone its owners are known. */
    provenBy: text('proven_by').$type<'key' | 'contract'>().notNull(),
    isFramed: boolean('is_framed').notNull().default(false),
    userAgent: text('user_agent'),
    clientAddress: text('client_address'),
    createdAt: moment('created_at').notNull(),
    lastSeenAt: moment('last_seen_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** When it was ended from elsewhere; its end came then, and the row stays to say so. */
    revokedAt: moment('revoked_at'),
    /** The owner of the Safe who ended it; null: its own account. */
    revokedBy: address('revoked_by'),
    /** The warrant that a contract account's session rests on. */
    warrantId: text('warrant_id').references((): AnyPgColumn => warrant.id, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex('session_id').on(table.id),
    index('session_expires_at').on(table.expiresAt),
    index('session_address').on(table.address, table.createdAt),
    index('session_warrant').on(table.warrantId).where(sql`${table.warrantId} is not null`),
  ],
)

/**
 * The signature by which a contract account proved itself, and so what everything rests on that was opened, made or named
 * with it. It is verified again as long as something does.
 */
export const warrant = pgTable(
  'warrant',
  {
    id: text('id').primaryKey(),
    chainId: chainId(),
    account: address('account').notNull(),
    /** The owners of the Safe whose signatures were in it, as far as they are known. */
    signers: addressList('signers').notNull(),
    signedHash: hash('signed_hash').notNull(),
    signature: hex('signature').notNull(),
    userAgent: text('user_agent'),
    clientAddress: text('client_address'),
    isFramed: boolean('is_framed').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    checkedAt: moment('checked_at').notNull(),
    /** Since when, and since which block, the contract refuses the signature. Null: it did not when it was last asked. */
    refusedAt: moment('refused_at'),
    refusedBlock: blockNumber('refused_block'),
    /** When it was certain that the owners are others. */
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('warrant_checked').on(table.checkedAt).where(sql`${table.endedAt} is null`),
    index('warrant_account').on(table.chainId, table.account),
  ],
)

/** The Safes whose owners decided that the signature of a warrant was valid: the account itself, and nested owners. */
export const warrantGround = pgTable(
  'warrant_ground',
  {
    warrantId: text('warrant_id')
      .notNull()
      .references(() => warrant.id, { onDelete: 'cascade' }),
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    /** Hash of what decided then, and of what decides as last read: others are in charge where the two differ. */
    authority: hash('authority').notNull(),
    blockNumber: blockNumber('block_number').notNull(),
    seenAuthority: hash('seen_authority').notNull(),
    seenBlock: blockNumber('seen_block').notNull(),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.warrantId, table.safeAddress] }),
    index('warrant_ground_safe').on(table.chainId, table.safeAddress),
  ],
)

const signInMessage = () => ({
  nonce: text('nonce').primaryKey(),
  /** SHA-256 of the cookie of the browser that asked. */
  browserHash: hash('browser_hash').notNull(),
  address: address('address').notNull(),
  chainId: chainId(),
  message: text('message').notNull(),
  issuedAt: moment('issued_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  /** When it was used, whatever came of it. The row stays for a while, to say so to who comes with it again. */
  spentAt: moment('spent_at'),
})

/**
 * Messages that a key is asked to sign. Unlogged (see the migration): a crash empties it, so that nothing that was used
 * can be used again, and nobody waits for a disk to be asked for a signature.
 */
export const signInNonce = pgTable('sign_in_nonce', signInMessage(), (table) => [
  index('sign_in_nonce_expires_at').on(table.expiresAt),
])

/** Messages that owners of a contract account sign one after the other, over hours: these outlive a crash. */
export const waitingSignIn = pgTable(
  'waiting_sign_in',
  {
    ...signInMessage(),
    /** Answer of the account's wallet instead of a signature: the browser waits for the owners. Null: it does not. */
    pending: jsonb('pending').$type<OwnersPending>(),
    /** Word for an end without a sign-in: an owner refused it, or the browser that asked gave it up. */
    refusal: text('refusal').$type<'refused' | 'cancelled'>(),
  },
  (table) => [
    index('waiting_sign_in_expires_at').on(table.expiresAt),
    // Browsers that wait ask every few seconds, and anybody may have many messages prepared.
    index('waiting_sign_in_browser').on(table.browserHash, table.issuedAt),
    index('waiting_sign_in_account').on(table.chainId, table.address, table.issuedAt),
  ],
)

/** A Safe as last read from the chain. Without owners: found on it, and not read yet. */
export const safe = pgTable(
  'safe',
  {
    chainId: chainId(),
    address: address('address').notNull(),
    owners: addressList('owners').notNull(),
    threshold: integer('threshold').notNull(),
    nonce: uint256('nonce').notNull(),
    /** Version of the official singleton; null when it is none. */
    version: text('version'),
    /** Version whose EIP-712 domain the Safe uses. */
    domainVersion: text('domain_version').notNull(),
    /** Whether it is on the chain; else the facts above are what its creation says, which is kept in `safe_creation`. */
    isDeployed: boolean('is_deployed').notNull().default(true),
    /** The block that the facts above were read at. */
    blockNumber: blockNumber('block_number').notNull(),
    /** Hash of that block, until the follower has passed it: it may find another block there. Null afterwards. */
    blockHash: hash('block_hash'),
    /** Logs after that block touched it, or that block is lost: to be read again. */
    isStale: boolean('is_stale').notNull().default(false),
    /** Up to this block the history explains balance and nonce, or says that it does not; null: not compared yet. */
    comparedBlock: blockNumber('compared_block'),
    comparedBalance: uint256('compared_balance'),
    comparedNonce: uint256('compared_nonce'),
    /** The first block of what is still to be read of its history; null when all of it is read. */
    backfillBlock: blockNumber('backfill_block'),
    /** The last block of that: it is read downwards. Null until the Safe is followed, and when all of it is read. */
    backfillTo: blockNumber('backfill_to'),
    /** Since when somebody of the team has that not read on. Null: it is read. */
    backfillStoppedAt: moment('backfill_stopped_at'),
    /** How it is known where its history begins. Null: nobody has looked. */
    origin: text('origin').$type<SafeOrigin>(),
    /** The block that proves its creation; it goes with that block when nobody here uses it. Null: not known. */
    createdBlock: blockNumber('created_block'),
    addedAt: moment('added_at').notNull(),
    /** The account that made the nodes read it first. Null: found on the chain, or stored before accounts were counted. */
    addedBy: address('added_by'),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.address] }),
    index('safe_added_by').on(table.addedBy, table.addedAt).where(sql`${table.addedBy} is not null`),
    index('safe_owners').using('gin', table.owners),
    index('safe_compared').on(table.chainId, table.comparedBlock),
    index('safe_stale').on(table.chainId).where(sql`${table.isStale}`),
    index('safe_backfill').on(table.chainId, table.backfillTo).where(sql`${table.backfillBlock} is not null`),
    // Undoing blocks.
    index('safe_created').on(table.chainId, table.createdBlock).where(sql`${table.createdBlock} is not null`),
    index('safe_ahead').on(table.chainId, table.blockNumber).where(sql`${table.blockHash} is not null`),
  ],
)

/** The call that creates a Safe, as somebody gave it. It stays: the same bytes create the Safe on another chain. */
export const safeCreation = pgTable(
  'safe_creation',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    factory: address('factory').notNull(),
    data: hex('data').notNull(),
    keptBy: address('kept_by').notNull(),
    keptAt: moment('kept_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeAddress] }),
    foreignKey({ columns: [table.chainId, table.safeAddress], foreignColumns: [safe.chainId, safe.address] }),
  ],
)

/** Safes of each account's My Safes. */
export const safeListEntry = pgTable(
  'safe_list_entry',
  {
    account: address('account').notNull(),
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    addedAt: moment('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.account, table.chainId, table.safeAddress] }),
    foreignKey({ columns: [table.chainId, table.safeAddress], foreignColumns: [safe.chainId, safe.address] }),
    // Whether a Safe that is to be removed is in any list.
    index('safe_list_entry_safe').on(table.chainId, table.safeAddress),
  ],
)

/** The order of the wire format's lists. */
function byNonce(table: Record<'nonce' | 'submissionDate' | 'safeTxHash', ExtraConfigColumn>) {
  return [table.nonce.desc().nullsLast(), table.submissionDate.desc().nullsLast(), table.safeTxHash] as const
}

/** Proposed here, or found executed on the chain. */
export const multisigTransaction = pgTable(
  'multisig_transaction',
  {
    chainId: chainId(),
    safeTxHash: hash('safe_tx_hash').notNull(),
    safeAddress: address('safe_address').notNull(),
    /** The ten fields; all null when it was executed outside and they could not be recovered. */
    to: address('to'),
    value: uint256('value'),
    data: hex('data'),
    operation: smallint('operation').$type<0 | 1>(),
    safeTxGas: uint256('safe_tx_gas'),
    baseGas: uint256('base_gas'),
    gasPrice: uint256('gas_price'),
    gasToken: address('gas_token'),
    refundReceiver: address('refund_receiver'),
    nonce: uint256('nonce'),
    /** Version whose EIP-712 domain gave it its hash when it was proposed; null when it was found on the chain. */
    domainVersion: text('domain_version'),
    /** The owner it counts as the proposal of; null when it was never proposed here. */
    proposer: address('proposer'),
    /** Delegate who wrote it for that owner. */
    proposedByDelegate: address('proposed_by_delegate'),
    /** The account that brought it here, whoever it counts as the proposal of: it takes room of what that account has. */
    keptBy: address('kept_by'),
    /** Whether a valid signature of an owner or a delegate ever came with it. What has none waits apart. */
    isTrusted: boolean('is_trusted').notNull().default(true),
    origin: text('origin'),
    /** The changes that the proposer declared and signed, as JSON: a claim. */
    declaredEffects: text('declared_effects'),
    submissionDate: moment('submission_date').notNull(),
    /** When anything about it last changed here; null: never since. */
    modifiedDate: moment('modified_date'),
    /** When it last changed, here or on the chain: what lists are asked for. */
    changedDate: moment('changed_date').generatedAlwaysAs(
      sql`coalesce("modified_date", "execution_date", "submission_date")`,
    ),
    /** Ethereum transaction that somebody claims to have sent; a claim until the chain shows it. */
    pendingTransactionHash: hash('pending_transaction_hash'),
    pendingExecutor: address('pending_executor'),
    pendingDate: moment('pending_date'),
    /** Until when a process may be sending it to another service: two never send at a time. */
    sendingUntil: moment('sending_until'),
    isExecuted: boolean('is_executed').notNull().default(false),
    isSuccessful: boolean('is_successful'),
    transactionHash: hash('transaction_hash'),
    executor: address('executor'),
    /** Confirmations that its execution carried. */
    executedConfirmations: integer('executed_confirmations'),
    blockNumber: blockNumber('block_number'),
    blockHash: hash('block_hash'),
    logIndex: integer('log_index'),
    executionDate: moment('execution_date'),
    /** Gas of the Ethereum transaction that executed it, and its cost in wei. Null where it was not read. */
    gasUsed: uint256('gas_used'),
    fee: uint256('fee'),
    maxFeePerGas: uint256('max_fee_per_gas'),
    maxPriorityFeePerGas: uint256('max_priority_fee_per_gas'),
    /** Refunded for gas by the Safe, in the gas token's smallest unit. Null where nothing tells. */
    payment: uint256('payment'),
    /** Signatures that its execution carried. */
    signatures: hex('signatures'),
    /** An executed transaction of which a confirmation is kept. Nearly all are, and lists ask for the others. */
    isConfirmed: boolean('is_confirmed').notNull().default(false),
    /** Whether the accounts that it pays stand in `payment`, which is read from its fields once it is executed. */
    hasPayments: boolean('has_payments').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeTxHash] }),
    foreignKey({ columns: [table.chainId, table.safeAddress], foreignColumns: [safe.chainId, safe.address] }),
    index('multisig_transaction_queue')
      .on(table.chainId, table.safeAddress, table.nonce, table.submissionDate, table.safeTxHash)
      .where(sql`not ${table.isExecuted}`),
    // Executed transactions in the order of the chain.
    index('multisig_transaction_history')
      .on(
        table.chainId,
        table.safeAddress,
        table.executionDate,
        table.blockNumber,
        table.logIndex,
        table.safeTxHash,
        table.isTrusted,
      )
      .where(sql`${table.isExecuted}`),
    // Whatever its state, as tools list and filter it: `tx-service/lists/multisig-page.ts` says which index it goes by. Columns
    // behind the hash are not to be sorted by: with them counting and skipping need the index alone.
    index('multisig_transaction_list').on(
      table.chainId,
      table.safeAddress,
      ...byNonce(table),
      table.isExecuted,
      table.isTrusted,
      table.isSuccessful,
      table.isConfirmed,
      table.value,
      table.changedDate,
    ),
    index('multisig_transaction_to').on(
      table.chainId,
      table.safeAddress,
      table.to,
      ...byNonce(table),
      table.isExecuted,
      table.isTrusted,
    ),
    index('multisig_transaction_value').on(
      table.chainId,
      table.safeAddress,
      table.value,
      ...byNonce(table),
      table.isExecuted,
      table.isTrusted,
    ),
    index('multisig_transaction_submitted').on(
      table.chainId,
      table.safeAddress,
      table.submissionDate,
      table.safeTxHash,
      table.isExecuted,
      table.isTrusted,
    ),
    index('multisig_transaction_changed').on(
      table.chainId,
      table.safeAddress,
      table.changedDate,
      table.safeTxHash,
      table.isExecuted,
      table.isTrusted,
    ),
    index('multisig_transaction_failed')
      .on(table.chainId, table.safeAddress, ...byNonce(table), table.isTrusted)
      .where(sql`not ${table.isSuccessful}`),
    index('multisig_transaction_unconfirmed')
      .on(table.chainId, table.safeAddress, ...byNonce(table), table.isTrusted)
      .where(sql`${table.isExecuted} and not ${table.isConfirmed}`),
    // Transactions that an account has brought.
    index('multisig_transaction_kept')
      .on(table.keptBy, table.chainId, table.safeAddress)
      .where(sql`not ${table.isExecuted}`),
    // Those that end by themselves.
    index('multisig_transaction_unsigned')
      .on(table.submissionDate)
      .where(sql`not ${table.isTrusted} and not ${table.isExecuted}`),
    index('multisig_transaction_block').on(table.chainId, table.blockNumber).where(sql`${table.isExecuted}`),
    index('multisig_transaction_unread_payments')
      .on(table.chainId, table.safeTxHash)
      .where(sql`${table.isExecuted} and not ${table.hasPayments}`),
  ],
)

/** The accounts that executed transactions pay, by their own calls: no log adds to them. */
export const payment = pgTable(
  'payment',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    payee: address('payee').notNull(),
    safeTxHash: hash('safe_tx_hash').notNull(),
    nonce: uint256('nonce').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeAddress, table.payee, table.safeTxHash] }),
    foreignKey({
      columns: [table.chainId, table.safeTxHash],
      foreignColumns: [multisigTransaction.chainId, multisigTransaction.safeTxHash],
    }).onDelete('cascade'),
    index('payment_transaction').on(table.chainId, table.safeTxHash),
    // The newest payment to an account is found without reading the others.
    index('payment_newest').on(table.chainId, table.safeAddress, table.payee, table.nonce),
  ],
)

export const confirmation = pgTable(
  'confirmation',
  {
    chainId: chainId(),
    safeTxHash: hash('safe_tx_hash').notNull(),
    ...ownerSignature(),
    /** The block that owners, contract or approved hash were read at when it was verified; null: its execution did. */
    verifiedBlock: blockNumber('verified_block'),
    /** Hash of that block for an approved hash, until the follower has passed it. Null afterwards. */
    verifiedBlockHash: hash('verified_block_hash'),
    /** Ethereum transaction that approved the hash, where it is known. */
    transactionHash: hash('transaction_hash'),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeTxHash, table.owner] }),
    foreignKey({
      columns: [table.chainId, table.safeTxHash],
      foreignColumns: [multisigTransaction.chainId, multisigTransaction.safeTxHash],
    }).onDelete('cascade'),
    // Undoing blocks.
    index('confirmation_approved')
      .on(table.chainId, table.verifiedBlock)
      .where(sql`${table.signatureType} = 'APPROVED_HASH'`),
    index('confirmation_ahead')
      .on(table.chainId, table.verifiedBlock)
      .where(sql`${table.verifiedBlockHash} is not null`),
  ],
)

/** Append-only, kept so by a trigger: who did what. */
export const activity = pgTable(
  'activity',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    at: moment('at').notNull(),
    /** Null: the server by itself, which writes down what the chain shows and removes what nobody signed. */
    account: address('account'),
    verb: text('verb').$type<ActivityVerb>().notNull(),
    chainId: chainId(),
    safeAddress: address('safe_address'),
    safeTxHash: hash('safe_tx_hash'),
    detail: jsonb('detail').$type<Record<string, string>>(),
    /** The account's claim of what its page showed. */
    reviewed: jsonb('reviewed').$type<Reviewed>(),
    /** Chains the entries of one Safe; written by the database itself (see the migration). Null without a Safe. */
    previousHash: hash('previous_hash'),
    hash: hash('hash'),
    /** Where readers of the log find it, set by the database itself: the cluster, and the transaction that wrote it. */
    epoch: integer('epoch').notNull().default(0),
    txId: bigint('tx_id', { mode: 'bigint' }).notNull().default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [
    index('activity_safe').on(table.chainId, table.safeAddress, table.id),
    index('activity_outbox').on(table.epoch, table.txId, table.id),
    // Reports of a transaction or a message.
    index('activity_reviewed')
      .on(
        table.chainId,
        table.safeAddress,
        sql`coalesce('0x' || encode(${table.safeTxHash}, 'hex'), ${table.detail} ->> 'safeMessageHash')`,
        table.id,
      )
      .where(sql`${table.reviewed} is not null`),
  ],
)

/** PostgreSQL clusters that held this database: ids of transactions begin anew in each. */
export const outboxEpoch = pgTable('outbox_epoch', {
  epoch: integer('epoch').primaryKey(),
  systemIdentifier: text('system_identifier').notNull(),
})

/** How far a reader of the log is, and which process reads for it. */
export const outboxReader = pgTable('outbox_reader', {
  name: text('name').primaryKey(),
  epoch: integer('epoch').notNull(),
  txId: bigint('tx_id', { mode: 'bigint' }).notNull(),
  entryId: bigint('entry_id', { mode: 'bigint' }).notNull(),
  /** Process that reads until then: a lease. */
  holder: text('holder'),
  heldUntil: moment('held_until'),
})

function place(table: Record<'chainId' | 'safeAddress', ExtraConfigColumn>) {
  return [table.chainId, table.safeAddress] as const
}

/** Events of a Safe on the chain, one row each. Written by the follower alone, undone when blocks go. */
export const historyEntry = pgTable(
  'history_entry',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    blockNumber: blockNumber('block_number').notNull(),
    /** Place in the block; of the log that tells it, or of the log that it comes with. */
    logIndex: integer('log_index').notNull(),
    /** Tells apart what comes with one log: several moves of one batch. */
    part: integer('part').notNull(),
    kind: text('kind').$type<EntryKind>().notNull(),
    /** Lower bound of an unexplained change: it happened after this block, and up to its own. */
    afterBlock: blockNumber('after_block'),
    blockTime: moment('block_time').notNull(),
    /** Null for what no Ethereum transaction explains. */
    transactionHash: hash('transaction_hash'),
    /** Hash of an execution or an approval; the SafeMessage's hash for a signed message. */
    safeTxHash: hash('safe_tx_hash'),
    isSuccessful: boolean('is_successful'),
    /** Owner, module, guard, handler, singleton or creator that it is about. */
    subject: address('subject'),
    /** Creation: the official factory, and the singleton that it names. */
    factory: address('factory'),
    singleton: address('singleton'),
    threshold: integer('threshold'),
    /** Token of a transfer; null for the native coin. */
    token: address('token'),
    tokenKind: text('token_kind').$type<'native' | 'erc20' | 'erc721' | 'erc1155'>(),
    tokenId: uint256('token_id'),
    counterparty: address('counterparty'),
    /** In the token's smallest unit. */
    amount: uint256('amount'),
    /** Call data that a module executed. */
    data: hex('data'),
    operation: smallint('operation').$type<0 | 1>(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeAddress, table.blockNumber, table.logIndex, table.part] }),
    // Undoing blocks.
    index('history_entry_block').on(table.chainId, table.blockNumber),
    // Finds the other entries of an Ethereum transaction.
    index('history_entry_transaction').on(
      table.chainId,
      table.transactionHash,
      table.safeAddress,
      table.logIndex,
      table.part,
    ),
    // Finds kinds that are rare among executions and transfers: creation, calls of modules, settings.
    index('history_entry_rare')
      .on(...place(table), table.kind, table.blockNumber, table.logIndex, table.part)
      .where(sql`${table.kind} not in ('executed', 'transfer-in', 'transfer-out')`),
    // Transfers, in the order of lists, where a Safe executes much besides; and lists by asset, counterparty and time.
    index('history_entry_transfer')
      .on(...place(table), table.blockNumber, table.logIndex, table.part)
      .where(sql`${table.kind} in ('transfer-in', 'transfer-out')`),
    index('history_entry_incoming')
      .on(...place(table), table.blockNumber, table.logIndex, table.part, table.tokenKind)
      .where(sql`${table.kind} = 'transfer-in'`),
    index('history_entry_token')
      .on(...place(table), table.token, table.blockNumber, table.logIndex, table.part)
      .where(sql`${table.token} is not null`),
    index('history_entry_counterparty')
      .on(...place(table), table.counterparty, table.blockNumber, table.logIndex, table.part)
      .where(sql`${table.counterparty} is not null`),
    index('history_entry_time').on(...place(table), table.blockTime, table.blockNumber),
    // Finds unexplained changes, which are looked at again.
    index('history_entry_unexplained')
      .on(table.chainId, table.blockNumber, table.safeAddress, table.part)
      .where(sql`${table.afterBlock} is not null`),
    // Sums of what went out lately, for limits of the policy.
    index('history_entry_spent')
      .on(table.chainId, table.safeAddress, table.token, table.blockTime)
      .where(sql`${table.kind} = 'transfer-out'`),
    // Safes that a module may act for.
    index('history_entry_module')
      .on(table.chainId, table.subject)
      .where(sql`${table.kind} in ('module-enabled', 'module-disabled')`),
    // Approvals of a hash that is proposed afterwards.
    index('history_entry_approved').on(table.chainId, table.safeTxHash).where(sql`${table.kind} = 'hash-approved'`),
  ],
)

/** How far a chain is followed. */
export const chainCursor = pgTable('chain_cursor', {
  chainId: bigint('chain_id', { mode: 'number' }).primaryKey(),
  /** The last block whose logs are in the tables above. */
  blockNumber: blockNumber('block_number').notNull(),
  blockHash: hash('block_hash').notNull(),
  /** Up to this block every Safe that was created is known, where the whole chain is read; null: not begun. */
  discoveredBlock: blockNumber('discovered_block'),
  /** The time that the block carries; null where it is not known: before the first range, and after a rebuild. */
  blockTime: moment('block_time'),
  /** Set when the chain was reorganised deeper than is undone: nothing is followed until it is rebuilt. */
  stoppedAt: moment('stopped_at'),
})

/** Process that follows a chain, and its progress. Written by that process alone. */
export const chainFollower = pgTable('chain_follower', {
  chainId: bigint('chain_id', { mode: 'number' }).primaryKey(),
  /** Token of the process that follows now: a process that takes over replaces it, and nobody writes with another. */
  token: text('token').notNull(),
  /** The newest block of the node, and when it was asked for it. */
  headBlock: blockNumber('head_block'),
  headTime: moment('head_time'),
  headReadAt: moment('head_read_at'),
  /** Error of the last attempt, and the time since which each attempt has failed. */
  failureCode: text('failure_code').$type<ErrorCode>(),
  failingSince: moment('failing_since'),
  /** Nodes that say different things, by host; the block that they differ in. */
  disagreeingHosts: jsonb('disagreeing_hosts').$type<string[]>(),
  disagreedBlock: blockNumber('disagreed_block'),
  /** Blocks of the past that were read in a second, lately; null where none were. */
  backfillRate: doublePrecision('backfill_rate'),
  /** From the first to the last block whose transfers were asked for of named tokens alone; null where none were. */
  namedTokensFrom: blockNumber('named_tokens_from'),
  namedTokensTo: blockNumber('named_tokens_to'),
})

/** Limits of nodes, as they were learned from their answers. Written by whichever process learned them. */
export const nodeLimit = pgTable(
  'node_limit',
  {
    chainId: chainId(),
    /** Name of the node for people: its host, numbered where two URLs have one. */
    node: text('node').notNull(),
    kind: text('kind').$type<NodeLimitKind>().notNull(),
    /** The most that it takes, in the unit of the kind; null where it does not say. */
    value: bigint('value', { mode: 'number' }),
    /** Words of its refusal. */
    words: text('words').notNull(),
    learnedAt: moment('learned_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.node, table.kind] })],
)

/** Token lists that the operator names by URL: the last content that could be used, and how the last try went. */
export const tokenList = pgTable('token_list', {
  /** SHA-256 of the URL, which may hold a key. */
  id: hash('id').primaryKey(),
  content: text('content'),
  /** Tag of the content, by its host. */
  etag: text('etag'),
  fetchedAt: moment('fetched_at'),
  confirmedAt: moment('confirmed_at'),
  triedAt: moment('tried_at').notNull(),
  /** Null: the last try succeeded. */
  fault: text('fault').$type<ListFault>(),
  faultDetail: text('fault_detail'),
})

/** Hashes of the newest blocks, to find where the chain was reorganised. */
export const chainHeader = pgTable(
  'chain_header',
  { chainId: chainId(), blockNumber: blockNumber('block_number').notNull(), blockHash: hash('block_hash').notNull() },
  (table) => [primaryKey({ columns: [table.chainId, table.blockNumber] })],
)
