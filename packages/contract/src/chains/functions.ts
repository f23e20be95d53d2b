import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'

const selector = z
  .pipe(
    z.string().check(z.regex(/^0x[0-9a-fA-F]{8}$/, 'must be 0x and 8 hex digits')),
    z.transform((text: string) => text.toLowerCase() as Hex),
  )
  .check(z.meta({ description: 'the first four bytes of calldata, lower-case hex' }))

/** Guesses at what a selector calls. They never make a call read. */
export const findFunctions = endpoint({
  name: 'findFunctions',
  method: 'GET',
  path: '/api/functions/{selector}',
  summary:
    'Functions with a selector, from the list that the operator imported: guesses, by nobody’s word but the operator’s',
  params: z.object({ selector }),
  reply: z.object({
    /** Null where no list was imported. Several functions of one selector contradict each other. */
    list: z.nullable(z.object({ name: z.string(), functions: z.array(z.string()).check(z.maxLength(10)) })),
  }),
  session: 'required',
  anyChain: true,
  errors: [],
})
