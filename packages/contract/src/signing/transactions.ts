import type { SafeTx } from '@countersign/safe'
import * as z from 'zod/mini'
import { chainErrors, memberErrors, signatureErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId, chainIdParam, hash, hex, storedHex, time, uint256 } from '../wire/primitives.ts'
import { declaredEffects } from './declared-effects.ts'
import { ownReport, reviewed, reviewReport } from './reviewed.ts'

/** The ten fields that owners sign (EIP-712 type SafeTx). */
export const safeTx = z.object({
  to: address,
  value: uint256,
  data: hex,
  /** 0 call, 1 delegatecall */
  operation: z.literal([0, 1]),
  safeTxGas: uint256,
  baseGas: uint256,
  gasPrice: uint256,
  gasToken: address,
  refundReceiver: address,
  nonce: uint256,
}) satisfies z.ZodMiniType<SafeTx>

/** Stored fields of a transaction. Executed calldata can be longer than the limit for proposals. */
export const storedSafeTx = z.extend(safeTx, { data: storedHex })

/** One owner's signature on a safeTxHash, verified when it arrived. The browser verifies it again. */
export const confirmation = z.object({
  owner: address,
  signature: storedHex,
  signatureType: z.enum(['EOA', 'ETH_SIGN', 'APPROVED_HASH', 'CONTRACT_SIGNATURE']),
  submissionDate: time,
  /** Ethereum transaction that approved the hash, where it is known. */
  transactionHash: z.nullable(hash),
})

/** The Ethereum transaction that somebody here sent to execute it, before it is final. */
export const pendingExecution = z.object({ transactionHash: hash, executor: address, submissionDate: time })

/** A transaction of a Safe: proposed here, or found executed on the chain. */
export const multisigTransaction = z.object({
  chainId,
  safeAddress: address,
  safeTxHash: hash,
  /** Null when it was executed outside and its fields could not be recovered from the chain. */
  safeTx: z.nullable(storedSafeTx),
  proposer: z.nullable(address),
  /** Delegate who wrote it for the proposer, if one did. */
  proposedByDelegate: z.nullable(address),
  /** Text of the proposer about it. A claim, not a fact. */
  origin: z.nullable(z.string()),
  submissionDate: time,
  confirmations: z.array(confirmation),
  /** Now, or when it was executed; null where nobody knows how many that were. */
  confirmationsRequired: z.nullable(z.int()),
  /** The Safe is another version by now and hashes it to something else: nobody can execute it any more. */
  isHashOutdated: z.boolean(),
  isExecuted: z.boolean(),
  /** Null until executed. */
  isSuccessful: z.nullable(z.boolean()),
  /** Hash of the Ethereum transaction that executed it. */
  transactionHash: z.nullable(hash),
  executor: z.nullable(address),
  blockNumber: z.nullable(z.int()),
  executionDate: z.nullable(time),
  /** Gas of the Ethereum transaction that executed it, and its cost, in wei. Null where it was not read. */
  gasUsed: z.nullable(uint256),
  fee: z.nullable(uint256),
  pendingExecution: z.nullable(pendingExecution),
})
export type MultisigTransaction = z.output<typeof multisigTransaction>

/** Another proposal of the same Safe, as far as it concerns the one that is looked at. */
const otherProposal = z.object({
  safeTxHash: hash,
  nonce: uint256,
  /** An empty call of the Safe itself, without any refund. */
  isCancellation: z.boolean(),
  /** Beginning of each signature that is longer than one of a key. */
  confirmations: z.array(z.pick(confirmation, { owner: true, signature: true })),
  /** Those of accounts that are no owners now: their signatures count again once they are. */
  formerConfirmations: z.array(z.pick(confirmation, { owner: true, signature: true })),
})
export type OtherProposal = z.output<typeof otherProposal>

/** The signature of somebody who is no owner any more, and the Ethereum transaction in which the Safe removed them. */
export const formerConfirmation = z.extend(z.pick(confirmation, { owner: true, signature: true }), { removedIn: hash })
export type FormerConfirmation = z.output<typeof formerConfirmation>

export const safeParams = z.object({ chainId: chainIdParam, safeAddress: address })
export const transactionParams = z.object({ chainId: chainIdParam, safeTxHash: hash })
/** Where the page before ended, as the reply said. */
const cursor = z.optional(z.string().check(z.maxLength(200)))
/** Page of a list that ends by its bytes alone. */
export const pageByBytes = z.object({ cursor })
export const page = z.object({
  cursor,
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9][0-9]{0,2}$/, 'must be a number from 1 to 999; more than 100 counts as 100')),
      z.transform((text: string) => Math.min(Number(text), 100)),
    ),
  ),
})

export const listQueue = endpoint({
  name: 'listQueue',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/queue',
  summary: 'Proposals not executed and still possible, by nonce, then by time',
  params: safeParams,
  query: page,
  reply: z.object({ transactions: z.array(multisigTransaction), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: memberErrors,
})

const spentAmount = z.object({ asset: address, period: z.int(), executed: uint256, queued: uint256 })
/** For each amount limit of the policy in force: what was executed in its period, and what is queued. */
export const spentAmounts = z.array(spentAmount)

/** Claims about a proposal, as `getTransaction` serves them. */
const proposalClaims = z.object({
  safeTxHash: hash,
  /** Confirmations of owners whom the Safe has removed since: they count for nothing. */
  formerConfirmations: z.array(formerConfirmation),
  /** Signed by the owner who proposed it. A claim. */
  declaredEffects: z.nullable(declaredEffects),
  /** For the amount limits of the policy in force, beside its nonce. */
  spent: spentAmounts,
})
export type ProposalClaims = z.output<typeof proposalClaims>

/** Claims that the reviews of the first proposals of the queue need beside it. */
export const queueClaims = z.object({
  /** In the order of the queue. One that is missing has its claims in `getTransaction` alone. */
  proposals: z.array(proposalClaims),
  /** Proposals that are not executed, as far as each concerns the others. */
  others: z.array(otherProposal),
  /** Deleted while signed: each concerns proposals at earlier nonces. */
  deleted: z.array(otherProposal),
})
export type QueueClaims = z.output<typeof queueClaims>

export const getTransaction = endpoint({
  name: 'getTransaction',
  method: 'GET',
  path: '/api/chains/{chainId}/transactions/{safeTxHash}',
  summary: 'One transaction, with what is known of others at the same nonce',
  params: transactionParams,
  reply: z.object({
    transaction: multisigTransaction,
    /**
     * Other proposals of this Safe that are not executed: conflicts at the nonce, and what signatures may belong to. Of
     * those that were deleted while signed, the ones at later nonces.
     */
    others: z.array(otherProposal),
    /** Confirmations of owners whom the Safe has removed since: they count for nothing. */
    formerConfirmations: z.array(formerConfirmation),
    /** Claims of accounts: what their pages showed them when they proposed, confirmed or executed it. */
    reports: z.array(reviewReport),
    /** Signed by the owner who proposed it. A claim. */
    declaredEffects: z.nullable(declaredEffects),
  }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'TRANSACTION_NOT_FOUND'],
})

export const proposeTransaction = endpoint({
  name: 'proposeTransaction',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/transactions',
  summary:
    'Proposes a transaction, signed by the proposing owner or delegate. Proposing the same again changes nothing',
  params: safeParams,
  body: z
    .object({
      safeTx,
      safeTxHash: hash,
      /** The signed-in owner, or delegate of an owner; of what is imported, whoever proposed it elsewhere. */
      sender: address,
      /** Signature of the sender, with those of further owners behind it. */
      signature: hex,
      /** Proposed elsewhere: its sender need not be the owner, or delegate of one, who is signed in and brings it here. */
      isImported: z.optional(z.boolean()),
      origin: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      /** The sender's claim of what their page showed. */
      reviewed: z.optional(reviewed),
      /** By an owner who proposes alone. */
      declaredEffects: z.optional(declaredEffects),
    })
    .check(ownReport),
  reply: multisigTransaction,
  session: 'required',
  scope: 'propose',
  errors: [
    'SAFE_NOT_ALLOWED',
    'NOT_A_SAFE',
    'NOT_OWNER_OR_DELEGATE',
    'SENDER_MISMATCH',
    'SAFE_TX_HASH_MISMATCH',
    'TRANSACTION_ALREADY_EXECUTED',
    'DELEGATE_SIGNATURE_NOT_ALONE',
    'NONCE_ALREADY_EXECUTED',
    'TOO_MANY_PROPOSALS',
    'POLICY_RESTRICTS',
    ...signatureErrors,
    ...chainErrors,
  ],
})

export const confirmTransaction = endpoint({
  name: 'confirmTransaction',
  method: 'POST',
  path: '/api/chains/{chainId}/transactions/{safeTxHash}/confirmations',
  summary: "Adds an owner's confirmation. Sending the same again changes nothing",
  params: transactionParams,
  body: z
    .object({
      /** Signature of the signed-in owner, with those of further owners behind it. */
      signature: hex,
      /** The signatures were made elsewhere: none of them has to be of the account that is signed in. */
      isImported: z.optional(z.boolean()),
      /** The signed-in owner's claim of what their page showed. */
      reviewed: z.optional(reviewed),
    })
    .check(ownReport),
  reply: multisigTransaction,
  session: 'required',
  scope: 'confirm',
  errors: [
    'TRANSACTION_NOT_FOUND',
    'NOT_AN_OWNER',
    'NOT_OWNER_OR_DELEGATE',
    'TRANSACTION_ALREADY_EXECUTED',
    'NONCE_ALREADY_EXECUTED',
    'SAFE_TX_HASH_MISMATCH',
    'POLICY_RESTRICTS',
    ...signatureErrors,
    'ACCOUNT_MISMATCH',
    ...chainErrors,
  ],
})

export const deleteTransaction = endpoint({
  name: 'deleteTransaction',
  method: 'DELETE',
  path: '/api/chains/{chainId}/transactions/{safeTxHash}',
  summary:
    'Deletes a proposal that is not executed, by its proposer. Signatures that others have seen stay valid on the chain',
  params: transactionParams,
  session: 'required',
  scope: 'propose',
  errors: [...chainErrors, 'TRANSACTION_NOT_FOUND', 'TRANSACTION_ALREADY_EXECUTED', 'HISTORY_BEHIND', 'NOT_PROPOSER'],
})

export const recordExecution = endpoint({
  name: 'recordExecution',
  method: 'POST',
  path: '/api/chains/{chainId}/transactions/{safeTxHash}/execution',
  summary:
    'Says which Ethereum transaction was sent to execute it, so that a closed tab loses nothing. A claim until seen',
  params: transactionParams,
  body: z.object({
    transactionHash: hash,
    /** The claim of whoever sent it of what their page showed. */
    reviewed: z.optional(reviewed),
  }),
  reply: multisigTransaction,
  session: 'required',
  scope: 'propose',
  errors: ['NOT_OWNER_OR_DELEGATE', 'CHAIN_NOT_CONFIGURED', 'TRANSACTION_NOT_FOUND'],
})
