import type { AccountFields, StateManagerInterface } from '@ethereumjs/common'
import { Account, type Address } from '@ethereumjs/util'
import { bytesToHex, type Hex, keccak256 } from 'viem'
import type { KnownAccount, KnownState } from './known-state.ts'

const EMPTY = new Uint8Array(0)
const EMPTY_CODE_HASH = keccak256(EMPTY, 'bytes')

type Storage = Map<Hex, Uint8Array>
type Overlay = {
  /** Null: deleted. */
  accounts: Map<Hex, KnownAccount | null>
  storage: Map<Hex, Storage>
  /** Created, or deleted, in this run: nothing of their storage on the chain counts. */
  fresh: Set<Hex>
}

/** The state of one run: known facts, and over them what the run has changed so far, undone frame by frame. */
export class RunState implements StateManagerInterface {
  readonly #known: KnownState
  readonly #onRead: (address: Hex, slot: Hex) => void
  #overlay: Overlay = newOverlay()
  #undo: (() => void)[] = []
  #marks: number[] = []

  /** Values of slots before the run, by which gas is counted (EIP-2200). */
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> =>
      this.#known.slot(hexOf(address), bytesToHex(key)),
    clear: (): void => {},
  }

  /** @param onRead is told of every slot whose value code reads as it was before the run */
  constructor(known: KnownState, onRead: (address: Hex, slot: Hex) => void = () => {}) {
    this.#known = known
    this.#onRead = onRead
  }

  /** Runs something on the state as it was before, and comes back to the state as it is. */
  async before<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    const kept = { overlay: this.#overlay, undo: this.#undo, marks: this.#marks }
    this.reset()
    try {
      return await run()
    } finally {
      this.#overlay = kept.overlay
      this.#undo = kept.undo
      this.#marks = kept.marks
    }
  }

  /** Forgets all that was changed. */
  reset(): void {
    this.#overlay = newOverlay()
    this.#undo = []
    this.#marks = []
  }

  /** Accounts that were written, with what they were and are. */
  changedAccounts(): { address: Hex; before: KnownAccount; after: KnownAccount | null }[] {
    return [...this.#overlay.accounts].map(([address, after]) => ({
      address,
      before: this.#known.account(address),
      after,
    }))
  }

  /** Slots that were written, also those that hold at the end what they held before. */
  writtenSlots(): { address: Hex; slot: Hex; before: Uint8Array; after: Uint8Array }[] {
    return [...this.#overlay.storage].flatMap(([address, slots]) =>
      [...slots].map(([slot, after]) => {
        const before = this.#overlay.fresh.has(address) ? EMPTY : this.#known.slot(address, slot)
        return { address, slot, before, after }
      }),
    )
  }

  read(address: Hex): KnownAccount | null {
    const changed = this.#overlay.accounts.get(address)
    return changed === undefined ? this.#known.account(address) : changed
  }

  write(address: Hex, account: KnownAccount | null): void {
    const { accounts } = this.#overlay
    const before = accounts.get(address)
    this.#undo.push(() => (before === undefined ? accounts.delete(address) : accounts.set(address, before)))
    accounts.set(address, account)
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const known = this.read(hexOf(address))
    if (known === null || isEmpty(known)) return undefined
    return new Account(known.nonce, known.balance, undefined, known.codeHash)
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    const key = hexOf(address)
    if (account === undefined) return this.write(key, null)
    // The EVM changes code by `putCode` alone.
    const { code, codeHash } = this.read(key) ?? { code: EMPTY, codeHash: EMPTY_CODE_HASH }
    this.write(key, { nonce: account.nonce, balance: account.balance, code, codeHash })
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const key = hexOf(address)
    const account = this.read(key) ?? nobody()
    const { nonce = account.nonce, balance = account.balance } = fields
    this.write(key, { ...account, nonce: BigInt(nonce ?? 0), balance: BigInt(balance ?? 0) })
  }

  async deleteAccount(address: Address): Promise<void> {
    this.write(hexOf(address), null)
    await this.clearStorage(address)
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    const key = hexOf(address)
    this.write(key, { ...(this.read(key) ?? nobody()), code, codeHash: keccak256(code, 'bytes') })
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.read(hexOf(address))?.code ?? EMPTY
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    const account = hexOf(address)
    const slot = bytesToHex(key)
    const written = this.#overlay.storage.get(account)?.get(slot)
    if (written !== undefined) return written
    if (this.#overlay.fresh.has(account)) return EMPTY
    this.#onRead(account, slot)
    return this.#known.slot(account, slot)
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const account = hexOf(address)
    const slot = bytesToHex(key)
    let slots = this.#overlay.storage.get(account)
    if (!slots) {
      slots = new Map()
      this.#overlay.storage.set(account, slots)
    }
    const written = slots
    const before = written.get(slot)
    this.#undo.push(() => (before === undefined ? written.delete(slot) : written.set(slot, before)))
    written.set(slot, value)
  }

  async clearStorage(address: Address): Promise<void> {
    const account = hexOf(address)
    const { storage, fresh } = this.#overlay
    const before = storage.get(account)
    const wasFresh = fresh.has(account)
    this.#undo.push(() => {
      if (before === undefined) storage.delete(account)
      else storage.set(account, before)
      if (!wasFresh) fresh.delete(account)
    })
    storage.delete(account)
    fresh.add(account)
  }

  // biome-ignore lint/complexity/useLiteralKeys: the library's name for the start of a frame, which no name here may be
  async ['checkpoint'](): Promise<void> {
    this.#marks.push(this.#undo.length)
  }

  async commit(): Promise<void> {
    this.#marks.pop()
  }

  async revert(): Promise<void> {
    const mark = this.#marks.pop() ?? 0
    while (this.#undo.length > mark) this.#undo.pop()?.()
  }

  // A run has no root and no copies: nothing in it asks for them.
  async getStateRoot(): Promise<Uint8Array> {
    throw new Error('A run has no state root.')
  }

  async setStateRoot(): Promise<void> {
    throw new Error('A run has no state root.')
  }

  async hasStateRoot(): Promise<boolean> {
    return false
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    return new RunState(this.#known)
  }
}

function newOverlay(): Overlay {
  return { accounts: new Map(), storage: new Map(), fresh: new Set() }
}

function nobody(): KnownAccount {
  return { nonce: 0n, balance: 0n, code: EMPTY, codeHash: EMPTY_CODE_HASH }
}

/** Whether the protocol treats it as not there (EIP-161). */
export function isEmpty({ nonce, balance, code }: KnownAccount): boolean {
  return nonce === 0n && balance === 0n && code.length === 0
}

function hexOf(address: Address): Hex {
  return bytesToHex(address.bytes)
}
