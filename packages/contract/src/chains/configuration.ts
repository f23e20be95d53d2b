import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId } from '../wire/primitives.ts'

/** A chain as the browser may know it. The operator's RPC URLs are not in it: they may hold keys. */
export const chain = z.object({
  chainId,
  name: z.string(),
  nativeCurrency: z.object({
    name: z.string(),
    symbol: z.string(),
    decimals: z.int().check(z.minimum(0), z.maximum(36)),
  }),
  /** An RPC URL that may be given to wallets, or null: then the wallet's owner adds the chain by hand. */
  publicRpcUrl: z.nullable(z.url()),
  /** Block explorer without a trailing slash, or null. */
  explorerUrl: z.nullable(z.url()),
  /** True for the built-in development chain alone: there the Demo wallet exists. */
  isDevnet: z.boolean(),
  /** Which Safes My Safes finds by their owners: those that somebody here added, or all that were created on the chain. */
  index: z.enum(['tracked', 'whole-chain']),
  /** Whether the node answered, and for the right chain, when last asked. */
  status: z.enum(['ok', 'unreachable', 'wrong-chain']),
  /** Sources that make the hash of a block certain, and with it all that is proved against it. */
  proof: z.object({
    /** Independent sources that must name the same hash. */
    sources: z.int().check(z.positive()),
    /** Whether the connected wallet counts: its own node is not one of the operator's, as far as is known. */
    wallet: z.boolean(),
    /** Blocks by which the head may move before a page runs its transactions again. Before a signature it always does. */
    maxBlocksBehind: z.int().check(z.minimum(0)),
  }),
  /** Host of the Transaction Service that the queue of a Safe can be brought from; null where the operator names none. */
  bringFrom: z.nullable(z.string()),
  /** Registry that names accounts of this chain, and the chain that it is on; null where there is none. */
  nameRegistry: z.nullable(z.object({ chainId, address })),
  /** A name for what token lists say of this chain now; null where no list has tokens of it. */
  listRevision: z.nullable(z.string()),
  /** Tokens known by name here: test tokens of the devnet, or tokens that the operator lists. */
  tokens: z.array(
    z.object({
      address,
      symbol: z.string(),
      name: z.string(),
      decimals: z.int().check(z.minimum(0), z.maximum(255)),
    }),
  ),
})
export type Chain = z.infer<typeof chain>

/** The relay that carries WalletConnect messages between this page and a phone. Null where the operator set none. */
export const walletConnect = z.object({
  projectId: z.nullable(z.string()),
  /** wss, or ws on this machine. */
  relayUrl: z.url(),
  /** Seconds until a QR code is replaced by a new one. */
  codeSeconds: z.int().check(z.positive()),
})
export type WalletConnectSettings = z.infer<typeof walletConnect>

export const getConfiguration = endpoint({
  name: 'getConfiguration',
  method: 'GET',
  path: '/api/configuration',
  summary: 'What this installation offers: chains, wallets, and where it can be reached',
  reply: z.object({
    version: z.string(),
    publicUrl: z.url(),
    /** Origins of the Safe interfaces that may show this product in a frame. */
    safeHosts: z.array(z.string()),
    /** Whether Coinbase Wallet may be opened in a window where no extension is installed. */
    hasCoinbase: z.boolean(),
    chains: z.array(chain),
    walletConnect: z.nullable(walletConnect),
    /** Code of the currency in which values are shown; null where the operator names no source of prices. */
    currency: z.nullable(z.string()),
  }),
  session: 'none',
  errors: [],
})
