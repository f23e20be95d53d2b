import { concatHex, fromRlp, getAddress, type Hex, hexToBytes, keccak256, padHex, slice, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import { costBeside } from '../../../../scripts/testing/growth.mjs'
import vectors from '../../vectors/mainnet-proofs.json' with { type: 'json' }
import { parseBlockHeader, parseRawHeader } from './header.ts'

// The header of a block of Ethereum mainnet, as it is and changed.

const { block } = vectors
/** Members of an answer that no header binds. */
const unbound = ['hash', 'size', 'uncles']
const bound = Object.keys(block).filter((name) => !unbound.includes(name))
const invalid = expect.objectContaining({ code: 'PROOF_INVALID' })
const { raw } = parseBlockHeader(block)

/** The hash of what is read; null where it is refused. */
function hashOf(read: () => { hash: Hex }): Hex | null {
  try {
    return read().hash
  } catch (error) {
    expect(error).toMatchObject(invalid)
    return null
  }
}

function withDigit(value: string, at: number): string {
  return `${value.slice(0, at)}${value[at] === '7' ? '8' : '7'}${value.slice(at + 1)}`
}

describe('parseBlockHeader', () => {
  it('default: has the hash by which mainnet knows the block', () => {
    const header = parseBlockHeader(block)
    expect(header.hash).toBe(block.hash)
    expect(header).toMatchObject({ number: 24_630_100n, stateRoot: block.stateRoot, fork: 'prague' })
    expect(header).toMatchObject({ baseFeePerGas: 38_202_867n, prevRandao: block.mixHash, timestamp: 1_773_182_315n })
    expect(header).toMatchObject({ coinbase: getAddress(block.miner as Hex), parentHash: block.parentHash })
    expect(header).toMatchObject({ gasLimit: BigInt(block.gasLimit), excessBlobGas: BigInt(block.excessBlobGas) })
    expect(parseRawHeader(header.raw)).toEqual(header)
    for (const name of unbound) expect(parseBlockHeader({ ...block, [name]: 'anything' }).hash).toBe(block.hash)
  })

  it.each(bound)('behavior: another digit of %s, wherever it stands, is another block or none', (name) => {
    const value = String(block[name as 'nonce'])
    const step = Math.max(1, Math.floor(value.length / 64))
    for (let at = 2; at < value.length; at += step)
      expect(hashOf(() => parseBlockHeader({ ...block, [name]: withDigit(value, at) }))).not.toBe(block.hash)
  })

  it.each(bound)('behavior: a block whose %s is left out, cut short, too long or no hex is another or none', (name) => {
    const value = String(block[name as 'nonce'])
    const others = [undefined, null, '0x', value.slice(0, -1), `${value}01`, `${value}1`, 'x', 7, {}, [value]]
    // Nothing is zero, however it is written: the hash decides.
    for (const other of others.filter((one) => !(value === '0x0' && one === '0x')))
      expect(hashOf(() => parseBlockHeader({ ...block, [name]: other }))).not.toBe(block.hash)
  })

  it('error: PROOF_INVALID for a value that is not a block, and for fields of 100 MB without reading them', () => {
    for (const other of [null, undefined, 7, 'block', [], {}]) expect(() => parseBlockHeader(other)).toThrow(invalid)
    const long = `0x${'ab'.repeat(50_000_000)}`
    const refuse = () => {
      for (const name of ['extraData', 'logsBloom', 'number', 'stateRoot'])
        expect(() => parseBlockHeader({ ...block, [name]: long })).toThrow(invalid)
      expect(() => parseRawHeader(long)).toThrow(invalid)
    }
    const some = hexToBytes(`0x${long.slice(2, 2_000_000)}`)
    expect(costBeside(refuse, () => keccak256(some))).toBeLessThan(1)
  })
})

describe('parseRawHeader', () => {
  const items = fromRlp(raw, 'hex') as Hex[]
  const withItem = (at: number, item: Hex) => toRlp([...items.slice(0, at), item, ...items.slice(at + 1)])

  it.each([
    ['parentHash', 0],
    ['miner', 2],
    ['stateRoot', 3],
    ['difficulty', 7],
    ['number', 8],
    ['gasLimit', 9],
    ['timestamp', 11],
    ['mixHash', 13],
    ['baseFeePerGas', 15],
    ['requestsHash', 20],
    ['excessBlobGas', 18],
  ] as const)('error: PROOF_INVALID for a %s of more bytes than it has, whatever its hash', (_, at) => {
    expect(() => parseRawHeader(withItem(at, `0x${'01'.repeat(33)}`))).toThrow(invalid)
  })

  it('behavior: on a chain with a difficulty code sees that in place of randomness', () => {
    expect(parseRawHeader(withItem(7, '0x0102')).prevRandao).toBe(padHex('0x0102', { size: 32 }))
  })

  it('behavior: fields that are not known yet are of a fork to come, and bind the hash', () => {
    const [word, later] = [padHex('0x01', { size: 32 }), [...items]]
    while (later.length < 23) later.push(word)
    expect(parseRawHeader(toRlp(later)).fork).toBe('amsterdam')
    expect(parseRawHeader(toRlp([...later, '0x01'])).fork).toBe('amsterdam')
    expect(parseRawHeader(raw.toUpperCase().replace('0X', '0x')).raw).toBe(raw)
  })

  it('behavior: another byte anywhere is another block or none', () => {
    for (let at = 2; at < raw.length; at += 2)
      expect(
        hashOf(() => parseRawHeader(withDigit(raw, at))),
        `byte ${at / 2 - 1}`,
      ).not.toBe(block.hash)
  })

  it('behavior: a header cut anywhere, or with bytes behind it, is none', () => {
    for (let size = 0; size < (raw.length - 2) / 2; size += 13)
      expect(() => parseRawHeader(size === 0 ? '0x' : slice(raw, 0, size))).toThrow(invalid)
    expect(() => parseRawHeader(concatHex([raw, '0x00']))).toThrow(invalid)
    expect(() => parseRawHeader(toRlp(Array.from({ length: 14 }, () => '0x' as const)))).toThrow(invalid)
    expect(() => parseRawHeader(toRlp(items.slice(0, 14)))).toThrow(invalid)
  })
})
