import { fail, isHexWithin } from '@countersign/safe'
import { type Address, type Hex, keccak256, padHex } from 'viem'
import { type DecodedNodes, decode, EMPTY_ROOT, readTrie } from './trie.ts'

/** keccak256 of no code. */
export const EMPTY_CODE_HASH: Hex = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`
const MAX_SLOTS = 2_000
/** Some chains allow more than Ethereum's 24,576. To hash 100 MB takes seconds. */
const MAX_CODE_BYTES = 262_144

/** An account as the state root binds it. One that is not there has nothing, and no code. */
export type ProvedAccount = {
  address: Address
  /** wei */
  balance: bigint
  nonce: bigint
  codeHash: Hex
  storageRoot: Hex
}

/** Facts that one answer of `eth_getProof` proves: the account, and each slot that was asked for as a word of 32 bytes. */
export type ProvedStorage = { account: ProvedAccount; slots: ReadonlyMap<Hex, Hex> }

/**
 * Checks an answer of `eth_getProof` (EIP-1186) against a state root: the path of the account, the path of each slot that
 * was asked for, and that what the node says beside the paths is what they prove. An answer for less, for more or for
 * another account is refused.
 *
 * @param slots words of 32 bytes, each once
 * @throws CountersignError `PROOF_INVALID`; its reason is `account` for an account with other fields than Ethereum's
 * @example
 * const { account, slots } = readAccountProof(answer, { address: safe, slots: [ownerCountSlot] }, header.stateRoot)
 */
export function readAccountProof(
  answer: unknown,
  asked: { address: Address; slots: readonly Hex[] },
  stateRoot: Hex,
): ProvedStorage {
  const said = readAnswer(answer)
  const decoded: DecodedNodes = new Map()
  if (!isSameHex(said.address, asked.address)) throw fail('PROOF_INVALID', { reason: 'said', field: 'address' })
  const value = readTrie(stateRoot, keccak256(asked.address), said.accountProof, decoded)
  const account = value === null ? absent(asked.address) : readAccount(asked.address, value)
  compare('balance', said.balance, account.balance)
  compare('nonce', said.nonce, account.nonce)
  compareHash('codeHash', said.codeHash, account.codeHash, EMPTY_CODE_HASH)
  compareHash('storageHash', said.storageHash, account.storageRoot, EMPTY_ROOT)
  if (said.storageProof.length !== asked.slots.length || asked.slots.length > MAX_SLOTS)
    throw fail('PROOF_INVALID', { reason: 'slots', slots: said.storageProof.length, needed: asked.slots.length })
  const slots = asked.slots.map((slot, index): [Hex, Hex] => {
    const slotProof = said.storageProof[index]
    if (typeof slotProof !== 'object' || slotProof === null)
      throw fail('PROOF_INVALID', { reason: 'said', field: 'storageProof' })
    const { key, value: claimed, proof } = slotProof as Record<string, unknown>
    compare('key', key, BigInt(slot))
    if (!Array.isArray(proof)) throw fail('PROOF_INVALID', { reason: 'said', field: 'proof' })
    const word = readWord(readTrie(account.storageRoot, keccak256(slot), proof, decoded))
    compare('value', claimed, BigInt(word))
    return [slot, word]
  })
  return { account, slots: new Map(slots) }
}

/**
 * Checks code against the hash that a proof gives for its account.
 *
 * @throws CountersignError `PROOF_INVALID` when it is other code, or none
 * @example
 * const code = readProvedCode(await request({ method: 'eth_getCode', params: [address, block] }), account.codeHash)
 */
export function readProvedCode(code: unknown, codeHash: Hex): Hex {
  if (!isHexWithin(code, 2 + 2 * MAX_CODE_BYTES) || code.length % 2 !== 0 || keccak256(code) !== codeHash)
    throw fail('PROOF_INVALID', { reason: 'code', codeHash })
  return code
}

type Answer = {
  address: unknown
  accountProof: readonly unknown[]
  balance: unknown
  nonce: unknown
  codeHash: unknown
  storageHash: unknown
  storageProof: readonly unknown[]
}

function readAnswer(answer: unknown): Answer {
  if (typeof answer !== 'object' || answer === null) throw fail('PROOF_INVALID', { reason: 'said', field: 'answer' })
  const { address, accountProof, balance, nonce, codeHash, storageHash, storageProof } = answer as Record<
    string,
    unknown
  >
  if (!Array.isArray(accountProof)) throw fail('PROOF_INVALID', { reason: 'said', field: 'accountProof' })
  if (!Array.isArray(storageProof)) throw fail('PROOF_INVALID', { reason: 'said', field: 'storageProof' })
  return { address, accountProof, balance, nonce, codeHash, storageHash, storageProof }
}

function absent(address: Address): ProvedAccount {
  return { address, balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH, storageRoot: EMPTY_ROOT }
}

function readAccount(address: Address, value: Hex): ProvedAccount {
  const items = decode(value)
  if (typeof items === 'string' || items.length !== 4) throw fail('PROOF_INVALID', { reason: 'account', address })
  const [nonce, balance, storageRoot, codeHash] = items
  if (!isWord(storageRoot) || !isWord(codeHash)) throw fail('PROOF_INVALID', { reason: 'account', address })
  return { address, nonce: readNumber(nonce), balance: readNumber(balance), storageRoot, codeHash }
}

/** A word of storage. Zero is absent from a trie; anvil keeps a zero that was written, and its root binds that as well. */
function readWord(value: Hex | null): Hex {
  const item = value === null ? '0x' : decode(value)
  return item === '0x' ? ZERO_WORD : padHex(numberBytes(item), { size: 32 })
}

function readNumber(item: unknown): bigint {
  return item === '0x' ? 0n : BigInt(numberBytes(item))
}

function numberBytes(item: unknown): Hex {
  if (!isHexWithin(item, 66) || item.length < 4 || item.startsWith('0x00'))
    throw fail('PROOF_INVALID', { reason: 'node' })
  return item
}

function isWord(item: unknown): item is Hex {
  return isHexWithin(item, 66) && item.length === 66
}

function isSameHex(one: unknown, other: Hex): boolean {
  return isHexWithin(one, other.length) && one.toLowerCase() === other.toLowerCase()
}

function compare(field: string, said: unknown, proved: bigint): void {
  if (!isHexWithin(said, 66) || said.length < 3 || BigInt(said) !== proved)
    throw fail('PROOF_INVALID', { reason: 'said', field })
}

/** Nodes say zero of an account that is not there, or the hash of nothing. */
function compareHash(field: string, said: unknown, proved: Hex, nothing: Hex): void {
  if (isSameHex(said, proved) || (proved === nothing && said === ZERO_WORD)) return
  throw fail('PROOF_INVALID', { reason: 'said', field })
}
