import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { findKnownChain } from '../rpc/known-chains.ts'
import { access } from './access.ts'
import { backup } from './backups.ts'
import { chain, devnet } from './chains.ts'
import type { Fault } from './fault.ts'
import { tokenLists } from './lists.ts'
import { prices } from './prices.ts'
import { session } from './sessions.ts'
import { safeHost } from './urls.ts'
import { walletConnect } from './wallet-connect.ts'

/** Every setting of the configuration file. */
export const configurationFile = z.strictObject({
  chains: z.array(chain).default([]),
  devnet: devnet.optional(),
  /** Interfaces that may show the product in a frame as a Safe App; by default none. */
  safeApp: z
    .strictObject({
      allowedHosts: z
        .array(safeHost)
        .max(20)
        .refine((hosts) => new Set(hosts).size === hosts.length, 'must not name a host twice'),
    })
    .optional(),
  /** When sessions end by themselves: unused, at the latest, and of accounts whose contract said yes. */
  session: session.optional(),
  /** Whether Coinbase Wallet is offered to those who have no extension: it opens a window at keys.coinbase.com. */
  coinbase: z.boolean().optional(),
  /** A file of function signatures: guesses for calls that nothing else reads. */
  functionList: z.string().min(1).max(4_096).optional(),
  /** Lists by the schema of tokenlists.org. */
  tokenLists: tokenLists.default([]),
  /** False: the list of tokens of this release is not used. */
  releaseTokenList: z.boolean().default(true),
  /** Sources that say what things cost; without them no value is shown. */
  prices: prices.optional(),
  walletConnect: walletConnect.optional(),
  /** Backups that the server writes by itself. */
  backup: backup.optional(),
  access: access.optional(),
})

type ConfigurationFile = z.output<typeof configurationFile>

/** Reads the configuration file; without one, every setting has its default. */
export function readConfigurationFile(given: string | undefined, faults: Fault[]): ConfigurationFile {
  const nothing = configurationFile.parse({})
  const file = given ?? 'countersign.config.json'
  if (!existsSync(file)) {
    if (given) faults.push({ path: 'COUNTERSIGN_CONFIG', message: `there is no file \`${given}\`` })
    return nothing
  }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    faults.push({ path: file, message: `is not JSON: ${error instanceof Error ? error.message : error}` })
    return nothing
  }
  const parsed = configurationFile.safeParse(content)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues)
    faults.push({
      path: [file, issue.path.join('.')].filter(Boolean).join(' '),
      message: issue.message + suggestNode(content, issue.path),
    })
  return nothing
}

const numbered = z.object({ chains: z.array(z.object({ chainId: z.number() }).catch({ chainId: 0 })) })

/** A public node to begin with, where those of a known chain are missing. */
function suggestNode(content: unknown, [list, at, field, ...rest]: readonly PropertyKey[]): string {
  if (list !== 'chains' || typeof at !== 'number' || field !== 'rpcUrls' || rest.length > 0) return ''
  const chainId = numbered.safeParse(content).data?.chains[at]?.chainId
  const node = chainId === undefined ? undefined : findKnownChain(chainId)?.publicNode
  return node === undefined ? '' : `; for a try, \`${node}\` is public, and sees what is asked of it`
}
