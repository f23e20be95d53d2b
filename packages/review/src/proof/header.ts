import { fail, isHexWithin } from '@countersign/safe'
import { getAddress, type Hex, keccak256, padHex, toRlp } from 'viem'
import type { BlockHeader, HeaderFork } from '../simulation/state-reader.ts'
import { decode } from './trie.ts'

/** A header that was read, and the bytes from which its hash was computed. */
export type Header = BlockHeader & {
  /** RLP of the header. */
  raw: Hex
}

type Field = { name: string; size?: number; fork?: HeaderFork }

const word = (name: string, fork?: HeaderFork): Field => ({ name, size: 32, ...(fork && { fork }) })
const quantity = (name: string, fork?: HeaderFork): Field => ({ name, ...(fork && { fork }) })

/** Every header has these, in this order (Yellow Paper, §4.4). Without a size: a quantity, as short as it can be. */
const always: readonly Field[] = [
  word('parentHash'),
  word('sha3Uncles'),
  { name: 'miner', size: 20 },
  word('stateRoot'),
  word('transactionsRoot'),
  word('receiptsRoot'),
  { name: 'logsBloom', size: 256 },
  quantity('difficulty'),
  quantity('number'),
  quantity('gasLimit'),
  quantity('gasUsed'),
  quantity('timestamp'),
  { name: 'extraData', size: -1 },
  word('mixHash'),
  { name: 'nonce', size: 8 },
]
/** Added by forks, each behind the last: London, Shanghai, Cancun (three), Prague, then EIP-7928 and EIP-7843. */
const added: readonly Field[] = [
  quantity('baseFeePerGas', 'london'),
  word('withdrawalsRoot', 'shanghai'),
  quantity('blobGasUsed'),
  quantity('excessBlobGas', 'cancun'),
  word('parentBeaconBlockRoot'),
  word('requestsHash', 'prague'),
  word('blockAccessListHash', 'amsterdam'),
  quantity('slotNumber'),
]
const fields = [...always, ...added]
const MAX_HEADER_BYTES = 4_096

/**
 * Writes a header in RLP from what `eth_getBlockByNumber` answers, and computes its hash. The hash decides: a block with a
 * field that is not known here, or not bound by the header, gets another hash than its chain gives it.
 *
 * @throws CountersignError `PROOF_INVALID` for what is no block
 * @example
 * const header = parseBlockHeader(await request({ method: 'eth_getBlockByNumber', params: ['latest', false] }))
 */
export function parseBlockHeader(block: unknown): Header {
  if (typeof block !== 'object' || block === null) throw fail('PROOF_INVALID', { reason: 'header', field: 'block' })
  const given = block as Record<string, unknown>
  const last = added.findLastIndex(({ name }) => given[name] !== undefined && given[name] !== null)
  const items = fields.slice(0, always.length + last + 1).map((field) => encodeField(field, given[field.name]))
  return parseRawHeader(toRlp(items))
}

/**
 * Names the newest fork whose field a header has.
 *
 * @param has whether it has a field
 * @example
 * forkOfFields((name) => block[name] !== undefined) // 'prague' where it has a requestsHash
 */
export function forkOfFields(has: (name: string) => boolean): HeaderFork {
  return added.findLast(({ name, fork }) => fork !== undefined && has(name))?.fork ?? 'frontier'
}

/**
 * Reads a header that came in RLP, as `debug_getRawHeader` gives it: also one with fields of forks to come.
 *
 * @throws CountersignError `PROOF_INVALID` for what is no header
 * @example
 * parseRawHeader(raw).hash
 */
export function parseRawHeader(raw: unknown): Header {
  if (!isHexWithin(raw, 2 + 2 * MAX_HEADER_BYTES)) throw fail('PROOF_INVALID', { reason: 'header', field: 'RLP' })
  const items = decode(raw)
  if (typeof items === 'string' || items.length < always.length)
    throw fail('PROOF_INVALID', { reason: 'header', field: 'RLP' })
  const at = (name: string): Hex | null => {
    const index = fields.findIndex((field) => field.name === name)
    const item = items[index]
    const size = fields[index]?.size
    if (item === undefined) return null
    const isRight = typeof item === 'string' && (size === undefined ? item.length <= 66 : item.length === 2 + 2 * size)
    if (!isRight) throw fail('PROOF_INVALID', { reason: 'header', field: name })
    return item
  }
  const needed = (name: string): Hex => at(name) ?? '0x'
  const optional = (name: string): bigint | null => {
    const item = at(name)
    return item === null ? null : toNumber(item)
  }
  const difficulty = toNumber(needed('difficulty'))
  return {
    hash: keccak256(raw),
    number: toNumber(needed('number')),
    parentHash: needed('parentHash'),
    stateRoot: needed('stateRoot'),
    timestamp: toNumber(needed('timestamp')),
    coinbase: getAddress(needed('miner')),
    gasLimit: toNumber(needed('gasLimit')),
    prevRandao: difficulty === 0n ? needed('mixHash') : padHex(needed('difficulty'), { size: 32 }),
    baseFeePerGas: optional('baseFeePerGas'),
    excessBlobGas: optional('excessBlobGas'),
    fork: forkOfFields((name) => at(name) !== null),
    raw: raw.toLowerCase() as Hex,
  }
}

/** `size` -1: bytes of any length. */
function encodeField({ name, size }: Field, value: unknown): Hex {
  if (!isHexWithin(value, 2 + 2 * MAX_HEADER_BYTES)) throw fail('PROOF_INVALID', { reason: 'header', field: name })
  if (size === undefined) {
    const digits = value.slice(2).replace(/^0+/, '')
    return digits === '' ? '0x' : `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`
  }
  if (size === -1 ? value.length % 2 !== 0 : value.length !== 2 + 2 * size)
    throw fail('PROOF_INVALID', { reason: 'header', field: name })
  return value
}

function toNumber(item: Hex): bigint {
  return item === '0x' ? 0n : BigInt(item)
}
