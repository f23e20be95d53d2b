import * as z from 'zod/mini'
import { memberErrors } from '../errors/errors.ts'
import { pageByBytes, safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, time } from '../wire/primitives.ts'

const name = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(60),
    z.regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must not contain control or invisible characters'),
  )

const written = {
  name,
  /** Text of the draft, as the page that kept it wrote it. The page that opens it takes it for a claim, and reviews it anew. */
  content: z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(50_000)),
  /** Stays once it was used: a payment that comes again. */
  isTemplate: z.boolean(),
}

/** A transaction in the making that a member keeps for the team. Nothing in it is signed. */
export const teamDraft = z.object({ id: z.string(), author: address, ...written, createdAt: time })
export type TeamDraft = z.output<typeof teamDraft>

export const listDrafts = endpoint({
  name: 'listDrafts',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/drafts',
  summary: 'Drafts and templates that the team keeps, oldest first',
  params: safeParams,
  query: pageByBytes,
  reply: z.object({ drafts: z.array(teamDraft), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: memberErrors,
})

export const shareDraft = endpoint({
  name: 'shareDraft',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/drafts',
  summary: 'Keeps a draft for the team. The same again, by the same account, changes nothing',
  params: safeParams,
  body: z.object(written),
  reply: teamDraft,
  session: 'required',
  scope: 'propose',
  errors: [...memberErrors, 'NOT_OWNER_OR_DELEGATE', 'TOO_MANY'],
})

export const removeDraft = endpoint({
  name: 'removeDraft',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/drafts/{id}',
  summary: 'Removes a draft of the team, as who has proposed it does. Removing it again changes nothing',
  params: z.extend(safeParams, { id: z.string().check(z.regex(/^[1-9][0-9]{0,17}$/)) }),
  session: 'required',
  scope: 'propose',
  errors: [...memberErrors, 'NOT_OWNER_OR_DELEGATE'],
})
