import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { safeParams } from './transactions.ts'

/** Transactions of a page, and pages that are asked for: as many as are read of a file. */
export const otherServiceLimits = { page: 100, pages: 5 } as const

export const readOtherService = endpoint({
  name: 'readOtherService',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/other-service',
  summary: 'What waits for the Safe at the Transaction Service that the operator names, a page as it answers. Claims',
  params: safeParams,
  query: z.object({
    page: z.optional(z.pipe(z.string().check(z.regex(/^[1-5]$/, 'must be a number from 1 to 5')), z.transform(Number))),
  }),
  /** JSON as the service wrote it: nothing of it is checked yet. */
  reply: z.object({ content: z.string() }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'OTHER_SERVICE_FAILED'],
})
