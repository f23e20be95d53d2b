import { address } from '@countersign/contract'
import { z } from 'zod'
import { findKnownChain } from '../rpc/known-chains.ts'
import type { Fault } from './fault.ts'
import { priceContracts } from './prices.ts'
import { webUrl } from './urls.ts'

const DEVNET_CHAIN_ID = 31337

const token = z.strictObject({
  address,
  symbol: z.string().min(1).max(32),
  name: z.string().min(1).max(100).optional(),
  decimals: z.number().int().min(0).max(255),
})

export const chain = z
  .strictObject({
    chainId: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
    /** Required for a chain that is not in the list of known ones. */
    name: z.string().min(1).max(100).optional(),
    rpcUrls: z.array(webUrl).min(1).max(10),
    /** Nodes that have to say the same before anything of it is written down or believed. */
    agreement: z.number().int().min(1).optional(),
    /**
     * Independent sources that make the hash of a block certain for a page, whether a wallet is one of them, and by how many
     * blocks the head may move before what is shown is run again.
     */
    proof: z
      .strictObject({
        sources: z.number().int().min(1).max(11).default(2),
        wallet: z.boolean().default(true),
        maxBlocksBehind: z.number().int().min(0).max(10_000).default(25),
      })
      .optional(),
    /** Rate that each node accepts; each request of a batch counts. */
    requestsPerSecond: z.number().min(0.1).max(100_000).optional(),
    publicRpcUrl: webUrl.optional(),
    /** Null: no links, though an explorer is known. */
    explorerUrl: webUrl
      .transform((url) => url.replace(/\/+$/, ''))
      .nullable()
      .optional(),
    nativeCurrency: z
      .strictObject({
        name: z.string().min(1).max(100),
        symbol: z.string().min(1).max(32),
        decimals: z.number().int().min(0).max(36),
      })
      .optional(),
    startBlock: z.number().int().min(0).optional(),
    /** Seconds between two blocks, where the times of blocks do not tell. */
    blockSeconds: z.number().min(0.01).max(86_400).optional(),
    /** Contract that makes several calls in one, as Multicall3 does; null: each is made by itself, though one is known. */
    multicall: z.union([address, z.null()]).optional(),
    /** Which Safes are known: those that somebody here added, or all that the chain's official factories create. */
    index: z.enum(['tracked', 'whole-chain']).default('tracked'),
    tokens: z.array(token).optional(),
    ...priceContracts,
    /** Another Transaction Service, whose queue is brought here when somebody asks for it. */
    bringFrom: z
      .strictObject({
        url: webUrl.transform((url) => url.replace(/\/+$/, '').replace(/\/v[12]$/, '')),
        apiKey: z
          .string()
          .regex(/^[!-~]{1,1000}$/, 'must be printable ASCII without blanks')
          .optional(),
      })
      .optional(),
    /** Registry of names as ENS has one; null: names are not read here, though a registry is known. */
    nameRegistry: z.union([address, z.null()]).optional(),
    /** The Safe Transaction Service wire format: whether what is on the chain may be read there without a token. */
    txService: z.strictObject({ publicReads: z.boolean() }).optional(),
  })
  .refine(({ agreement = 1, rpcUrls }) => agreement <= new Set(rpcUrls).size, {
    path: ['agreement'],
    error: 'must not be more than there are different `rpcUrls`',
  })
  .transform((given, context) => {
    const known = findKnownChain(given.chainId)
    const decimals = known?.nativeCurrency.decimals
    if (given.nativeCurrency && decimals !== undefined && given.nativeCurrency.decimals !== decimals)
      context.addIssue({
        code: 'custom',
        path: ['nativeCurrency', 'decimals'],
        message: `must be ${decimals}, as everybody counts the coin of chain \`${given.chainId}\``,
      })
    const name = given.name ?? known?.name
    if (name !== undefined) {
      // A node that the operator does not name is not asked.
      const { publicNode: _, ...facts } = known ?? {}
      return { ...facts, ...given, name }
    }
    const error = `is required, since chain \`${given.chainId}\` is not known by its number`
    context.addIssue({ code: 'custom', path: ['name'], message: error })
    return z.NEVER
  })

/** Settings of the local chain with the demo, which runs if no chain is named. */
export const devnet = z.strictObject(priceContracts)

export type ChainSettings = z.output<typeof chain> & { isDevnet: boolean }

type Given = { chains: readonly z.output<typeof chain>[]; devnet?: z.output<typeof devnet> | undefined }

/** Returns the chains of the file and the launcher's devnet. */
export function parseChains(env: Record<string, string | undefined>, given: Given, faults: Fault[]): ChainSettings[] {
  const chains = [
    ...given.chains.map((settings) => ({ ...settings, isDevnet: false })),
    ...parseDevnet(env, given, faults),
  ]
  chains.forEach(({ chainId }, at) => {
    if (chains.findIndex((other) => other.chainId === chainId) !== at)
      faults.push({ path: `chains.${at}.chainId`, message: `\`${chainId}\` is there twice` })
  })
  return chains
}

/** The launcher's devnet. Another chain id is for the test harness: signatures for a real chain could be replayed there. */
function parseDevnet(
  env: Record<string, string | undefined>,
  { chains, devnet }: Given,
  faults: Fault[],
): ChainSettings[] {
  const rpcUrl = env.COUNTERSIGN_DEVNET_RPC_URL
  if (!rpcUrl) {
    // No local chain runs beside chains that are named: its settings would count nowhere, without a word.
    if (devnet && chains.length > 0)
      faults.push({ path: 'devnet', message: 'must not be there together with `chains`' })
    return []
  }
  let tokens: unknown = []
  try {
    tokens = JSON.parse(env.COUNTERSIGN_DEVNET_TOKENS ?? '[]')
  } catch {
    faults.push({ path: 'COUNTERSIGN_DEVNET_TOKENS', message: 'is not JSON' })
  }
  const parsed = chain.safeParse({
    chainId: Number(env.COUNTERSIGN_DEVNET_CHAIN_ID ?? DEVNET_CHAIN_ID),
    name: 'Devnet',
    rpcUrls: [rpcUrl],
    publicRpcUrl: rpcUrl,
    explorerUrl: null,
    // The devnet has one node, and whoever starts it owns it.
    proof: { sources: 1, wallet: false, maxBlocksBehind: 25 },
    startBlock: 0,
    index: 'whole-chain',
    tokens,
    nameRegistry: env.COUNTERSIGN_DEVNET_NAME_REGISTRY || null,
    ...devnet,
  })
  if (parsed.success) return [{ ...parsed.data, isDevnet: true }]
  for (const issue of parsed.error.issues)
    faults.push({ path: `COUNTERSIGN_DEVNET ${issue.path.join('.')}`, message: issue.message })
  return []
}
