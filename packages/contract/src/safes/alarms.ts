import * as z from 'zod/mini'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, storedHex, time } from '../wire/primitives.ts'

/**
 * A signature that was refused, and that every owner should know of: somebody may have been made to sign another thing
 * than the screen showed.
 */
export const alarm = z.object({
  id: z.string(),
  at: time,
  /** Claimed object of the signature: a safeTxHash or a message hash. */
  signedHash: hash,
  signature: storedHex,
  /** Account that sent it; null when nobody was signed in. */
  submittedBy: z.nullable(address),
  /** Whose it is; null when it is of nobody known. */
  signer: z.nullable(address),
  /** The proposal of this Safe that it really signs. */
  otherSafeTxHash: z.nullable(hash),
  /** Why it was refused. */
  code: z.string(),
  acknowledgedBy: z.nullable(address),
  acknowledgedAt: z.nullable(time),
})
export type Alarm = z.output<typeof alarm>

export const listAlarms = endpoint({
  name: 'listAlarms',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/alarms',
  summary: 'Signatures that did not verify, newest first; those that no owner has acknowledged before the others',
  params: safeParams,
  reply: z.object({ alarms: z.array(alarm) }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER'],
})

export const acknowledgeAlarm = endpoint({
  name: 'acknowledgeAlarm',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/alarms/{alarmId}/acknowledgement',
  summary: 'Says that an alarm is understood; it is no longer shown as one. Saying so again changes nothing',
  params: z.extend(safeParams, {
    alarmId: z.string().check(z.regex(/^[1-9][0-9]{0,17}$/, 'must be the id of an alarm')),
  }),
  reply: alarm,
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER', 'ALARM_NOT_FOUND'],
})
