import { MAX_CREATION_BYTES } from '@countersign/safe'
import * as z from 'zod/mini'
import { chainErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId, chainIdParam, hexUpTo, line, time } from '../wire/primitives.ts'

/** Role of the account in the Safe. Derived: owner by the chain, proposer and viewer by the word of an owner here. */
export const role = z.enum(['owner', 'proposer', 'viewer'])
export type Role = z.infer<typeof role>

/** Most payees that `getSafe` returns. Only owners can add to them, with transactions that they execute. */
export const MAX_PAYEES = 5_000

/** A Safe in somebody's list, as the server last read it from the chain. The page reads it again for itself. */
export const safe = z.object({
  chainId,
  address,
  owners: z.array(address),
  threshold: z.int(),
  nonce: z.int(),
  /** Version of the official singleton, `1.4.1` or `1.4.1+L2`; null when the singleton is not official. */
  version: z.nullable(z.string()),
  /** Whether it is on the chain. Else its owners and threshold are those of the creation that is kept: see `getSafeCreation`. */
  isDeployed: z.boolean(),
  /** Null: it only added the Safe, and sees what is on the chain anyway. */
  role: z.nullable(role),
  /** Proposals that wait for this account's confirmation. 0 for those who are not owners. */
  awaitingMyConfirmation: z.int(),
  /** Messages that wait for it likewise, of the newest 200; with one more while sign-ins as the Safe wait that nobody has signed. */
  messagesAwaitingMe: z.int(),
  /** Whether `listAlarms` has some that no owner has acknowledged. False for those who are not owners. */
  hasAlarms: z.boolean(),
  /** Whether the team keeps any names, ABIs, or a policy, also one that is only proposed. False for those who are not of it. */
  hasNames: z.boolean(),
  hasAbis: z.boolean(),
  hasPolicy: z.boolean(),
  /** Names of the Safe itself in its team's address book: claims. The reader's own first, then the owners', newest first. */
  names: z.array(z.object({ name: line(60), author: address, updatedAt: time })),
  /** The first block of what is not yet read of its history; null: it is known as far as the chain is followed. */
  backfillBlock: z.nullable(z.int()),
  /** The last block of that: the newest is read first. Null: nothing is read yet, or all is. */
  backfillTo: z.nullable(z.int()),
  /** Since when somebody of the team has its history not read on; what is new is read all the same. Null: it is read. */
  backfillStoppedAt: z.nullable(time),
  addedAt: time,
})
export type Safe = z.infer<typeof safe>

/**
 * How it is known where the history of a Safe begins: by its code at old blocks, its creation's event, the day of its
 * release; or the first block that the operator names.
 */
export const safeOrigins = ['code', 'event', 'release', 'configured'] as const
export type SafeOrigin = (typeof safeOrigins)[number]

/** The call of a proxy factory that creates a Safe. */
const creation = z.object({ factory: address, data: hexUpTo(MAX_CREATION_BYTES) })

const safeParams = z.object({ chainId: chainIdParam, safeAddress: address })

export const listSafes = endpoint({
  name: 'listSafes',
  method: 'GET',
  path: '/api/safes',
  summary: 'My Safes: those known here that this account owns, was made proposer or viewer of, or added',
  reply: z.object({ safes: z.array(safe) }),
  session: 'required',
  errors: [],
})

export const addSafe = endpoint({
  name: 'addSafe',
  method: 'POST',
  path: '/api/safes',
  summary:
    'Adds a Safe to My Safes by its address; it is read from the chain first. One that is not there yet comes with the call that creates it',
  scope: 'propose',
  body: z.object({ chainId, address, creation: z.optional(creation) }),
  reply: safe,
  session: 'required',
  errors: [...chainErrors, 'NOT_A_SAFE', 'CREATION_REFUSED', 'SAFE_NOT_ALLOWED', 'TOO_MANY'],
})

export const getSafe = endpoint({
  name: 'getSafe',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}',
  summary: 'One Safe of My Safes, with whom it has paid',
  params: safeParams,
  reply: z.extend(safe, {
    /**
     * Accounts that the calls of its executed transactions have paid. Token logs do not count. This is a claim, for comparison with
     * other accounts. `findPayments` returns the proof.
     */
    paid: z.array(address),
    /** False if the Safe has paid more accounts. `findPayments` also knows those that are left out. */
    isPaidWhole: z.boolean(),
  }),
  session: 'required',
  errors: ['SAFE_NOT_FOUND', 'CHAIN_NOT_CONFIGURED'],
})

export const getSafeCreation = endpoint({
  name: 'getSafeCreation',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/creation',
  summary: 'The call that creates a Safe of My Safes, where one is kept; the page computes the address from it again',
  params: safeParams,
  reply: creation,
  session: 'required',
  errors: ['SAFE_NOT_FOUND', 'CHAIN_NOT_CONFIGURED'],
})

export const stopReading = endpoint({
  name: 'stopReading',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/reading/stop',
  summary: 'Has the older history of a Safe not read on; what is new is read all the same',
  params: safeParams,
  reply: safe,
  session: 'required',
  errors: ['SAFE_NOT_FOUND', 'CHAIN_NOT_CONFIGURED', 'NOT_A_MEMBER', 'NOT_OWNER_OR_DELEGATE'],
})

export const resumeReading = endpoint({
  name: 'resumeReading',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/reading/resume',
  summary: 'Has the older history of a Safe read on from where it was stopped',
  params: safeParams,
  reply: safe,
  session: 'required',
  errors: ['SAFE_NOT_FOUND', 'CHAIN_NOT_CONFIGURED', 'NOT_A_MEMBER', 'NOT_OWNER_OR_DELEGATE'],
})
