import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'
import { time } from '../wire/primitives.ts'

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

const finding = z.object({
  level: z.enum(['good', 'notice', 'fault']),
  about: z.string(),
  says: z.string(),
  /** Remedy in words; null where nothing is to be done. */
  remedy: z.nullable(z.string()),
})
/** One thing that was looked at for the operator, in English as on the command line. */
export type Finding = z.infer<typeof finding>

export const examineInstallation = endpoint({
  name: 'examineInstallation',
  method: 'POST',
  path: '/api/findings',
  summary:
    'Looks at all that the server stands on, for its admins: configuration, disk, database, clock, nodes with what they refuse and what a history costs, hosts. Each finding says what to do. Changes nothing',
  /** Null for who is no admin. */
  reply: z.object({ findings: z.nullable(z.array(finding)) }),
  session: 'required',
  anyChain: true,
  errors: [],
})
