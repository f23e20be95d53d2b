import * as z from 'zod/mini'
import { memberErrors } from '../errors/errors.ts'
import { abisPage, namesPage } from '../team/address-book.ts'
import { teamPolicy } from '../team/policy.ts'
import { endpoint } from '../wire/endpoint.ts'
import { queueClaims, safeParams } from './transactions.ts'

/** ABIs of one answer, as many as a page of `listAbis` may have; fewer where they are long. */
export const MAX_ABIS = 100

const reviewLists = ['claims', 'names', 'abis', 'policy'] as const
export type ReviewList = (typeof reviewLists)[number]

export const getReviewLists = endpoint({
  name: 'getReviewLists',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/review-lists',
  summary: 'What the team keeps that reviews of its Safe need, as much of it as is asked for, in one answer',
  params: safeParams,
  query: z.object({
    /** Some of them, with commas between. */
    lists: z.pipe(
      z.pipe(
        z.string(),
        z.transform((text: string) => text.split(',')),
      ),
      z.array(z.enum(reviewLists)).check(z.maxLength(reviewLists.length)),
    ),
  }),
  reply: z.object({
    /** Claims about the first proposals of the queue. */
    claims: z.optional(queueClaims),
    /** The first page of `listNames`, which has the others. */
    names: z.optional(namesPage),
    /** The first page of `listAbis`, which has the others. */
    abis: z.optional(abisPage),
    policy: z.optional(teamPolicy),
  }),
  session: 'required',
  errors: memberErrors,
})
