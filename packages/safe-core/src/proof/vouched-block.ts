import { type Hex, isHex, numberToHex } from 'viem'
import { fail } from '../error-sentences.ts'
import type { RpcRequest } from '../safe-state.ts'
import type { FactGrade } from '../simulation/fact-grade.ts'
import { type Header, readBlockHeader, readRawHeader } from './header.ts'

/** One that says which hash a block has. `host`: two of one host count once; null where it is not known. */
export type HashSource = {
  kind: 'node' | 'wallet'
  name: string
  host: string | null
  /** Null: it did not say. */
  hash: Hex | null
}

/** Whether a hash is certain: `enough` sources name it, too `few` do, or they `disagree`. */
export type Vouching = {
  status: 'enough' | 'few' | 'disagree'
  /** Independent sources that name the hash. */
  count: number
  /** Sources that the configuration asks for. */
  needed: number
  sources: readonly HashSource[]
}

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
 * @example
 * judgeSources(header.hash, sources, 2).status // 'few' where one node alone answers
 */
export function judgeSources(hash: Hex, sources: readonly HashSource[], needed: number): Vouching {
  const said = sources.filter((source) => source.hash !== null)
  const naming = said.filter((source) => source.hash?.toLowerCase() === hash)
  const count = new Set(naming.map(({ kind, host, name }) => host ?? `${kind} ${name}`)).size
  const status = naming.length < said.length ? 'disagree' : count >= needed ? 'enough' : 'few'
  return { status, count, needed, sources }
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
 * anybody; the hash counts by who names it.
 *
 * @throws CountersignError `PROOF_INVALID` when the node names no block, or another; and whatever `request` throws
 * @example
 * const block = await readVouchedBlock({ chainId, request, askSources, needed: 2 })
 */
export async function readVouchedBlock({
  chainId,
  request,
  askSources,
  needed,
  blockNumber,
}: {
  chainId: number
  request: RpcRequest
  askSources: AskSources
  needed: number
  blockNumber?: bigint | undefined
}): Promise<VouchedBlock> {
  const place = blockNumber === undefined ? 'latest' : numberToHex(blockNumber)
  const block = await request({ method: 'eth_getBlockByNumber', params: [place, false] })
  const { number, hash } = readPlace(block)
  if (blockNumber !== undefined && number !== blockNumber) throw noBlock(blockNumber)
  const [header, sources] = await Promise.all([readHeader(request, block, { number, hash }), askSources(number)])
  return { chainId, number, hash, header, vouching: judgeSources(hash, sources, needed) }
}

function readPlace(block: unknown): { number: bigint; hash: Hex } {
  const { number, hash } = typeof block === 'object' && block !== null ? (block as Record<string, unknown>) : {}
  if (!isHex(number) || number.length < 3 || number.length > 66 || !isHex(hash) || hash.length !== 66)
    throw noBlock(null)
  return { number: BigInt(number), hash: hash.toLowerCase() as Hex }
}

/** A header with fields that are not known here comes in RLP, where the node gives that. */
async function readHeader(
  request: RpcRequest,
  block: unknown,
  { number, hash }: { number: bigint; hash: Hex },
): Promise<Header | null> {
  const isIt = (header: Header | null) => header?.hash === hash && header.number === number
  const fromFields = read(() => readBlockHeader(block))
  if (isIt(fromFields)) return fromFields
  const raw = await request({ method: 'debug_getRawHeader', params: [numberToHex(number)] }).catch(() => null)
  const fromBytes = read(() => readRawHeader(raw))
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
