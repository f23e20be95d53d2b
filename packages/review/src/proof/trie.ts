import { fail, isHexWithin } from '@countersign/safe'
import { fromRlp, type Hex, keccak256, toRlp } from 'viem'

/** The root of a trie that holds nothing: keccak256 of the RLP of an empty string. */
export const EMPTY_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** A branch with an embedded child in each place has 532 bytes and its value. */
const MAX_NODE_BYTES = 1_024
/** The root, and a node for each digit of a key. */
const MAX_NODES = 65
const BRANCH_ITEMS = 17

type Item = Hex | readonly Item[]
type Node = readonly Item[]

/** Nodes that were decoded before: the proofs of one answer share those near the root. */
export type DecodedNodes = Map<Hex, { hash: Hex; node: Node }>

/**
 * Reads the value of a key out of a Merkle-Patricia trie by its path from the root, as `eth_getProof` gives it
 * (Yellow Paper, Appendix D).
 *
 * @param key keccak256 of the address or of the slot: the tries of the state are keyed by hashes
 * @param path RLP of each node, the root first. Of an empty trie: none (geth), or the RLP of nothing, `0x80` (anvil).
 * @param decoded kept by the caller over the paths of one answer
 * @returns the value as it is stored, in RLP; null where the path proves that the key is absent
 * @throws CountersignError `PROOF_INVALID` when the path does not lead from this root to this key, or holds anything else
 * @example
 * const value = readTrie(stateRoot, keccak256(address), accountProof)
 */
export function readTrie(root: Hex, key: Hex, path: readonly unknown[], decoded: DecodedNodes = new Map()): Hex | null {
  if (path.length > MAX_NODES) throw fail('PROOF_INVALID', { reason: 'deep', nodes: path.length, limit: MAX_NODES })
  if (root.toLowerCase() === EMPTY_ROOT && isEmpty(path)) return null
  const walk: Walk = { path, decoded, taken: 0 }
  const value = descend(walk, takeNode(walk, root), key.slice(2).toLowerCase())
  if (walk.taken !== path.length)
    throw fail('PROOF_INVALID', { reason: 'extra', nodes: path.length, needed: walk.taken })
  return value
}

type Walk = { path: readonly unknown[]; decoded: DecodedNodes; taken: number }

function isEmpty(path: readonly unknown[]): boolean {
  return path.length === 0 || (path.length === 1 && path[0] === '0x80')
}

/** The next node of the path, which must be the one that its parent names. */
function takeNode(walk: Walk, hash: Hex): Node {
  const text = walk.path[walk.taken]
  if (text === undefined) throw fail('PROOF_INVALID', { reason: 'short', nodes: walk.path.length })
  if (!isHexWithin(text, 2 + 2 * MAX_NODE_BYTES)) throw fail('PROOF_INVALID', { reason: 'node' })
  const known = walk.decoded.get(text) ?? decodeNode(text)
  walk.decoded.set(text, known)
  if (known.hash !== hash.toLowerCase()) throw fail('PROOF_INVALID', { reason: 'hash', hash })
  walk.taken += 1
  return known.node
}

function decodeNode(text: Hex): { hash: Hex; node: Node } {
  const node: Item = decode(text)
  if (typeof node === 'string') throw fail('PROOF_INVALID', { reason: 'node' })
  return { hash: keccak256(text), node }
}

/**
 * Reads one item of RLP.
 *
 * @throws CountersignError `PROOF_INVALID` for what is not exactly one item of RLP
 * @example
 * decode('0xc0') // []
 */
export function decode(text: Hex): Item {
  try {
    return fromRlp(text, 'hex')
  } catch (error) {
    throw fail('PROOF_INVALID', { reason: 'node' }, error)
  }
}

function descend(walk: Walk, node: Node, rest: string): Hex | null {
  if (node.length === BRANCH_ITEMS) {
    const [digit] = rest
    // Keys are of one length, so none ends at a branch.
    if (digit === undefined) throw fail('PROOF_INVALID', { reason: 'node' })
    return follow(walk, node[Number.parseInt(digit, 16)], rest.slice(1))
  }
  const [part, next] = node
  if (node.length !== 2 || typeof part !== 'string') throw fail('PROOF_INVALID', { reason: 'node' })
  const { digits, isLeaf } = readPart(part)
  if (isLeaf) {
    if (typeof next !== 'string' || digits.length !== rest.length) throw fail('PROOF_INVALID', { reason: 'node' })
    return digits === rest ? next : null
  }
  // A node between nothing and nothing exists in no trie, and no key ends at one.
  if (digits === '' || digits.length >= rest.length || next === '0x') throw fail('PROOF_INVALID', { reason: 'node' })
  return rest.startsWith(digits) ? follow(walk, next, rest.slice(digits.length)) : null
}

/** Goes on to a child: none, one that stands within its parent, or the one whose hash stands there. */
function follow(walk: Walk, child: Item | undefined, rest: string): Hex | null {
  if (child === undefined) throw fail('PROOF_INVALID', { reason: 'node' })
  if (child === '0x') return null
  if (typeof child === 'string') {
    if (child.length !== 66) throw fail('PROOF_INVALID', { reason: 'node' })
    return descend(walk, takeNode(walk, child), rest)
  }
  const text = toRlp(child as Parameters<typeof toRlp>[0], 'hex')
  if (text.length >= 2 + 64) throw fail('PROOF_INVALID', { reason: 'node' })
  // Some nodes list it once more by itself.
  if (walk.path[walk.taken] === text) walk.taken += 1
  return descend(walk, child, rest)
}

/** The digits of a key that a node covers, in the hex-prefix encoding (Yellow Paper, Appendix C). */
function readPart(part: Hex): { digits: string; isLeaf: boolean } {
  const flag = Number.parseInt(part[2] ?? '', 16)
  if (!(flag <= 3) || part.length > 2 + 66) throw fail('PROOF_INVALID', { reason: 'node' })
  const isOdd = flag % 2 === 1
  if (!isOdd && part[3] !== '0') throw fail('PROOF_INVALID', { reason: 'node' })
  return { digits: part.slice(isOdd ? 3 : 4), isLeaf: flag >= 2 }
}
