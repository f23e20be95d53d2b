import type { WalletConnectSettings } from '@countersign/contract'
import { z } from 'zod'
import type { Fault } from './fault.ts'
import { isLoopback } from './urls.ts'

/** Relay of WalletConnect where only a project id is set: it belongs to the network that gives the ids. */
const WALLETCONNECT_RELAY_URL = 'wss://relay.walletconnect.org'
/** The protocol ends a proposal after 300 seconds; the last moments are for those who have scanned it. */
const CODE_SECONDS = 285

export const walletConnect = z.strictObject({
  projectId: z
    .string()
    .regex(/^[\w-]{1,128}$/, 'must be letters, digits, _ and -')
    .optional(),
  relayUrl: z
    .string()
    .refine(isRelayUrl, 'must be a wss URL without user name and query; ws works on this machine alone')
    .optional(),
  codeSeconds: z.number().int().min(5).max(CODE_SECONDS).optional(),
})

function isRelayUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, search } = new URL(text)
  return !username && !search && (protocol === 'wss:' || (protocol === 'ws:' && isLoopback(hostname)))
}

/** Project id and relay from the file, each replaced by its variable; null when there is neither. */
export function parseWalletConnect(
  env: Record<string, string | undefined>,
  file: z.output<typeof walletConnect> | undefined,
  faults: Fault[],
): WalletConnectSettings | null {
  const variables = {
    projectId: env.COUNTERSIGN_WALLETCONNECT_PROJECT_ID || undefined,
    relayUrl: env.COUNTERSIGN_WALLETCONNECT_RELAY_URL || undefined,
  }
  const parsed = walletConnect.safeParse(variables)
  if (!parsed.success)
    for (const { path, message } of parsed.error.issues)
      faults.push({
        path: `COUNTERSIGN_WALLETCONNECT_${path[0] === 'projectId' ? 'PROJECT_ID' : 'RELAY_URL'}`,
        message,
      })
  const projectId = variables.projectId ?? file?.projectId
  const relayUrl = variables.relayUrl ?? file?.relayUrl
  if (!projectId && !relayUrl) return null
  return {
    projectId: projectId ?? null,
    relayUrl: relayUrl ?? WALLETCONNECT_RELAY_URL,
    codeSeconds: file?.codeSeconds ?? CODE_SECONDS,
  }
}
