import * as z from 'zod/mini'
import { safeParams, storedSafeTx } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, storedHex } from '../wire/primitives.ts'

/** Most accounts in one request. */
export const MAX_PAYEES_ASKED = 500
/** Most executions in one answer. */
export const MAX_PAYMENTS = 100

export const findPayments = endpoint({
  name: 'findPayments',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/payments',
  summary:
    'For each of some accounts the newest execution of the Safe that has paid it, with the signatures that it carried',
  params: safeParams,
  body: z.object({ payees: z.array(address).check(z.maxLength(MAX_PAYEES_ASKED)) }),
  /** Each execution once, even if it pays several of the accounts. */
  reply: z.object({
    executions: z.array(
      z.object({ safeTxHash: hash, safeTx: storedSafeTx, signatures: storedHex, transactionHash: hash }),
    ),
    /** False if executions are left out because they are too many or too long. Ask again about fewer accounts. */
    isWhole: z.boolean(),
  }),
  session: 'required',
  scope: 'read',
  errors: ['SAFE_NOT_FOUND', 'CHAIN_NOT_CONFIGURED'],
})
