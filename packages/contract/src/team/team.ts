import * as z from 'zod/mini'
import { chainErrors, memberErrors } from '../errors/errors.ts'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainIdParam, line, time } from '../wire/primitives.ts'

/** An account that may propose for an owner, and confirm nothing. */
export const delegate = z.object({
  /** Null: for every Safe that the delegator owns on this chain. */
  safeAddress: z.nullable(address),
  delegate: address,
  /** The owner who named it. */
  delegator: address,
  label: z.string(),
  createdAt: time,
  /** Null: until it is removed. */
  expiryDate: z.nullable(time),
})
export type Delegate = z.infer<typeof delegate>

const named = { label: line(50), expiryDate: z.nullable(time) }
const delegatorAndDelegate = { delegator: address, delegate: address }

export const listDelegates = endpoint({
  name: 'listDelegates',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/delegates',
  summary: 'Who may propose for owners of a Safe now, by name',
  params: safeParams,
  reply: z.object({ delegates: z.array(delegate) }),
  session: 'required',
  errors: memberErrors,
})

export const addDelegate = endpoint({
  name: 'addDelegate',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/delegates',
  summary: 'Lets an account propose for the signed-in owner of a Safe. Again: another label, another end',
  params: safeParams,
  body: z.object({ delegate: address, ...named }),
  reply: delegate,
  session: 'required',
  scope: 'propose',
  errors: ['SAFE_NOT_FOUND', 'NOT_AN_OWNER', 'TOO_MANY', ...chainErrors],
})

export const addDelegateOfAll = endpoint({
  name: 'addDelegateOfAll',
  method: 'POST',
  path: '/api/chains/{chainId}/delegates',
  summary: 'Lets an account propose for the signed-in account on every Safe that it owns on a chain, now and later',
  params: z.object({ chainId: chainIdParam }),
  body: z.object({ delegate: address, ...named }),
  reply: delegate,
  session: 'required',
  scope: 'propose',
  errors: ['CHAIN_NOT_CONFIGURED', 'TOO_MANY'],
})

export const removeDelegate = endpoint({
  name: 'removeDelegate',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/delegates/{delegator}/{delegate}',
  summary: 'Ends what an owner said for one Safe; by that owner, or by the delegate',
  params: z.extend(safeParams, delegatorAndDelegate),
  session: 'required',
  scope: 'propose',
  errors: ['CHAIN_NOT_CONFIGURED', 'DELEGATE_NOT_FOUND'],
})

export const removeDelegateOfAll = endpoint({
  name: 'removeDelegateOfAll',
  method: 'DELETE',
  path: '/api/chains/{chainId}/delegates/{delegator}/{delegate}',
  summary: 'Ends what an account said for every Safe that it owns on a chain; by that account, or by the delegate',
  params: z.object({ chainId: chainIdParam, ...delegatorAndDelegate }),
  session: 'required',
  scope: 'propose',
  errors: ['CHAIN_NOT_CONFIGURED', 'DELEGATE_NOT_FOUND'],
})

/** An account that sees what the team sees, and changes nothing. */
export const viewerEntry = z.object({
  account: address,
  label: z.string(),
  /** The owner who invited it; in force while that is an owner. */
  invitedBy: address,
  createdAt: time,
})
export type ViewerEntry = z.infer<typeof viewerEntry>

export const listViewers = endpoint({
  name: 'listViewers',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/viewers',
  summary: 'Who was invited to see what the team of a Safe sees',
  params: safeParams,
  reply: z.object({ viewers: z.array(viewerEntry) }),
  session: 'required',
  scope: 'session',
  errors: memberErrors,
})

export const listIdleOwners = endpoint({
  name: 'listIdleOwners',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/idle-owners',
  summary:
    'Owners who signed, approved, proposed and executed nothing for half a year that is known here, while the Safe executed transactions',
  params: safeParams,
  reply: z.object({
    /** Whether that can be said: the time is read as a whole, and enough was executed in it. */
    isKnown: z.boolean(),
    since: time,
    /** Transactions executed since then. */
    transactions: z.int(),
    owners: z.array(address),
  }),
  session: 'required',
  errors: memberErrors,
})

export const inviteViewer = endpoint({
  name: 'inviteViewer',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/viewers',
  summary: 'Lets an account see what the team of a Safe sees; by an owner. Again: another label',
  params: safeParams,
  body: z.object({ account: address, label: line(50) }),
  reply: viewerEntry,
  session: 'required',
  scope: 'session',
  errors: ['SAFE_NOT_FOUND', 'NOT_AN_OWNER', 'TOO_MANY', ...chainErrors],
})

export const removeViewer = endpoint({
  name: 'removeViewer',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/viewers/{account}',
  summary: 'Takes an invitation back, by any owner; or leaves, by the viewer',
  params: z.extend(safeParams, { account: address }),
  session: 'required',
  scope: 'session',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_AN_OWNER', 'VIEWER_NOT_FOUND'],
})
