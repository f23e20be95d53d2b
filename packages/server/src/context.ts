import type { Finding, WalletConnectSettings } from '@countersign/contract'
import type { Logger } from 'pino'
import type { AccessSettings } from './config/access.ts'
import type { SessionLimits } from './config/sessions.ts'
import type { Database } from './db/client.ts'
import type { WriteWatch } from './db/write-watch.ts'
import type { FunctionList } from './function-list.ts'
import type { Hub } from './live/stream.ts'
import type { KeptPrices } from './prices/keep-prices.ts'
import type { Chains } from './rpc/clients.ts'
import type { Viewer } from './safes/viewer.ts'
import type { TokenLists } from './token-lists/keep-token-lists.ts'
import type { Work } from './workload/work.ts'

/** Parts of the process; the same for every request. */
export type Deps = {
  /** For requests. */
  db: Database
  /** Connections that no request of a person or a program waits for: of followers, live events and probes. */
  dbBehind: Database
  writes: WriteWatch
  chains: Chains
  /** Chains whose node answers and does not do what is asked of it. */
  stuckChains: () => ReadonlySet<number>
  /** Origins that may show the product in a frame as a Safe App. */
  safeHosts: readonly string[]
  hasCoinbase: boolean
  /** Functions that the operator imported, for guesses; null: none. */
  functionList: FunctionList | null
  tokenLists: TokenLists
  prices: KeptPrices
  clock: () => Date
  log: Logger
  /** Origin that people open. Never taken from the Host header. */
  publicUrl: URL
  walletConnect: WalletConnectSettings | null
  installationId: string
  /** Signs the cookie that says which accounts have signed in in a browser. */
  seenKey: Buffer
  version: string
  live: Hub
  webDirectory: string | null
  trustedProxies: readonly string[]
  sessionLimits: SessionLimits
  access: AccessSettings
  hasRateLimits: boolean
  /** Networks beside the public ones that webhooks may be sent to. */
  webhookNetworks: readonly string[]
  /** Has this process started again with the configuration as it is now; null: nobody is there who could. */
  reload: (() => void) | null
  /** Looks at all that this process stands on; null: it was not started to be looked at. */
  examine: (() => Promise<Finding[]>) | null
}

/** One request. `work`: what takes the processor for long, counted by who asks. */
export type Ctx = Deps & { requestId: string; viewer: Viewer | null; work: Work }
/** One request of somebody signed in. */
export type SignedInCtx = Ctx & { viewer: Viewer }
