import * as z from 'zod/mini'
import { memberErrors } from '../errors/errors.ts'
import { pageByBytes, safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, time } from '../wire/primitives.ts'

const noteText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(2_000),
    z.regex(
      /^(?:[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\n|\u200d)*$/u,
      'must not contain control or invisible characters',
    ),
  )

/** Text of a team member about a transaction or a message. A claim, not a fact. */
export const note = z.object({ id: z.string(), author: address, text: noteText, createdAt: time })
export type Note = z.output<typeof note>

/** `subjectHash`: a safeTxHash or a message hash. */
const noteParams = z.extend(safeParams, { subjectHash: hash })

export const listNotes = endpoint({
  name: 'listNotes',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/notes/{subjectHash}',
  summary: 'What the team says about a transaction or a message, oldest first',
  params: noteParams,
  query: pageByBytes,
  reply: z.object({ notes: z.array(note), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: memberErrors,
})

export const addNote = endpoint({
  name: 'addNote',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/notes/{subjectHash}',
  summary: 'Says something about a transaction or a message. The same again, by the same account, changes nothing',
  params: noteParams,
  body: z.object({ text: noteText }),
  reply: note,
  session: 'required',
  scope: 'propose',
  errors: [...memberErrors, 'NOT_OWNER_OR_DELEGATE', 'TRANSACTION_NOT_FOUND', 'TOO_MANY'],
})

export const removeNote = endpoint({
  name: 'removeNote',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/notes/{subjectHash}/{id}',
  summary: "Removes one's own note. Removing it again changes nothing",
  params: z.extend(noteParams, { id: z.string().check(z.regex(/^[1-9][0-9]{0,17}$/)) }),
  session: 'required',
  scope: 'propose',
  errors: memberErrors,
})
