import { type Address, type Hex, keccak256, padHex, size } from 'viem'
import { describe, expect, it } from 'vitest'
import vectors from '../../vectors/mainnet-proofs.json' with { type: 'json' }
import { readAccountProof, readProvedCode } from './account-proof.ts'
import { EMPTY_ROOT } from './trie.ts'

// An answer of a node of Ethereum mainnet, as it is and changed. Answers with slots: packages/devnet/src/proofs.test.ts.

const { block, proof } = vectors
const address = proof.address as Address
const nodes = proof.accountProof as Hex[]
const [top = '0x'] = nodes
/** A trie is known by the hash of its first node. */
const stateRoot = keccak256(top)
const other: Address = '0x1111111111111111111111111111111111111111'
const invalid = expect.objectContaining({ code: 'PROOF_INVALID' })
const read = (answer: unknown, { slots = [] as Hex[], of = address, root = stateRoot } = {}) =>
  readAccountProof(answer, { address: of, slots }, root)
const withPath = (accountProof: unknown) => ({ ...proof, accountProof })

function withByte(node: Hex, at: number): Hex {
  const [start, byte, end] = [node.slice(0, 2 + at * 2), node.slice(2 + at * 2, 4 + at * 2), node.slice(4 + at * 2)]
  return `${start}${byte === '77' ? '78' : '77'}${end}` as Hex
}

describe('readAccountProof', () => {
  it('default: the account as mainnet has it', () => {
    const { codeHash, storageHash } = proof
    const account = { address, balance: 0n, nonce: 1n, codeHash, storageRoot: storageHash }
    expect(read(proof)).toEqual({ account, slots: new Map() })
  })

  it.each(['address', 'balance', 'nonce', 'codeHash', 'storageHash'] as const)(
    'error: PROOF_INVALID for another %s than the path proves, none, and one that is no hex',
    (name) => {
      const value = proof[name]
      const digit = `${value.slice(0, -1)}${value.endsWith('7') ? '8' : '7'}`
      for (const lie of [digit, undefined, null, '0x', 'x', `${value}1`, 1, {}, [value]])
        expect(() => read({ ...proof, [name]: lie })).toThrow(invalid)
    },
  )

  it('error: PROOF_INVALID for each node of the path with a byte changed', () => {
    for (const [index, node] of nodes.entries())
      for (let at = 0; at < size(node); at += 11)
        expect(() => read(withPath(nodes.with(index, withByte(node, at)))), `node ${index}, byte ${at}`).toThrow(
          invalid,
        )
  })

  it('error: PROOF_INVALID for a path cut anywhere, turned round, doubled, or with more behind it', () => {
    for (let kept = 0; kept < nodes.length; kept += 1)
      expect(() => read(withPath(nodes.slice(0, kept)))).toThrow(invalid)
    for (let index = 0; index < nodes.length; index += 1)
      expect(() => read(withPath(nodes.toSpliced(index, 1)))).toThrow(invalid)
    for (const path of [nodes.toReversed(), [...nodes, top], [top, ...nodes], null, {}, 'path', [null], [1], ['x']])
      expect(() => read(withPath(path))).toThrow(invalid)
  })

  it('error: PROOF_INVALID at another block, at the block of another chain, and of another account', () => {
    const roots = [block.stateRoot as Hex, EMPTY_ROOT, keccak256(nodes[1] ?? '0x'), padHex('0x', { size: 32 })]
    for (const root of roots) expect(() => read(proof, { root })).toThrow(invalid)
    expect(() => read(proof, { of: other })).toThrow(invalid)
    // The path ends elsewhere, so that it proves nothing of the other.
    expect(() => read({ ...proof, address: other }, { of: other })).toThrow(invalid)
  })

  it('error: PROOF_INVALID for slots that were asked for and left out, or given and not asked for', () => {
    const slot = padHex('0x0', { size: 32 })
    expect(() => read(proof, { slots: [slot] })).toThrow(invalid)
    const zero = { key: slot, value: '0x0', proof: [] }
    expect(() => read({ ...proof, storageProof: [zero] })).toThrow(invalid)
    // Nothing of a storage that has a root is proved by no path.
    expect(() => read({ ...proof, storageProof: [zero] }, { slots: [slot] })).toThrow(invalid)
  })

  it('error: PROOF_INVALID for 100 MB in any place, quickly', () => {
    const long = `0x${'f9'.repeat(50_000_000)}`
    const many = Array.from({ length: 190_000 }, () => top)
    const began = performance.now()
    for (const path of [[long], [...nodes.slice(0, -1), long], many, [...nodes, ...many]])
      expect(() => read(withPath(path))).toThrow(invalid)
    for (const name of ['balance', 'nonce', 'codeHash', 'storageHash', 'address'])
      expect(() => read({ ...proof, [name]: long })).toThrow(invalid)
    expect(performance.now() - began).toBeLessThan(4_000)
  })
})

describe('readProvedCode', () => {
  it('error: PROOF_INVALID for other code than the account has', () => {
    for (const code of ['0x', '0x00', null, 'x'])
      expect(() => readProvedCode(code, proof.codeHash as Hex)).toThrow(invalid)
    expect(readProvedCode('0x6001', keccak256('0x6001'))).toBe('0x6001')
  })
})
