import type { DeliveryFailure, WebhookEvent } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { address, blockNumber, chainId, hash, hex, moment, ownerSignature, uint256 } from './columns.ts'
import { multisigTransaction, warrant } from './schema.ts'

/*
 * Tables of a Safe's team, of which the chain knows nothing. No row refers to the Safe's own row: that one goes with
 * a block that is lost, and comes again; the texts of people stay.
 */

/** The warrant that it rests on, where a contract account said so; null: a key did. */
const warrantId = () => text('warrant_id').references(() => warrant.id, { onDelete: 'cascade' })

/** An account that may propose for an owner (STS: delegate). In force while the delegator is an owner. */
export const delegate = pgTable(
  'delegate',
  {
    chainId: chainId(),
    /** Null: for every Safe of the delegator on this chain. */
    safeAddress: address('safe_address'),
    delegate: address('delegate').notNull(),
    delegator: address('delegator').notNull(),
    label: text('label').notNull(),
    /** Signature of the delegator; null when the delegator was signed in instead. */
    signature: hex('signature'),
    createdAt: moment('created_at').notNull(),
    expiryDate: moment('expiry_date'),
    warrantId: warrantId(),
  },
  (table) => [
    unique('delegate_once').on(table.chainId, table.safeAddress, table.delegate, table.delegator).nullsNotDistinct(),
    index('delegate_delegate').on(table.delegate, table.chainId),
    index('delegate_delegator').on(table.delegator, table.chainId),
    // Tools ask for a label without a Safe.
    index('delegate_label').on(table.label, table.chainId),
    index('delegate_expires').on(table.expiryDate).where(sql`${table.expiryDate} is not null`),
    index('delegate_warrant').on(table.warrantId).where(sql`${table.warrantId} is not null`),
  ],
)

/** An account that an owner lets see what the team sees. In force while that owner is one. */
export const viewer = pgTable(
  'viewer',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    account: address('account').notNull(),
    invitedBy: address('invited_by').notNull(),
    label: text('label').notNull(),
    createdAt: moment('created_at').notNull(),
    warrantId: warrantId(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeAddress, table.account, table.invitedBy] }),
    index('viewer_account').on(table.account, table.chainId),
    index('viewer_warrant').on(table.warrantId).where(sql`${table.warrantId} is not null`),
  ],
)

/** A message that a Safe signs off the chain (EIP-191 text or EIP-712 typed data). */
export const safeMessage = pgTable(
  'safe_message',
  {
    chainId: chainId(),
    /** EIP-712 hash of SafeMessage. */
    safeMessageHash: hash('message_hash').notNull(),
    safeAddress: address('safe_address').notNull(),
    /** JSON as it came: a string, or typed data with its keys in their order. */
    content: text('content').notNull(),
    proposer: address('proposer').notNull(),
    safeAppId: integer('safe_app_id'),
    origin: text('origin'),
    submissionDate: moment('submission_date').notNull(),
    modifiedDate: moment('modified_date').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeMessageHash] }),
    index('safe_message_list').on(table.chainId, table.safeAddress, table.submissionDate, table.safeMessageHash),
    index('safe_message_changed').on(table.chainId, table.safeAddress, table.modifiedDate, table.safeMessageHash),
  ],
)

export const messageConfirmation = pgTable(
  'message_confirmation',
  {
    chainId: chainId(),
    safeMessageHash: hash('message_hash').notNull(),
    ...ownerSignature(),
    /** The block that owners and contract were read at when it was verified. */
    verifiedBlock: blockNumber('verified_block').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeMessageHash, table.owner] }),
    foreignKey({
      columns: [table.chainId, table.safeMessageHash],
      foreignColumns: [safeMessage.chainId, safeMessage.safeMessageHash],
    }).onDelete('cascade'),
  ],
)

/**
 * A transaction or a message that its proposer deleted while accounts had signed it: their signatures live on, and are
 * shown until the nonce is used.
 */
export const deletedProposal = pgTable(
  'deleted_proposal',
  {
    chainId: chainId(),
    /** The safeTxHash, or the safeMessageHash. */
    hash: hash('hash').notNull(),
    safeAddress: address('safe_address').notNull(),
    /** A transaction's; null for a message. */
    nonce: uint256('nonce'),
    /** The ten fields of a transaction, as the wire writes them. */
    safeTx: jsonb('safe_tx'),
    domainVersion: text('domain_version'),
    /** JSON of a message as it came. */
    content: text('content'),
    signatures: jsonb('signatures').$type<{ owner: Hex; signature: Hex }[]>().notNull(),
    /** Bytes of calldata or content: there is room for so many of an account. */
    bytes: integer('bytes').notNull(),
    keptBy: address('kept_by').notNull(),
    deletedDate: moment('deleted_date').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.hash] }),
    index('deleted_proposal_safe').on(table.chainId, table.safeAddress, table.keptBy),
  ],
)

/** A signature that was sent here and refused. Kept, because it may show that somebody was made to sign another thing. */
export const refusedSignature = pgTable(
  'refused_signature',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    at: moment('at').notNull(),
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    /** Claimed object of the signature: a safeTxHash or a message hash. */
    signedHash: hash('signed_hash').notNull(),
    signature: hex('signature').notNull(),
    /** keccak256 of the signature: once is enough. */
    signatureHash: hash('signature_hash').notNull(),
    submittedBy: address('submitted_by').notNull(),
    /** Whose it is, on that hash or on the other; null when it is of nobody known. */
    signer: address('signer'),
    /** The proposal of this Safe that it really signs. */
    otherSafeTxHash: hash('other_safe_tx_hash'),
    code: text('code').notNull(),
    /** Shown to every owner until one of them says that it is understood. */
    isAlarm: boolean('is_alarm').notNull(),
    acknowledgedBy: address('acknowledged_by'),
    acknowledgedAt: moment('acknowledged_at'),
  },
  (table) => [
    unique('refused_signature_once').on(table.chainId, table.safeAddress, table.signedHash, table.signatureHash),
    index('refused_signature_safe').on(table.chainId, table.safeAddress, table.id),
  ],
)

/** Text of a team member about a transaction or a message. A claim, not a fact. */
export const note = pgTable(
  'note',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    /** A safeTxHash or a message hash. */
    subjectHash: hash('subject_hash').notNull(),
    author: address('author').notNull(),
    text: text('text').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('note_subject').on(table.chainId, table.safeAddress, table.subjectHash, table.id)],
)

/** A draft or a template that a member keeps for the team, as text. Nothing here reads it. */
export const teamDraft = pgTable(
  'team_draft',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    author: address('author').notNull(),
    name: text('name').notNull(),
    content: text('content').notNull(),
    isTemplate: boolean('is_template').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('team_draft_safe').on(table.chainId, table.safeAddress, table.id)],
)

/**
 * A proof pack that a member attached to a proposal, as it came: nobody here has checked it. It goes with the proposal, and
 * stays once that is executed.
 */
export const proposalPack = pgTable(
  'proposal_pack',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    chainId: chainId(),
    safeTxHash: hash('safe_tx_hash').notNull(),
    safeAddress: address('safe_address').notNull(),
    author: address('author').notNull(),
    /** keccak256 of the text. */
    packHash: hash('pack_hash').notNull(),
    text: text('text').notNull(),
    attachedAt: moment('attached_at').notNull(),
  },
  (table) => [
    unique('proposal_pack_once').on(table.chainId, table.safeTxHash, table.author, table.packHash),
    foreignKey({
      columns: [table.chainId, table.safeTxHash],
      foreignColumns: [multisigTransaction.chainId, multisigTransaction.safeTxHash],
    }).onDelete('cascade'),
    index('proposal_pack_safe').on(table.chainId, table.safeAddress, table.author),
    index('proposal_pack_author').on(table.author),
  ],
)

/** Name that one account gives an address. Nobody changes the names of another account. */
export const addressBookEntry = pgTable(
  'address_book_entry',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    address: address('address').notNull(),
    name: text('name').notNull(),
    author: address('author').notNull(),
    /** By the author, of the name for this address. Null: it was given without. */
    signature: hex('signature'),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.safeAddress, table.address, table.author] })],
)

/** An ABI that one account gave for a contract. */
export const teamAbi = pgTable(
  'given_abi',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    contract: address('contract').notNull(),
    name: text('name').notNull(),
    /** JSON. */
    abi: text('abi').notNull(),
    author: address('author').notNull(),
    /** By the author, of the ABI for this contract. Null: it was given without. */
    signature: hex('signature'),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.safeAddress, table.contract, table.author] })],
)

/** A version of a Safe's policy. Of each number there is one: whoever comes second is told of the first. */
export const policyVersion = pgTable(
  'policy_version',
  {
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    number: integer('number').notNull(),
    /** EIP-712 hash of the policy. */
    policyHash: hash('policy_hash').notNull(),
    /** JSON, as `writePolicy` gives it. */
    policy: text('policy').notNull(),
    proposer: address('proposer').notNull(),
    proposedAt: moment('proposed_at').notNull(),
    /** When enough owners had signed it; null: it is proposed. */
    inForceSince: moment('in_force_since'),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.safeAddress, table.number] }),
    unique('policy_version_hash').on(table.chainId, table.policyHash),
  ],
)

const policySigned = () => ({
  chainId: chainId(),
  policyHash: hash('policy_hash').notNull(),
  owner: address('owner').notNull(),
  signature: hex('signature').notNull(),
  signedAt: moment('signed_at').notNull(),
})

/** An owner's signature on a version, verified when it came. */
export const policyApproval = pgTable('policy_approval', policySigned(), (table) => [
  primaryKey({ columns: [table.chainId, table.policyHash, table.owner] }),
  foreignKey({
    columns: [table.chainId, table.policyHash],
    foreignColumns: [policyVersion.chainId, policyVersion.policyHash],
  }).onDelete('cascade'),
])

/** An allow entry that an owner took back. */
export const policyWithdrawal = pgTable(
  'policy_withdrawal',
  { ...policySigned(), entryHash: hash('entry_hash').notNull() },
  (table) => [
    primaryKey({ columns: [table.chainId, table.policyHash, table.entryHash, table.owner] }),
    foreignKey({
      columns: [table.chainId, table.policyHash],
      foreignColumns: [policyVersion.chainId, policyVersion.policyHash],
    }).onDelete('cascade'),
  ],
)

/** Credential of a script, in the place of a session. */
export const apiToken = pgTable(
  'api_token',
  {
    /** SHA-256 of the token. */
    tokenHash: hash('token_hash').primaryKey(),
    /** Name of the token in its owner's requests. */
    id: text('id').notNull().unique(),
    account: address('account').notNull(),
    chainId: chainId(),
    provenBy: text('proven_by').$type<'key' | 'contract'>().notNull(),
    name: text('name').notNull(),
    scopes: text('scopes').array().$type<('read' | 'propose' | 'confirm')[]>().notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    lastUsedFrom: text('last_used_from'),
    warrantId: warrantId(),
  },
  (table) => [
    index('api_token_account').on(table.account, table.createdAt),
    index('api_token_expires').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
    index('api_token_warrant').on(table.warrantId).where(sql`${table.warrantId} is not null`),
  ],
)

/** Where somebody wants to be told what happens to a Safe. */
export const webhook = pgTable(
  'webhook',
  {
    id: text('id').primaryKey(),
    chainId: chainId(),
    safeAddress: address('safe_address').notNull(),
    /** In force while this account is an owner. */
    account: address('account').notNull(),
    url: text('url').notNull(),
    events: text('events').array().$type<WebhookEvent[]>().notNull(),
    /** Secret that signs the requests; shown once. */
    secret: hex('secret').notNull(),
    createdAt: moment('created_at').notNull(),
    /** When its receiver had failed too often; null: it is in use. */
    disabledAt: moment('disabled_at'),
    warrantId: warrantId(),
  },
  (table) => [
    index('webhook_safe').on(table.chainId, table.safeAddress),
    index('webhook_account').on(table.account),
    index('webhook_warrant').on(table.warrantId).where(sql`${table.warrantId} is not null`),
  ],
)

/** Messages to a receiver, and their outcome. */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    id: bigserial('id', { mode: 'bigint' }).primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhook.id, { onDelete: 'cascade' }),
    /** Identity of the message, equal in every attempt. */
    messageId: text('message_id').notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
    createdAt: moment('created_at').notNull(),
    /** When it is to be sent; null: it was delivered, or given up. */
    dueAt: moment('due_at'),
    attempts: integer('attempts').notNull().default(0),
    attemptedAt: moment('attempted_at'),
    deliveredAt: moment('delivered_at'),
    /** HTTP status of the last attempt; null without an answer. */
    status: integer('status'),
    /** Why the last attempt failed. */
    failure: text('failure').$type<DeliveryFailure>(),
    milliseconds: integer('milliseconds'),
  },
  (table) => [
    unique('webhook_delivery_once').on(table.webhookId, table.messageId),
    index('webhook_delivery_log').on(table.webhookId, table.id),
    index('webhook_delivery_due').on(table.webhookId, table.id).where(sql`${table.dueAt} is not null`),
  ],
)
