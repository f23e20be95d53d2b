import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export type LaunchSettings = {
  dataDirectory: string
  databaseUrl: string | undefined
  host: string
  /** Null when PORT is no port: the server says so, together with everything else that is wrong. */
  port: number | null
  /** A fixed public address points at one port: then no other port is taken instead. */
  hasPublicUrl: boolean
  /** Whether the local chain and its demo are part of this run. */
  wantsDevnet: boolean
  hasLogsOnStdout: boolean
  isDevelopment: boolean
}

/** Parses the settings that the launcher itself needs; the server checks the others, all errors at once. */
export function parseLaunchSettings(env: NodeJS.ProcessEnv, args: string[]): LaunchSettings {
  const port = Number(env.PORT || 4100)
  return {
    dataDirectory: resolve(env.COUNTERSIGN_DATA || 'data'),
    databaseUrl: env.DATABASE_URL || undefined,
    host: env.HOST || '127.0.0.1',
    port: Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null,
    hasPublicUrl: Boolean(env.COUNTERSIGN_PUBLIC_URL),
    wantsDevnet: !hasChains(
      resolve(env.COUNTERSIGN_CONFIG || 'countersign.config.json'),
      Boolean(env.COUNTERSIGN_CONFIG),
    ),
    hasLogsOnStdout: env.COUNTERSIGN_LOG === 'stdout',
    isDevelopment: args.includes('--dev'),
  }
}

function hasChains(path: string, isNamed: boolean): boolean {
  // A named file that is missing was meant to have chains; the server says that it is missing.
  if (!existsSync(path)) return isNamed
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('chains' in value)) return false
    // Anything but an empty list was meant as chains; the server says what is wrong with it.
    return !Array.isArray(value.chains) || value.chains.length > 0
  } catch {
    // The server says what is wrong with the file; a devnet must not hide it.
    return true
  }
}
