import { concatHex, type Hex, keccak256, size, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import { createRandomInt } from '../../../../scripts/testing/random-tests.mjs'
import { EMPTY_ROOT, readTrie } from './trie.ts'

// Tries are built here from their entries, by the Yellow Paper alone (Appendices C and D), and shaped as a state never is at will.

type Entries = ReadonlyMap<string, Hex>
type Rlp = Hex | Rlp[]
type Built =
  | { kind: 'leaf'; rest: string; value: Hex }
  | { kind: 'extension'; digits: string; child: Built }
  | { kind: 'branch'; children: (Built | null)[] }

/** How the path of a key ends. */
type End = 'value' | 'empty slot' | 'other leaf' | 'other extension'
type Proof = { path: Hex[]; end: End; embedded: number }

function build(entries: Entries, from = 0): Built {
  const keys = [...entries.keys()]
  const [first = ''] = keys
  if (keys.length === 1) return { kind: 'leaf', rest: first.slice(from), value: entries.get(first) ?? '0x' }
  let to = from
  while (keys.every((key) => key[to] === first[to])) to += 1
  if (to > from) return { kind: 'extension', digits: first.slice(from, to), child: build(entries, to) }
  const children = Array.from({ length: 16 }, (_, digit) => {
    const inside = new Map([...entries].filter(([key]) => key[from] === digit.toString(16)))
    return inside.size === 0 ? null : build(inside, from + 1)
  })
  return { kind: 'branch', children }
}

function part(digits: string, isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (digits.length % 2)
  return `0x${flag}${digits.length % 2 === 0 ? '0' : ''}${digits}`
}

const written = new WeakMap<Built, Rlp[]>()

function itemsOf(node: Built): Rlp[] {
  const items = written.get(node) ?? writeItems(node)
  written.set(node, items)
  return items
}

function writeItems(node: Built): Rlp[] {
  if (node.kind === 'leaf') return [part(node.rest, true), node.value]
  if (node.kind === 'extension') return [part(node.digits, false), referenceTo(node.child)]
  return [...node.children.map((child): Rlp => (child === null ? '0x' : referenceTo(child))), '0x']
}

const isEmbedded = (node: Built) => size(toRlp(itemsOf(node))) < 32
const referenceTo = (node: Built): Rlp => (isEmbedded(node) ? itemsOf(node) : keccak256(toRlp(itemsOf(node))))
const rootOf = (node: Built) => keccak256(toRlp(itemsOf(node)))

function prove(root: Built, key: string): Proof {
  const proof: Proof = { path: [toRlp(itemsOf(root))], end: 'value', embedded: 0 }
  let node = root
  let rest = key
  for (;;) {
    let child: Built | null
    if (node.kind === 'leaf') return { ...proof, end: node.rest === rest ? 'value' : 'other leaf' }
    if (node.kind === 'extension') {
      if (!rest.startsWith(node.digits)) return { ...proof, end: 'other extension' }
      child = node.child
      rest = rest.slice(node.digits.length)
    } else {
      child = node.children[Number.parseInt(rest.slice(0, 1), 16)] ?? null
      rest = rest.slice(1)
      if (child === null) return { ...proof, end: 'empty slot' }
    }
    node = child
    if (isEmbedded(node)) proof.embedded += 1
    else proof.path.push(toRlp(itemsOf(node)))
  }
}

const pick = createRandomInt()
const digit = () => pick(16).toString(16)
const digits = (length: number) => Array.from({ length }, digit).join('')
/** A number as it is stored: in RLP. Some take a byte, some a whole word. */
const value = (): Hex => (pick(2) === 0 ? toRlp(`0x0${1 + pick(15)}`.slice(0, 4) as Hex) : toRlp(`0x${digits(64)}`))

/** A key that goes on like another for some digits, then otherwise. */
function near(key: string): string {
  const shared = pick(4) === 0 ? pick(64) : 56 + pick(8)
  const other = ((Number.parseInt(key.slice(shared, shared + 1), 16) + 1 + pick(15)) % 16).toString(16)
  return key.slice(0, shared) + other + digits(63 - shared)
}

function randomEntries(count: number): Map<string, Hex> {
  const entries = new Map([[digits(64), value()]])
  while (entries.size < count) {
    const known = [...entries.keys()]
    entries.set(near(known[pick(known.length)] ?? ''), value())
  }
  return entries
}

const hex = (key: string): Hex => `0x${key}`
const refusal = expect.objectContaining({ code: 'PROOF_INVALID' })

/** Every key of the trie is there, and others near to them are not. Counts how the paths ended. */
function checkAll(entries: Entries, strangers: readonly string[]): Record<End | 'embedded', number> {
  const ends = { value: 0, 'empty slot': 0, 'other leaf': 0, 'other extension': 0, embedded: 0 }
  const root = build(entries)
  for (const key of [...entries.keys(), ...strangers]) {
    const { path, end, embedded } = prove(root, key)
    expect(readTrie(rootOf(root), hex(key), path)).toBe(entries.get(key) ?? null)
    expect(end === 'value').toBe(entries.has(key))
    ends[end] += 1
    ends.embedded += embedded
  }
  return ends
}

describe('readTrie', () => {
  it('reads what is there and what is not, out of tries with long shared prefixes', () => {
    const all = { value: 0, 'empty slot': 0, 'other leaf': 0, 'other extension': 0, embedded: 0 }
    for (let round = 0; round < 60; round += 1) {
      const entries = randomEntries(1 + pick(40))
      const strangers = [...entries.keys()].flatMap((key) => [near(key), near(key)])
      const ends = checkAll(entries, strangers)
      for (const end of Object.keys(all) as (keyof typeof all)[]) all[end] += ends[end]
    }
    // Each kind of end was there, and often.
    expect(Math.min(...Object.values(all))).toBeGreaterThan(50)
  })

  it('reads a trie of a single key', () => {
    for (const one of [toRlp('0x01'), toRlp(`0x${'ff'.repeat(32)}`)]) {
      const key = digits(64)
      expect(checkAll(new Map([[key, one]]), [near(key), digits(64)])).toMatchObject({ value: 1, 'other leaf': 2 })
    }
  })

  it('reads a branch at every digit of a key, as deep as a trie can be', () => {
    const key = digits(64)
    const others = Array.from({ length: 64 }, (_, at) => {
      const other = ((Number.parseInt(key.slice(at, at + 1), 16) + 1) % 16).toString(16)
      return key.slice(0, at) + other + key.slice(at + 1)
    })
    const entries = new Map([key, ...others].map((each) => [each, toRlp(`0x${digits(64)}`)]))
    expect(prove(build(entries), key).path).toHaveLength(65)
    expect(checkAll(entries, others.map(near))).toMatchObject({ value: 65 })
  })

  it('takes a child within its parent also where a node lists it once more', () => {
    const key = digits(64)
    const entries = new Map([
      [key, toRlp('0x01')],
      [`${key.slice(0, 63)}${key.endsWith('0') ? '1' : '0'}`, toRlp('0x02')],
    ])
    const root = build(entries)
    const { path, embedded } = prove(root, key)
    expect([path.length, embedded]).toEqual([1, 2])
    const branch = root.kind === 'extension' ? root.child : root
    expect(readTrie(rootOf(root), hex(key), [...path, toRlp(itemsOf(branch))])).toBe(toRlp('0x01'))
    expect(() => readTrie(rootOf(root), hex(key), [...path, toRlp(['0x20', '0x03'])])).toThrow(refusal)
  })

  it('refuses each path with one digit changed, of keys that are there and of others', () => {
    let tried = 0
    for (let round = 0; round < 20; round += 1) {
      const entries = randomEntries(2 + pick(20))
      const root = build(entries)
      const [key = ''] = entries.keys()
      for (const asked of [key, near(key)]) {
        const { path } = prove(root, asked)
        for (let change = 0; change < 30; change += 1) {
          const at = pick(path.length)
          const text = path[at] ?? '0x'
          const place = 2 + pick(text.length - 2)
          const other = ((Number.parseInt(text.slice(place, place + 1), 16) + 1 + pick(15)) % 16).toString(16)
          const lie = path.with(at, `${text.slice(0, place)}${other}${text.slice(place + 1)}` as Hex)
          expect(() => readTrie(rootOf(root), hex(asked), lie), `${asked} ${at} ${place}`).toThrow(refusal)
          tried += 1
        }
      }
    }
    expect(tried).toBe(1_200)
  })

  it('refuses a path that is cut, goes on, has another order, or is of another trie', () => {
    for (let round = 0; round < 40; round += 1) {
      const entries = randomEntries(10 + pick(20))
      const root = build(entries)
      const key = [...entries.keys()].find((each) => prove(root, each).path.length > 1)
      if (key === undefined) continue
      const { path } = prove(root, key)
      const elsewhere = prove(build(randomEntries(8)), key).path
      const lies = [path.slice(0, -1), path.slice(1), [...path, ...path.slice(-1)], path.toReversed(), elsewhere, []]
      for (const lie of lies) expect(() => readTrie(rootOf(root), hex(key), lie)).toThrow(refusal)
    }
  })

  it('refuses more nodes than a trie can be deep, and reads none of them', () => {
    const path = Array.from({ length: 66 }, () => '0x80')
    const deep = expect.objectContaining({ data: expect.objectContaining({ reason: 'deep', nodes: 66, limit: 65 }) })
    expect(() => readTrie(EMPTY_ROOT, keccak256('0x01'), path)).toThrow(deep)
  })

  it('never reads the value of one key under another', () => {
    for (let round = 0; round < 40; round += 1) {
      const entries = randomEntries(2 + pick(20))
      const root = build(entries)
      const [key = '', other = ''] = entries.keys()
      const { path } = prove(root, key)
      for (const asked of [near(key), other]) {
        let read: Hex | null = null
        try {
          read = readTrie(rootOf(root), hex(asked), path)
        } catch (error) {
          expect(error).toEqual(refusal)
        }
        // Two keys may well end in the same node.
        expect(read).toBe(read === null ? null : entries.get(asked))
      }
    }
  })

  it('knows an empty trie by its root alone', () => {
    const key = hex(digits(64))
    expect(readTrie(EMPTY_ROOT, key, [])).toBeNull()
    expect(readTrie(EMPTY_ROOT, key, ['0x80'])).toBeNull()
    expect(() => readTrie(EMPTY_ROOT, key, prove(build(randomEntries(3)), key.slice(2)).path)).toThrow(refusal)
    expect(() => readTrie(rootOf(build(randomEntries(3))), key, [])).toThrow(refusal)
    expect(() => readTrie(rootOf(build(randomEntries(3))), key, ['0x80'])).toThrow(refusal)
  })
})

describe('nodes that no trie has, under a root that names them', () => {
  const key = '1'.repeat(64)
  const leaf: Rlp[] = [part('1'.repeat(64), true), '0x01']
  /** An extension over nearly the whole key, to a child that stands within it. */
  const over = (child: Rlp, taken: number): Rlp[] => [part('1'.repeat(taken), false), child]
  const branch = (children: Record<number, Rlp>, length = 17): Rlp[] =>
    Array.from({ length }, (_, at) => children[at] ?? '0x')

  it.each<[string, Rlp]>([
    ['a string', '0x010203'],
    ['a list of one', [leaf[0] ?? '0x']],
    ['a list of three', [...leaf, '0x']],
    ['a branch of sixteen', branch({ 1: leaf }, 16)],
    ['a branch of eighteen', branch({ 1: leaf }, 18)],
    ['a leaf whose digits are too few', [part('1'.repeat(63), true), '0x01']],
    ['a leaf whose digits are too many', [part('1'.repeat(65), true), '0x01']],
    ['a leaf that holds a list', [leaf[0] ?? '0x', ['0x01']]],
    ['a leaf whose digits are a list', [[leaf[0] ?? '0x'], '0x01']],
    ['a flag that there is not', [concatHex(['0x40', hex(key)]), '0x01']],
    ['a half byte of filling that is not zero', [concatHex(['0x25', hex(key)]), '0x01']],
    ['no flag', ['0x', '0x01']],
    ['an extension over nothing', over(keccak256(toRlp(leaf)), 0)],
    ['an extension to nothing', over('0x', 10)],
    ['an extension over all digits of a key', over(keccak256(toRlp(leaf)), 64)],
    ['an extension over more digits than a key has, all others', [part('2'.repeat(65), false), keccak256(toRlp(leaf))]],
    ['an extension over far more digits', [part('2'.repeat(80), false), keccak256(toRlp(leaf))]],
    ['an extension to a word that is no hash', over(`0x${'01'.repeat(31)}`, 10)],
    [
      'a child within its parent that is too long for it',
      over([part('1'.repeat(54), true), `0x${'02'.repeat(9)}`], 10),
    ],
    ['a branch below the last digit', over(branch({}), 64)],
  ])('refuses %s', (_, node) => {
    const text = toRlp(node)
    expect(() => readTrie(keccak256(text), hex(key), [text])).toThrow(refusal)
    expect(() => readTrie(keccak256(text), hex(key), [text, toRlp(leaf)])).toThrow(refusal)
  })

  it('takes the same where they are as they should be', () => {
    const right: Rlp[][] = [leaf, over([part('1'.repeat(44), true), '0x01'], 20)]
    const read = right.map((node) => readTrie(keccak256(toRlp(node)), hex(key), [toRlp(node)]))
    expect(read).toEqual(['0x01', '0x01'])
  })
})
