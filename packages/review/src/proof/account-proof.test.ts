import { type Address, concatHex, type Hex, hexToBytes, keccak256, numberToHex, padHex, size, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import { costBeside } from '../../../../scripts/testing/growth.mjs'
import vectors from '../../vectors/mainnet-proofs.json' with { type: 'json' }
import { EMPTY_CODE_HASH, readAccountProof, readProvedCode } from './account-proof.ts'
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

  it('error: PROOF_INVALID for 100 MB in any field, without hashing them', () => {
    const long = `0x${'f9'.repeat(50_000_000)}`
    const many = Array.from({ length: 190_000 }, () => top)
    const refuse = () => {
      for (const path of [[long], [...nodes.slice(0, -1), long], many, [...nodes, ...many]])
        expect(() => read(withPath(path))).toThrow(invalid)
      for (const name of ['balance', 'nonce', 'codeHash', 'storageHash', 'address'])
        expect(() => read({ ...proof, [name]: long })).toThrow(invalid)
    }
    const some = hexToBytes(`0x${long.slice(2, 2_000_000)}`)
    expect(costBeside(refuse, () => keccak256(some))).toBeLessThan(1)
  })
})

describe('an account under a root that names it', () => {
  type Leaf = { path: Hex[]; root: Hex }
  type Made = { fields?: (Hex | Hex[])[]; stored?: Hex }
  const slot = padHex('0x07', { size: 32 })
  const ZERO = padHex('0x', { size: 32 })

  /** A trie with one key: its root is its leaf. */
  function leafOf(key: Hex, value: Hex): Leaf {
    const node = toRlp([concatHex(['0x20', keccak256(key)]), value])
    return { path: [node], root: keccak256(node) }
  }

  function made({ fields, stored = '0x2a' }: Made = {}) {
    const storage = leafOf(slot, toRlp(stored))
    const account = leafOf(other, toRlp(fields ?? ['0x01', '0x0200', storage.root, keccak256('0x00')]))
    const slotProof = { key: '0x7', value: numberToHex(BigInt(stored === '0x' ? 0 : stored)), proof: storage.path }
    const said = {
      address: other,
      balance: '0x200',
      nonce: '0x1',
      codeHash: keccak256('0x00'),
      storageHash: storage.root,
    }
    return { answer: { ...said, accountProof: account.path, storageProof: [slotProof] }, slotProof, root: account.root }
  }

  const readMade = ({ answer, root }: { answer: unknown; root: Hex }, slots: Hex[] = [slot]) =>
    read(answer, { root, of: other, slots })
  const because = (reason: string) =>
    expect.objectContaining({ code: 'PROOF_INVALID', data: expect.objectContaining({ reason }) })

  it('default: its fields and a slot, also one that was written to zero', () => {
    const { account, slots } = readMade(made())
    expect(account).toMatchObject({ balance: 512n, nonce: 1n, codeHash: keccak256('0x00') })
    expect(slots).toEqual(new Map([[slot, padHex('0x2a', { size: 32 })]]))
    expect(readMade(made({ stored: '0x' })).slots).toEqual(new Map([[slot, ZERO]]))
  })

  it.each<[string, (made: { key: unknown; value: unknown; proof: unknown }) => unknown]>([
    ['value', (one) => ({ ...one, value: '0x2b' })],
    ['key', (one) => ({ ...one, key: '0x8' })],
    ['proof', (one) => ({ ...one, proof: 'path' })],
    ['storageProof', () => null],
  ])('error: PROOF_INVALID for a slot of another %s', (field, change) => {
    const { answer, slotProof, root } = made()
    const lie = { answer: { ...answer, storageProof: [change(slotProof)] }, root }
    expect(() => readMade(lie)).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ reason: 'said', field }) }),
    )
  })

  it('error: PROOF_INVALID for more slots than are ever asked for, each with its path', () => {
    const { answer, slotProof, root } = made()
    const many = (count: number) => {
      const storageProof = Array.from({ length: count }, () => slotProof)
      return readMade(
        { answer: { ...answer, storageProof }, root },
        Array.from({ length: count }, () => slot),
      )
    }
    expect(many(2_000).slots.size).toBe(1)
    expect(() => many(2_001)).toThrow(because('slots'))
  })

  const { root: storageRoot } = leafOf(slot, toRlp('0x2a'))
  const code = keccak256('0x00')
  it.each<[string, (Hex | Hex[])[], string]>([
    ['three fields', ['0x01', '0x0200', storageRoot], 'account'],
    ['a fifth field', ['0x01', '0x0200', storageRoot, code, '0x01'], 'account'],
    ['a root that is no word', ['0x01', '0x0200', '0x1234', code], 'account'],
    ['a code hash that is no word', ['0x01', '0x0200', storageRoot, `${code}00`], 'account'],
    ['a nonce with a zero in front', ['0x0001', '0x0200', storageRoot, code], 'node'],
    ['a balance of more than a word', ['0x01', `0x${'02'.repeat(33)}`, storageRoot, code], 'node'],
    ['a balance that is a list', ['0x01', ['0x02'], storageRoot, code], 'node'],
  ])('error: PROOF_INVALID for one with %s', (_, fields, reason) => {
    expect(() => readMade(made({ fields }))).toThrow(because(reason))
  })

  it('behavior: a node may say zero for the hash of nothing, and of nothing else', () => {
    const none = { ...made({ fields: ['0x01', '0x0200', EMPTY_ROOT, EMPTY_CODE_HASH] }) }
    const said = (answer: object) => () =>
      readMade({ answer: { ...none.answer, storageProof: [], ...answer }, root: none.root }, [])
    for (const codeHash of [ZERO, EMPTY_CODE_HASH])
      for (const storageHash of [ZERO, EMPTY_ROOT])
        expect(said({ codeHash, storageHash })().account).toMatchObject({ storageRoot: EMPTY_ROOT })
    const some = made()
    for (const name of ['codeHash', 'storageHash'])
      expect(() => readMade({ answer: { ...some.answer, [name]: ZERO }, root: some.root })).toThrow(because('said'))
  })
})

describe('readProvedCode', () => {
  it('error: PROOF_INVALID for other code than the account has', () => {
    for (const code of ['0x', '0x00', null, 'x'])
      expect(() => readProvedCode(code, proof.codeHash as Hex)).toThrow(invalid)
    expect(readProvedCode('0x6001', keccak256('0x6001'))).toBe('0x6001')
    // It is not even hashed.
    const [long, most] = [262_145, 262_144].map((size) => `0x${'01'.repeat(size)}` as Hex)
    expect(() => readProvedCode(long, keccak256(long ?? '0x'))).toThrow(invalid)
    expect(readProvedCode(most, keccak256(most ?? '0x'))).toBe(most)
    const huge = `0x${'01'.repeat(50_000_000)}`
    expect(() => readProvedCode(huge, proof.codeHash as Hex)).toThrow(invalid)
  })
})
