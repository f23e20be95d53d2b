import type { TokenScope, WalletConnectSettings } from '@countersign/contract'
import type { Logger } from 'pino'
import type { Address, Hex } from 'viem'
import type { Database } from './db/client.ts'
import type { WriteWatch } from './db/write-watch.ts'
import type { Hub } from './live/stream.ts'
import type { Chains } from './rpc/clients.ts'

/** What the process is made of; the same for every request. */
export type Deps = {
  /** For requests. */
  db: Database
  /** Connections that no request of a person or a program waits for: of followers, live events and probes. */
  dbBehind: Database
  writes: WriteWatch
  chains: Chains
  /** Origins that may show the product in a frame as a Safe App. */
  safeHosts: readonly string[]
  hasCoinbase: boolean
  clock: () => Date
  log: Logger
  /** Origin that people open. Never taken from the Host header. */
  publicUrl: URL
  walletConnect: WalletConnectSettings | null
  installationId: string
  version: string
  live: Hub
  webDirectory: string | null
  trustedProxies: readonly string[]
  sessionLimits: SessionLimits
  hasRateLimits: boolean
}

/** When a session ends by itself. */
export type SessionLimits = {
  /** Since it was last used. */
  idleMilliseconds: number
  absoluteMilliseconds: number
  /** Absolute, of an account whose contract said yes: whoever may sign for it can change behind our back. */
  contractMilliseconds: number
}

/** Who is asking. */
export type Viewer = {
  address: Address
  chainId: number
  /** Of the cookie or the API token. */
  tokenHash: Hex
  /** What the request showed. */
  credential: Credential
  provenBy: 'key' | 'contract'
}

/** A session may do all that its account may; an API token what its scopes say. */
export type Credential = { kind: 'session'; id: string } | { kind: 'token'; id: string; scopes: readonly TokenScope[] }

/** One request. */
export type Ctx = Deps & { requestId: string; viewer: Viewer | null }
/** One request of somebody signed in. */
export type SignedInCtx = Ctx & { viewer: Viewer }
