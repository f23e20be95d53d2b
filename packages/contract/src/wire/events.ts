import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { address, chainId, hash } from './primitives.ts'

const isPast = z.optional(z.literal(true))

/**
 * Live event: the ids of a change, never its content. Receivers ask for that again. `transaction`: proposed,
 * confirmed, sent, executed or deleted. `message`: proposed or signed. `safe`: owners, threshold, nonce or list
 * changed. `team`: data of the team: proposers, viewers, names, ABIs, notes, alarms. `chain`: it was read further, or
 * something keeps it from being read; at most once a second. `isPast`: it happened just before the stream was opened.
 */
export const liveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('transaction'), chainId, safeAddress: address, safeTxHash: hash, isPast }),
  z.object({ kind: z.literal('message'), chainId, safeAddress: address, safeMessageHash: hash, isPast }),
  z.object({ kind: z.literal('safe'), chainId, safeAddress: address, isPast }),
  z.object({ kind: z.literal('team'), chainId, safeAddress: address, isPast }),
  z.object({ kind: z.literal('chain'), chainId, isPast }),
])
export type LiveEvent = z.infer<typeof liveEvent>

/** `GET`, text/event-stream: `event: change`, `data:` a LiveEvent. After a reconnect everything is asked for again. */
export const streamEvents = endpoint({
  name: 'streamEvents',
  method: 'GET',
  path: '/api/events',
  summary: 'Server-sent events: what changed, by ids only',
  media: 'text/event-stream',
  session: 'required',
  errors: ['TOO_MANY'],
})
