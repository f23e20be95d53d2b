import type { BlockHeader, SimulationLimits } from '@countersign/review'
import { EVM, type EVMMockBlockchainInterface, type EVMResult, type Message, NobleBN254 } from '@ethereumjs/evm'
import { Address } from '@ethereumjs/util'
import { bytesToHex, concatHex, getAddress, type Hex, hexToBytes, keccak256, numberToHex } from 'viem'
import type { CallTree } from './call-tree.ts'
import { cacheAnalysis } from './code-analysis.ts'
import { blobFractionOf, rulesOf } from './hardfork.ts'
import type { KnownState } from './known-state.ts'
import type { SeenByCode } from './other-conditions.ts'
import { takePlainSteps } from './plain-steps.ts'
import { RunState } from './run-state.ts'
import { safeSlots } from './safe-slots.ts'
import { EnoughMissing, Unfinished } from './unfinished.ts'

const JUMPDEST = 0x5b
const ORIGIN = 0x32
/** GASPRICE, and BALANCE: the sender has paid for the gas. */
const BY_PRICE = [0x3a, 0x31]
const SELF_BALANCE = 0x47
/** BLOCKHASH, COINBASE, TIMESTAMP, NUMBER, PREVRANDAO, GASLIMIT, BASEFEE, BLOBBASEFEE. */
const BY_BLOCK = [0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x48, 0x4a]
const GAS = 0x5a
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: they take gas, which compilers ask for just before. */
const CALLS = [0xf1, 0xf2, 0xf4, 0xfa]
/** Operations that came after Shanghai, or are others since: CLZ, BLOBHASH, BLOBBASEFEE, TLOAD, TSTORE, MCOPY, SELFDESTRUCT. */
const BY_RULES = [0x1e, 0x49, 0x4a, 0x5c, 0x5d, 0x5e, 0xff]
/** Modular exponentiation has another price since Osaka. From the second on precompiles came with Cancun and later. */
const MODEXP = 0x05n
const FIRST_LATER_PRECOMPILE = 0x0an
/** Code of an account that delegates to another's (EIP-7702): this, and an address. */
const DELEGATION = '0xef0100'
/** Callers that set a limit for a call, such as a question for an interface (ERC-165), set less. */
const MAX_GAS_GIVEN = 1_000_000n
/** Jumps between two looks at the clock: some milliseconds. */
const JUMPS_BETWEEN_LOOKS = 8_192
/** A run that goes on with values that nobody has read only guesses: it ends after so many looks. */
const LOOKS_WHILE_GUESSING = 4

/**
 * Chains keep code of their own at the first addresses (Arbitrum, BNB, Moonbeam, HyperEVM), without any in the account, or
 * mark the account by a single byte (Arbitrum, Avalanche).
 */
const LAST_LOW_ADDRESS = 0xffffn
/** Those of Ethereum are the first, up to EIP-2537's, and that of EIP-7951. */
const LAST_PRECOMPILE = 0x11n
const P256_VERIFY = 0x100n

/** A block as the machine needs it. */
type BlockOfRun = NonNullable<Parameters<EVM['runCall']>[0]['block']>

/**
 * The EVM of the library, over facts, bounded: every loop of code comes by a jump destination and every recursion by a
 * call, and there the limits are looked at. It runs one thing at a time.
 */
export class Machine extends EVM {
  readonly state: RunState
  readonly block: BlockOfRun
  readonly #known: KnownState
  readonly #deadline: number
  #endsBy = Number.POSITIVE_INFINITY
  readonly #maxMemory: number
  #tree: CallTree | null = null
  #ranOutOfGas = false
  #jumps = 0
  #guesses = 0

  constructor(known: KnownState, setting: { chainId: number; header: BlockHeader; hardfork: string } & Bounds) {
    const state = new RunState(known, (address, slot) => {
      if (slot !== safeSlots.nonce && known.isOtherwiseOnChain(address, slot)) this.#tree?.noteAssumed()
    })
    super({
      common: rulesOf(setting.chainId, setting.hardfork),
      stateManager: state,
      blockchain: blockchainOf(known, setting.header),
      bn254: new NobleBN254(),
    })
    this.state = state
    this.block = blockOf(setting.header, this)
    this.#known = known
    this.#deadline = setting.deadline
    this.#maxMemory = setting.limits.memoryBytes
    this.#boundLoops()
    this.#note(ORIGIN, 'sender')
    for (const opcode of BY_PRICE) this.#note(opcode, 'price')
    for (const opcode of BY_BLOCK) this.#note(opcode, 'block')
    for (const opcode of BY_RULES) this.#note(opcode, 'rules')
    this.#watch(SELF_BALANCE, () => this.#tree?.noteOwnBalance())
    this.#watch(GAS, ({ code, programCounter }) => {
      if (!CALLS.includes(code[programCounter] ?? 0)) this.#tree?.noteSeen('gas')
    })
    this.events.on('beforeMessage', (message: Message) => this.#enter(message))
    this.events.on('afterMessage', (result: EVMResult) => this.#leave(result))
  }

  /** Notes the calls of what runs next; null: of what runs now, none. */
  noteCalls(tree: CallTree | null): void {
    this.#tree = tree
  }

  /** Begins a run: nothing is changed yet, and no account is warm. */
  start(): void {
    this.state.reset()
    this.journal.cleanJournal()
    this.transientStorage.clear()
    this.#ranOutOfGas = false
    this.#jumps = 0
    this.#guesses = 0
  }

  /** Whether a call of this run had no end for want of gas, other than by a limit that its caller set for it. */
  get ranOutOfGas(): boolean {
    return this.#ranOutOfGas
  }

  /** Ends what runs next earlier than the machine itself, by `performance.now()`. */
  endBy(time: number): void {
    this.#endsBy = time
  }

  /** Names of precompiles that are not here end a run, in place of an answer that may be wrong. */
  static missingPrecompile(error: unknown): Unfinished | null {
    return error instanceof Error && /kzg not initialized/i.test(error.message)
      ? new Unfinished({ kind: 'precompile', address: '0x000000000000000000000000000000000000000A' })
      : null
  }

  #leave(result: EVMResult): void {
    const { exceptionError, executionGasUsed } = result.execResult
    this.#ranOutOfGas ||= exceptionError?.error === 'out of gas' && executionGasUsed >= MAX_GAS_GIVEN
    this.#tree?.leave(result)
  }

  #enter(message: Message): void {
    this.#look(0)
    if (message.to && message.data.length > 0) this.#refuseForeign(message.codeAddress)
    this.#tree?.enter(message)
    if (message.to && this.#isByRules(bytesToHex(message.codeAddress.bytes))) this.#tree?.noteSeen('rules')
  }

  /** Whether the chain has code of its own at an account, which is not in the account; as far as the account was read. */
  isForeign(address: Hex): boolean {
    const number = BigInt(address)
    if (number <= LAST_PRECOMPILE || number === P256_VERIFY || !this.#known.knows(address)) return false
    const size = this.state.read(address)?.code.length ?? 0
    return size === 1 || (size === 0 && number <= LAST_LOW_ADDRESS)
  }

  /** Ends a run that calls such code: the run would go on otherwise than the chain does. */
  #refuseForeign(called: Address): void {
    const address = bytesToHex(called.bytes)
    if (this.isForeign(address)) throw new Unfinished({ kind: 'precompile', address: getAddress(address) })
  }

  #boundLoops(): void {
    const entry = this._opcodeMap[JUMPDEST]
    if (entry === undefined) return
    entry.opHandler = (run) => {
      if (this.#jumps === 0) {
        cacheAnalysis(run.interpreter)
        takePlainSteps(run.interpreter)
      }
      this.#jumps += 1
      if (this.#jumps % JUMPS_BETWEEN_LOOKS === 0) this.#look(run.memory._store.length)
    }
  }

  /** Notes each time that an operation looks at a condition of the run. */
  #note(opcode: number, what: keyof SeenByCode): void {
    this.#watch(opcode, () => this.#tree?.noteSeen(what))
  }

  /** Tells of each time that an operation is done, with the code and the place behind it. */
  #watch(opcode: number, tell: (run: { code: Uint8Array; programCounter: number }) => void): void {
    const entry = this._opcodeMap[opcode]
    if (entry === undefined) return
    const { opHandler } = entry
    entry.opHandler = (run, common) => {
      tell(run)
      return opHandler(run, common)
    }
  }

  /** Whether older rules have other code at an account, or none. */
  #isByRules(address: Hex): boolean {
    const number = BigInt(address)
    if (number === MODEXP || number === P256_VERIFY) return true
    if (number >= FIRST_LATER_PRECOMPILE && number <= LAST_PRECOMPILE) return true
    const code = this.state.read(address)?.code
    return code?.length === 23 && bytesToHex(code.subarray(0, 3)) === DELEGATION
  }

  #look(memoryBytes: number): void {
    if (memoryBytes > this.#maxMemory) throw new Unfinished({ kind: 'limit', limit: 'memoryBytes' })
    if (this.#known.missingCount > 0 && memoryBytes > 0) {
      this.#guesses += 1
      if (this.#guesses > LOOKS_WHILE_GUESSING) throw new EnoughMissing()
    }
    if (performance.now() > Math.min(this.#deadline, this.#endsBy))
      throw new Unfinished({ kind: 'limit', limit: 'milliseconds' })
  }
}

type Bounds = { limits: SimulationLimits /** By `performance.now()`. */; deadline: number }

/** A run in a later block sees hashes of blocks that are not there yet: any will do. */
function blockchainOf(known: KnownState, header: BlockHeader): EVMMockBlockchainInterface {
  const hashOf = (number: bigint) =>
    number > known.blockNumber
      ? keccak256(concatHex([header.hash, numberToHex(number)]), 'bytes')
      : known.blockHash(number)
  const blockchain: EVMMockBlockchainInterface = {
    getBlock: async (number) => ({ hash: () => hashOf(BigInt(number)) }),
    putBlock: async () => {},
    shallowCopy: () => blockchain,
  }
  return blockchain
}

function blockOf(header: BlockHeader, { common }: EVM): BlockOfRun {
  return {
    header: {
      number: header.number,
      coinbase: new Address(hexToBytes(header.coinbase)),
      timestamp: header.timestamp,
      // Where it is not zero it stands in place of randomness, for which code of older rules asks by the same name.
      difficulty: BigInt(header.prevRandao),
      prevRandao: hexToBytes(header.prevRandao),
      gasLimit: header.gasLimit,
      ...(header.baseFeePerGas === null ? {} : { baseFeePerGas: header.baseFeePerGas }),
      getBlobGasPrice: () =>
        header.excessBlobGas === null ? undefined : exponential(header.excessBlobGas, blobFractionOf(common)),
    },
  }
}

/** e^(numerator / denominator), at least 1, as EIP-4844 computes it (`fake_exponential`). */
function exponential(numerator: bigint, denominator: bigint): bigint {
  let output = 0n
  let term = denominator
  for (let i = 1n; term > 0n; i += 1n) {
    output += term
    term = (term * numerator) / (denominator * i)
  }
  return output / denominator
}

/** The address as the library writes it. */
export function machineAddress(address: `0x${string}`): Address {
  return new Address(hexToBytes(address))
}
