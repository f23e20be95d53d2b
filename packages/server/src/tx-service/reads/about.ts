import { officialDeployments } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { chainCursor } from '../../db/schema.ts'
import { type Chain, unreachable } from '../../rpc/clients.ts'
import { readBlock } from '../../rpc/logs.ts'
import { refuse } from '../wire/answers.ts'
import type { Call, TxService } from '../wire/service.ts'
import { toDate } from '../wire/values.ts'
import { findReleases } from './on-chain-releases.ts'

/** Blocks behind the newest that still count as being there: what a reorganisation may replace is followed too. */
const SYNCED_BLOCKS = 10

/**
 * Describes this service. Keys stand as clients know them, in snake case here; the addresses of its nodes stay
 * secret.
 */
export function aboutRoutes({ read, ask }: TxService): void {
  read('GET', '/v1/about', async ({ deps }) => ({
    name: 'Safe Transaction Service',
    version: deps.version,
    api_version: 'v1',
    secure: deps.publicUrl.protocol === 'https:',
    host: deps.publicUrl.host,
    headers: [],
    settings: {
      AWS_CONFIGURED: false,
      AWS_S3_PUBLIC_URL: null,
      ETHEREUM_NODE_URL: null,
      ETHEREUM_TRACING_NODE_URL: null,
      ETH_EVENTS_BLOCK_PROCESS_LIMIT: 0,
      ETH_EVENTS_BLOCK_PROCESS_LIMIT_MAX: 0,
      ETH_EVENTS_QUERY_CHUNK_SIZE: 0,
      ETH_EVENTS_UPDATED_BLOCK_BEHIND: 0,
      ETH_INTERNAL_NO_FILTER: false,
      ETH_INTERNAL_TRACE_TXS_BATCH_SIZE: 0,
      ETH_INTERNAL_TXS_BLOCK_PROCESS_LIMIT: 0,
      ETH_L2_NETWORK: true,
      ETH_REORG_BLOCKS: SYNCED_BLOCKS,
      SSO_ENABLED: false,
      TOKENS_LOGO_BASE_URI: '',
      TOKENS_LOGO_EXTENSION: '',
    },
  }))
  ask('GET', '/v1/about/ethereum-rpc', readNode)
  read('GET', '/v1/about/ethereum-tracing-rpc', async () => refuse(404))
  read('GET', '/v1/about/singletons', readSingletons)
  read('GET', '/v1/about/indexing', readIndexing)
  read('GET', '/v1/about/deployments', readDeployments)
}

const number = z.string().transform(Number).pipe(z.number().int())

async function readNode({ chain }: Call) {
  const ask = (method: string) => chain.request({ method })
  try {
    const [version, block, chainId, syncing] = await Promise.all(
      ['web3_clientVersion', 'eth_blockNumber', 'eth_chainId', 'eth_syncing'].map(ask),
    )
    return {
      version: z.string().parse(version),
      block_number: number.parse(block),
      chain_id: number.parse(chainId),
      chain: chain.settings.name,
      syncing: syncing !== false,
    }
  } catch (error) {
    throw unreachable(chain.settings, error)
  }
}

async function readSingletons({ deps, chain }: Call) {
  const cursor = await findCursorBlock(deps, chain)
  const found = await findReleases(chain, deps.clock())
  return found
    .filter(({ kind }) => kind === 'singleton' || kind === 'singleton-l2')
    .map(({ address, version, kind }) => ({
      address,
      version: kind === 'singleton-l2' ? `${version}+L2` : version,
      deployer: /^1\.[0-2]\./.test(version) ? 'Gnosis' : 'Safe',
      deployedBlockNumber: chain.settings.startBlock ?? 0,
      lastIndexedBlockNumber: cursor,
      l2: kind === 'singleton-l2',
    }))
}

async function findCursorBlock({ db }: Call['deps'], { settings }: Chain): Promise<number> {
  const [row] = await db
    .select({ blockNumber: chainCursor.blockNumber })
    .from(chainCursor)
    .where(eq(chainCursor.chainId, settings.chainId))
  return Math.max(0, row?.blockNumber ?? 0)
}

/** One follower reads everything, so what is said of tokens and of Safes is the same. */
async function readIndexing({ deps, chain }: Call) {
  const reached = await findCursorBlock(deps, chain)
  const [head, at] = await Promise.all([readBlock(chain.request, 'latest'), readBlock(chain.request, reached)]).catch(
    (error: unknown) => {
      throw unreachable(chain.settings, error)
    },
  )
  if (!head) throw unreachable(chain.settings, new Error('It has no newest block.'))
  const time = (seconds: number) => toDate(new Date(seconds * 1000))
  const synced = head.number - reached <= SYNCED_BLOCKS
  const blockNumber = Math.min(reached, head.number)
  const timestamp = time((at ?? head).timestamp)
  return {
    currentBlockNumber: head.number,
    currentBlockTimestamp: time(head.timestamp),
    erc20BlockNumber: blockNumber,
    erc20BlockTimestamp: timestamp,
    erc20Synced: synced,
    masterCopiesBlockNumber: blockNumber,
    masterCopiesBlockTimestamp: timestamp,
    masterCopiesSynced: synced,
    synced,
  }
}

/** Releases of the Safe; those of modules and passkeys have versions of their own. */
const versions = [...new Set(officialDeployments().map(({ version }) => version))].filter(
  (version) => !version.startsWith('0.'),
)

/** The contracts of each version that this chain has, at every address. */
async function readDeployments({ deps, chain, query }: Call) {
  const wanted = query.get('version')
  const contract = query.get('contract')
  if (wanted && !versions.includes(wanted)) return refuse(404)
  const here = await findReleases(chain, deps.clock())
  return (wanted ? [wanted] : versions).map((version) => ({
    version,
    contracts: here
      .filter((other) => other.version === version && (!contract || other.name === contract))
      .map(({ name: contractName, address }) => ({ contractName, address })),
  }))
}
