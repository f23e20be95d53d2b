import {
  type AccountQuestion,
  digestState,
  type FactGrade,
  lowestGrade,
  type StateReader,
  type Touched,
} from '@countersign/review'
import { type Address, bytesToHex, type Hex, hexToBytes, keccak256, padHex } from 'viem'
import { EnoughMissing, Unfinished } from './unfinished.ts'

/** An account as the EVM works with it. Shared between rounds: never changed in place. */
export type KnownAccount = { nonce: bigint; balance: bigint; code: Uint8Array; codeHash: Uint8Array }

const EMPTY = new Uint8Array(0)
const EMPTY_CODE_HASH = keccak256(EMPTY, 'bytes')
const NOBODY: KnownAccount = { nonce: 0n, balance: 0n, code: EMPTY, codeHash: EMPTY_CODE_HASH }
/** More is asked in the next round: until then the run only guesses. */
const MAX_MISSING_OF_A_ROUND = 1_000

type Assumption = { balance?: bigint; slots: Map<Hex, Uint8Array> }
type Entry = { account: KnownAccount | null; slots: Map<Hex, Uint8Array> }

/**
 * Facts of the block, as far as they were read, and what the run takes for granted instead of them. What a run asks for
 * and nobody has read yet counts as empty, and is noted: the run is then repeated.
 */
export class KnownState {
  readonly #reader: StateReader
  readonly #entries = new Map<Hex, Entry>()
  readonly #assumed = new Map<Hex, Assumption>()
  /** Accounts that are created before the run. Their balance stays what it is on the chain. */
  readonly #created = new Map<Hex, { account: KnownAccount; slots: ReadonlyMap<Hex, Uint8Array> }>()
  readonly #blockHashes = new Map<bigint, Uint8Array>()
  readonly #missing = new Map<Hex, { isAccountMissing: boolean; slots: Set<Hex> }>()
  readonly #missingBlocks = new Set<bigint>()
  readonly #grades: Set<FactGrade>
  /** Accounts and slots that the current round has used. */
  #touched = new Map<Hex, Set<Hex>>()
  #maxReads: number
  reads = 0
  rounds = 0
  missingCount = 0
  /** How often anything was asked for that nobody has read, the same ones included. */
  misses = 0

  constructor(reader: StateReader, maxReads: number) {
    this.#reader = reader
    this.#maxReads = maxReads
    this.#grades = new Set([reader.headerGrade])
    const { number, hash, parentHash } = reader.header
    this.#blockHashes.set(number, hexToBytes(hash))
    this.#blockHashes.set(number - 1n, hexToBytes(parentHash))
  }

  get blockNumber(): bigint {
    return this.#reader.header.number
  }

  get grade(): FactGrade {
    return lowestGrade(this.#grades)
  }

  /** Sets a slot in this run's own state alone. */
  assumeSlot(address: Address, slot: Hex, value: Hex): void {
    this.#assumption(lower(address)).slots.set(slot, stripped(value))
  }

  /** Sets a balance in this run's own state alone. */
  assumeBalance(address: Address, balance: bigint): void {
    this.#assumption(lower(address)).balance = balance
  }

  /** Takes an account as a creation before the run leaves it. */
  setCreated(address: Address, created: { account: KnownAccount; slots: ReadonlyMap<Hex, Uint8Array> }): void {
    this.#created.set(lower(address), created)
  }

  /** Takes an account that was made up for what it is: nobody has anything there. */
  makeUp(address: Address): void {
    const entry = this.#entryOf(lower(address))
    entry.account ??= NOBODY
  }

  /** Forgets which accounts and slots were used: a new round begins. */
  startRound(): void {
    this.#touched = new Map()
  }

  account(address: Hex): KnownAccount {
    const touched = this.#touched.get(address)
    if (!touched) this.#touched.set(address, new Set())
    const known = this.#entries.get(address)?.account
    if (!known) {
      this.misses += 1
      const missing = this.#missingOf(address)
      if (!missing.isAccountMissing) this.#count()
      missing.isAccountMissing = true
      return NOBODY
    }
    const balance = this.#assumed.get(address)?.balance
    const created = this.#created.get(address)?.account
    if (balance === undefined && created === undefined) return known
    return { ...(created ?? known), balance: balance ?? known.balance }
  }

  /** Whether the account was read: until then it only seems to be empty. */
  knows(address: Hex): boolean {
    const entry = this.#entries.get(address)
    return entry !== undefined && entry.account !== null
  }

  /** The value without leading zeros, as the EVM keeps it. */
  slot(address: Hex, slot: Hex): Uint8Array {
    return this.#assumed.get(address)?.slots.get(slot) ?? this.chainSlot(address, slot)
  }

  isAssumed(address: Hex, slot: Hex): boolean {
    return this.#assumed.get(address)?.slots.has(slot) ?? false
  }

  /** Whether a slot is not on the chain what the run takes it for. */
  isOtherwiseOnChain(address: Hex, slot: Hex): boolean {
    const assumed = this.#assumed.get(address)?.slots.get(slot)
    return assumed !== undefined && bytesToHex(assumed) !== bytesToHex(this.chainSlot(address, slot))
  }

  /** The value on the chain, whatever was assumed. */
  chainSlot(address: Hex, slot: Hex): Uint8Array {
    let touched = this.#touched.get(address)
    if (!touched) {
      touched = new Set()
      this.#touched.set(address, touched)
    }
    touched.add(slot)
    const created = this.#created.get(address)
    if (created) return created.slots.get(slot) ?? EMPTY
    const known = this.#entries.get(address)?.slots.get(slot)
    if (known) return known
    this.misses += 1
    const { slots } = this.#missingOf(address)
    if (!slots.has(slot)) {
      slots.add(slot)
      this.#count()
    }
    return EMPTY
  }

  blockHash(number: bigint): Uint8Array {
    const known = this.#blockHashes.get(number)
    if (known) return known
    this.misses += 1
    if (!this.#missingBlocks.has(number)) this.#count()
    this.#missingBlocks.add(number)
    return new Uint8Array(32)
  }

  /** Asks beforehand for what a run will probably need. Whatever stands here, it changes no answer. */
  expect(hints: readonly Touched[]): void {
    for (const { address, slots } of hints) {
      const key = lower(address)
      const entry = this.#entries.get(key)
      const missing = this.#missingOf(key)
      if (!entry?.account) missing.isAccountMissing = true
      for (const slot of slots) if (!entry?.slots.has(slot)) missing.slots.add(slot)
    }
    this.missingCount = [...this.#missing.values()].reduce(
      (sum, { isAccountMissing, slots }) => sum + Number(isAccountMissing) + slots.size,
      this.#missingBlocks.size,
    )
  }

  /**
   * Reads all that is missing in one go.
   *
   * @throws Unfinished when it is too much, or was not answered
   */
  async readMissing(): Promise<void> {
    this.reads += this.missingCount
    if (this.reads > this.#maxReads) throw new Unfinished({ kind: 'limit', limit: 'reads' })
    this.rounds += 1
    const accounts: AccountQuestion[] = [...this.#missing].map(([address, { isAccountMissing, slots }]) => ({
      address,
      withAccount: isAccountMissing,
      slots: [...slots],
    }))
    const blockNumbers = [...this.#missingBlocks]
    const answers = await this.#reader.read({ accounts, blockNumbers })
    this.#missing.clear()
    this.#missingBlocks.clear()
    this.missingCount = 0
    for (const [index, { address, slots }] of accounts.entries()) {
      const answer = answers.accounts[index]
      if (answer === undefined || lower(answer.address) !== address) throw unanswered(address)
      this.#grades.add(answer.grade)
      const entry = this.#entryOf(address)
      if (answer.account) {
        const { nonce, balance, code } = answer.account
        const bytes = hexToBytes(code)
        const codeHash = bytes.length === 0 ? EMPTY_CODE_HASH : keccak256(bytes, 'bytes')
        entry.account = { nonce, balance, code: bytes, codeHash }
      } else if (accounts[index]?.withAccount) throw unanswered(address)
      for (const slot of slots) {
        const value = answer.slots.get(slot)
        if (value === undefined) throw unanswered(address)
        entry.slots.set(slot, stripped(value))
      }
    }
    for (const [index, number] of blockNumbers.entries()) {
      const answer = answers.blockHashes[index]
      if (!answer?.hash) throw unanswered(`block ${number}`)
      this.#grades.add(answer.grade)
      this.#blockHashes.set(number, hexToBytes(answer.hash))
    }
  }

  /** The accounts and slots of the current round. */
  touched(): Touched[] {
    return [...this.#touched].map(([address, slots]) => ({ address, slots: [...slots] }))
  }

  /** Digest of what the current round has used, as it is on the chain. */
  seen(): Hex {
    return digestState(
      [...this.#touched].map(([address, used]) => {
        const { account, slots } = this.#entryOf(address)
        const { nonce, balance, codeHash } = account ?? NOBODY
        const words = [...used].map((slot): [Hex, Hex] => [
          slot,
          padHex(bytesToHex(slots.get(slot) ?? EMPTY), { size: 32 }),
        ])
        return { address, nonce, balance, codeHash: bytesToHex(codeHash), slots: words }
      }),
    )
  }

  #count(): void {
    this.missingCount += 1
    if (this.missingCount > MAX_MISSING_OF_A_ROUND) throw new EnoughMissing()
  }

  #entryOf(address: Hex): Entry {
    const known = this.#entries.get(address)
    if (known) return known
    const entry: Entry = { account: null, slots: new Map() }
    this.#entries.set(address, entry)
    return entry
  }

  #missingOf(address: Hex) {
    const known = this.#missing.get(address)
    if (known) return known
    const missing = { isAccountMissing: false, slots: new Set<Hex>() }
    this.#missing.set(address, missing)
    return missing
  }

  #assumption(address: Hex): Assumption {
    const known = this.#assumed.get(address)
    if (known) return known
    const assumption: Assumption = { slots: new Map() }
    this.#assumed.set(address, assumption)
    return assumption
  }
}

function unanswered(what: string): Unfinished {
  return new Unfinished({ kind: 'reader', code: 'RPC_ERROR', message: `The reader did not answer for ${what}.` })
}

function lower(address: Address): Hex {
  return address.toLowerCase() as Hex
}

/** Bytes without leading zeros, as the EVM keeps the value of a slot. */
function stripped(value: Hex): Uint8Array {
  const bytes = hexToBytes(value)
  let start = 0
  while (start < bytes.length && bytes[start] === 0) start += 1
  return start === 0 ? bytes : bytes.slice(start)
}
