import { fail, type RpcRequest } from '@countersign/safe'
import { type Hex, isHex, numberToHex } from 'viem'
import type { FactGrade } from '../simulation/fact-grade.ts'
import { type Header, parseBlockHeader, parseRawHeader } from './header.ts'

/** One that says which hash a block has. `host`: two of one host count once; null where it is not known. */
export type HashSource = {
  kind: 'node' | 'wallet'
  name: string
  host: string | null
  /** Null: it did not say. */
  hash: Hex | null
  /** Seconds since 1970 of the newest block that it has; null where it did not say. */
  newestTime?: number | null | undefined
}

/**
 * Whether a hash is certain: `enough` sources name it, too `few` do, or they `disagree`. An `old` block is one of the chain,
 * but a source has a much newer one: a node that keeps the newest back could show a Safe as it was weeks ago, proofs
 * and all.
 */
export type Vouching = {
  status: 'enough' | 'few' | 'disagree' | 'old'
  /** Independent sources that name the hash. */
  count: number
  /** Sources that the configuration asks for. */
  needed: number
  sources: readonly HashSource[]
  /** Names of the sources that have a much newer block. */
  ahead: readonly string[]
}

/** Nodes are a few blocks apart, and some chains make one in half a minute. */
const MAX_BEHIND_SECONDS = 120

/** A block at which everything is read, and who vouches for its hash. */
export type VouchedBlock = {
  chainId: number
  number: bigint
  /** As the node says it; where there is a header it is the header's. */
  hash: Hex
  /** Null where the hash is not that of a header of Ethereum, as on zkSync: then nothing can be proved. */
  header: Header | null
  vouching: Vouching
}

/** Asks every source that there is for the hash of a block. */
export type AskSources = (blockNumber: bigint) => Promise<readonly HashSource[]>

/**
 * Judges what sources say of the hash of a block. One that names another hash is a disagreement, however many agree.
 *
 * @param needed how many independent ones it takes
 * @param timestamp of the block, where it is to be the newest: seconds since 1970
 * @example
 * judgeSources(header.hash, sources, 2).status // 'few' where one node alone answers
 */
export function judgeSources(
  hash: Hex,
  sources: readonly HashSource[],
  needed: number,
  timestamp?: bigint | undefined,
): Vouching {
  const said = sources.filter((source) => source.hash !== null)
  const naming = said.filter((source) => source.hash?.toLowerCase() === hash)
  const count = new Set(naming.map(({ kind, host, name }) => host ?? `${kind} ${name}`)).size
  const newest = timestamp === undefined ? Number.POSITIVE_INFINITY : Number(timestamp) + MAX_BEHIND_SECONDS
  const ahead = sources.filter(({ newestTime }) => (newestTime ?? 0) > newest).map(({ name }) => name)
  const byCount = count >= needed ? 'enough' : 'few'
  const status = naming.length < said.length ? 'disagree' : ahead.length > 0 ? 'old' : byCount
  return { status, count, needed, sources, ahead }
}

/**
 * The grade of what is proved against a block: no better than its hash.
 *
 * @example
 * gradeOf(block) // 'one-node' where too few sources name its hash
 */
export function gradeOf({ header, vouching }: VouchedBlock): FactGrade {
  return header !== null && vouching.status === 'enough' ? 'proved' : 'one-node'
}

/**
 * Reads a block, by default the newest, computes its hash, and asks the sources for theirs. The header may come from
 * anybody; the hash counts by who names it. That a block is the newest, no node can prove: sources say how new theirs is.
 *
 * @throws CountersignError `PROOF_INVALID` when the node names no block, or another; and whatever `request` throws
 * @example
 * const block = await readVouchedBlock({ chainId, request, askSources, needed: 2 })
 */
export async function readVouchedBlock(asked: {
  chainId: number
  request: RpcRequest
  askSources: AskSources
  needed: number
  blockNumber?: bigint | undefined
}): Promise<VouchedBlock> {
  const first = await readOnce(asked)
  // One may have been made between the two questions.
  return first.vouching.status === 'old' ? readOnce(asked) : first
}

async function readOnce({
  chainId,
  request,
  askSources,
  needed,
  blockNumber,
}: Parameters<typeof readVouchedBlock>[0]): Promise<VouchedBlock> {
  const place = blockNumber === undefined ? 'latest' : numberToHex(blockNumber)
  const block = await request({ method: 'eth_getBlockByNumber', params: [place, false] })
  const { number, hash, timestamp } = readPlace(block)
  if (blockNumber !== undefined && number !== blockNumber) throw noBlock(blockNumber)
  const [header, sources] = await Promise.all([readHeader(request, block, { number, hash }), askSources(number)])
  const time = blockNumber === undefined ? (header?.timestamp ?? timestamp) : undefined
  return { chainId, number, hash, header, vouching: judgeSources(hash, sources, needed, time) }
}

function readPlace(block: unknown): { number: bigint; hash: Hex; timestamp: bigint } {
  const { number, hash, timestamp } =
    typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {}
  if (!isQuantity(number) || !isQuantity(timestamp) || !isHex(hash) || hash.length !== 66) throw noBlock(null)
  return { number: BigInt(number), hash: hash.toLowerCase() as Hex, timestamp: BigInt(timestamp) }
}

function isQuantity(value: unknown): value is Hex {
  return isHex(value) && value.length >= 3 && value.length <= 66
}

/** A header with fields that are not known here comes in RLP, where the node gives that. */
async function readHeader(
  request: RpcRequest,
  block: unknown,
  { number, hash }: { number: bigint; hash: Hex },
): Promise<Header | null> {
  const isIt = (header: Header | null) => header?.hash === hash && header.number === number
  const fromFields = read(() => parseBlockHeader(block))
  if (isIt(fromFields)) return fromFields
  const raw = await request({ method: 'debug_getRawHeader', params: [numberToHex(number)] }).catch(() => null)
  const fromBytes = read(() => parseRawHeader(raw))
  return isIt(fromBytes) ? fromBytes : null
}

function read(header: () => Header): Header | null {
  try {
    return header()
  } catch {
    return null
  }
}

function noBlock(number: bigint | null) {
  return fail('PROOF_INVALID', { reason: 'block', number: number === null ? 'latest' : number.toString() })
}
