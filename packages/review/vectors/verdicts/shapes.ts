import { readdirSync, readFileSync } from 'node:fs'
import { officialDeployment } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
  toHex,
} from 'viem'
import type { FindingId } from '../../src/catalogue.ts'
import type { Verdict } from '../../src/types.ts'

// Reads the shapes of this folder. Its README says how a shape is written.

/** A call as it is written: the function in words, arguments with names for addresses. */
export type WrittenCall = {
  to: string
  function?: string
  args?: unknown[]
  data?: Hex | { batch: WrittenCall[] }
  value?: string
  operation?: 0 | 1
}
/** A transaction of another Safe that is approved by its hash, `$nested`; `served` is shown in its place. */
type NestedShape = { safe: string; owners?: string[]; call: WrittenCall; served?: WrittenCall }
/** An order of CoW Protocol whose uid is `$uid`: of the Safe, unless it names another owner. `shown`: what is given is another. */
type WrittenOrder = Record<string, unknown> & { owner?: string; shown?: Record<string, unknown> }
export type Shape = {
  name: string
  call?: WrittenCall
  batch?: WrittenCall[]
  message?: unknown
  nested?: NestedShape
  /** Functions that an ABI gives whose word counts, by the contract's name. */
  abis?: Record<string, string[]>
  order?: WrittenOrder
  fields?: Record<string, string>
  facts?: Record<string, unknown>
  state?: Record<string, unknown>
  /** Assets that the call moves in the run, by `$name` or `native`: less than nothing leaves the Safe. */
  moves?: Record<string, string>
  /** Prices in dollars by sources of the operator, by `$name` or `native`. */
  prices?: Record<string, string>
  verdict: Verdict
  /**
   * A way through ordinary work whose verdict closes the button. `typed`: what changes is typed. `run`: the same, once
   * a run of the whole has made the call that nobody read. `none`: nothing, and `reason` says why.
   */
  way?: 'typed' | 'run' | 'none'
  findings: FindingId[]
  never?: FindingId[]
  reason: string
}
export type NamedAccount = {
  address: Address
  symbol?: string
  decimals?: number
  collection?: boolean
  key?: boolean
}

const folder = new URL('./', import.meta.url)
const readJson = <Of>(name: string): Of => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
const files = readdirSync(folder).filter((name) => /^(?:ordinary|attack)-.+\.json$/.test(name))

/** All shapes, each with its file. */
export const shapes = files.flatMap((file) => readJson<Shape[]>(file).map((shape) => ({ file, ...shape })))

/** Whether a shape is a theft. */
export const isAttack = ({ file }: { file: string }): boolean => file.startsWith('attack-')

/** The accounts by their names, and the contracts of the Safe project by their kinds. */
export const namedAccounts: Record<string, NamedAccount> = { ...readJson('accounts.json') }
for (const kind of [
  'multi-send-call-only',
  'multi-send',
  'sign-message-lib',
  'create-call',
  'migration',
  'singleton',
  'singleton-l2',
  'factory',
  'handler',
  'l2-setup',
] as const) {
  namedAccounts[`Official:${kind}`] = { address: officialDeployment(kind, '1.4.1')?.address ?? '0x' }
}

/** Contracts of the table that nobody has a name for. */
const strangers = /^(?:Attacker|AttackerContract|Trojan|FakeUsdc|Multicall3)$/
/** Whether the team has a name for an account, where a shape does not say who was paid. */
export const isNamedByTeam = (name: string): boolean => !strangers.test(name)

type WrittenValues = { parameters: string; values: unknown[] }

/** Reads values and calls as shapes write them, with these accounts for their names. */
export function shapeReader(known: Record<string, NamedAccount>) {
  return { addressOf, readValue, callOf, batchOf, namesIn }

  /** @throws Error when no account has the name. */
  function addressOf(name: string): Address {
    if (name.startsWith('0x')) return getAddress(name)
    const found = known[name]
    if (found === undefined) throw new Error(`No account is called \`${name}\`.`)
    return found.address
  }

  /**
   * `$USDC` is an address, `1250e6` a number, `{ "function": …, "args": … }` the bytes of a call, `{ "batch": … }` of many,
   * `{ "parameters": …, "values": … }` those of values alone, `{ "packed": … }` of addresses and fees side by side.
   */
  function readValue(written: unknown): unknown {
    if (Array.isArray(written)) return written.map(readValue)
    if (typeof written === 'object' && written !== null) return readObject(written)
    return typeof written === 'string' ? readText(written) : written
  }

  function readObject(written: object): unknown {
    if ('function' in written) return dataOf(written as WrittenCall)
    if ('batch' in written) return batchOf(written.batch as WrittenCall[])
    if ('parameters' in written) return valuesOf(written as WrittenValues)
    if ('packed' in written) return concat((readValue(written.packed) as (Hex | bigint)[]).map(packed))
    return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, readValue(value)]))
  }

  function readText(written: string): unknown {
    if (written.startsWith('$')) return addressOf(written.slice(1))
    const number = /^(-?[0-9]+)(?:e([0-9]+))?$/.exec(written)
    if (number) return BigInt(number[1] ?? 0) * 10n ** BigInt(number[2] ?? 0)
    const power = /^2\^([0-9]+)(-1)?$/.exec(written)
    return power ? 2n ** BigInt(power[1] ?? 0) - (power[2] === undefined ? 0n : 1n) : written
  }

  function valuesOf({ parameters, values }: WrittenValues): Hex {
    return encodeAbiParameters(parseAbiParameters(parameters as never), readValue(values) as never)
  }

  function dataOf({ function: signature, args = [], data = '0x' }: WrittenCall): Hex {
    if (signature === undefined) return typeof data === 'string' ? data : batchOf(data.batch)
    const abi = parseAbi([`function ${signature}`] as never)
    return encodeFunctionData({ abi, args: readValue(args) } as never)
  }

  function callOf(call: WrittenCall) {
    const value = readValue(call.value ?? '0') as bigint
    return { to: addressOf(call.to), value, data: dataOf(call), operation: call.operation ?? 0 }
  }

  function batchOf(calls: WrittenCall[]): Hex {
    return encodeMultiSend(calls.map(callOf))
  }

  /** Names in a message are put in as text, so that numbers stay what they were. */
  function namesIn(written: unknown): unknown {
    if (Array.isArray(written)) return written.map(namesIn)
    if (typeof written === 'object' && written !== null)
      return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, namesIn(value)]))
    return typeof written === 'string' && /^\$\w+$/.test(written) ? addressOf(written.slice(1)) : written
  }
}

/** A fee in a path through pools is three bytes. */
const packed = (part: Hex | bigint) => (typeof part === 'bigint' ? toHex(part, { size: 3 }) : part)
