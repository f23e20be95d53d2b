import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { time } from './primitives.ts'

export const outboundPurposes = [
  'node',
  'transaction-service',
  'token-list',
  'prices',
  'wallet-connect',
  'coinbase',
  'webhooks',
] as const

/** One that the server, or the page on its behalf, connects to. URLs are left out: they may hold keys. */
export const outboundHost = z.object({
  /** With its port where that is not the usual one. Null: the hosts that teams name for their webhooks, or Coinbase's. */
  host: z.nullable(z.string()),
  purpose: z.enum(outboundPurposes),
  /** Name of the chain, for a node or a Transaction Service. */
  chain: z.nullable(z.string()),
  by: z.enum(['server', 'browsers']),
  /** When this process last sent something there. Null: not since it started, or it is not the one that sends. */
  lastAt: z.nullable(time),
})
export type OutboundHost = z.infer<typeof outboundHost>

export const listOutboundHosts = endpoint({
  name: 'listOutboundHosts',
  method: 'GET',
  path: '/api/outbound',
  summary: 'Every host that the server, or the page on its behalf, connects to: what for, and when last',
  reply: z.object({
    hosts: z.array(outboundHost),
    /** Whether the account may have the configuration, which names them, read again. */
    mayReload: z.boolean(),
  }),
  session: 'required',
  anyChain: true,
  errors: [],
})

export const reloadConfiguration = endpoint({
  name: 'reloadConfiguration',
  method: 'POST',
  path: '/api/configuration/reload',
  summary:
    'Has the server start again with the configuration as it is now, for its admins. One with errors changes nothing',
  session: 'required',
  anyChain: true,
  errors: ['RELOAD_REFUSED'],
})
