import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'
import { address } from '../wire/primitives.ts'
import { safeParams, transactionParams } from './transactions.ts'

/** Entries of a page; pages that are asked for at a time, as many as are looked at of a file; and the last page. */
export const otherServiceLimits = { page: 100, pages: 5, last: 200 } as const

export const readOtherService = endpoint({
  name: 'readOtherService',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/other-service',
  summary: 'What the Transaction Service that the operator names has of the Safe, a page as it answers. Claims',
  params: safeParams,
  query: z.object({
    /** Transactions that wait where nothing is said. */
    of: z.optional(z.enum(['transactions', 'messages', 'delegates'])),
    page: z.optional(
      z.pipe(
        z.string().check(z.regex(/^([1-9]|[1-9][0-9]|1[0-9][0-9]|200)$/, 'must be a number from 1 to 200')),
        z.transform(Number),
      ),
    ),
  }),
  /** JSON as the service wrote it: nothing of it is checked yet. */
  reply: z.object({ content: z.string() }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'OTHER_SERVICE_FAILED'],
})

/** One signature, and its fate at the other service. */
const sentSignature = z.object({
  owner: address,
  /** Whether the transaction went along: the service did not have it. */
  isProposal: z.boolean(),
  /** `unknown`: no answer came, or none that says what it did with it. Sending again finds out. */
  outcome: z.enum(['there', 'taken', 'refused', 'unknown']),
  /** HTTP status of its answer; null where nothing was sent, or no answer came. */
  status: z.nullable(z.int()),
  /** Words of its answer: anybody's text. */
  words: z.nullable(z.string()),
})
export type SentSignature = z.infer<typeof sentSignature>

export const sendToOtherService = endpoint({
  name: 'sendToOtherService',
  method: 'POST',
  path: '/api/chains/{chainId}/transactions/{safeTxHash}/other-service',
  summary: 'Sends a proposal and its confirmations to the Transaction Service that the operator names: what it lacks',
  params: transactionParams,
  /** `unsent` were left when it stopped answering. */
  reply: z.object({ host: z.string(), signatures: z.array(sentSignature), unsent: z.int() }),
  session: 'required',
  errors: [
    'CHAIN_NOT_CONFIGURED',
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_ALREADY_EXECUTED',
    'NOT_AN_OWNER',
    'OTHER_SERVICE_FAILED',
  ],
})
