import { z } from 'zod'

/** Gas limit of one run, above that of a transaction. The development chain's node runs this much in a tenth of a second. */
export const MAX_GAS = 30_000_000
const MILLION = 1_000_000
const MAX_OVERRIDDEN = 64
/** Hex digits of overriding code over all accounts: about ten contracts of the maximum size. */
const MAX_CODE_DIGITS = 2 * 256 * 1024
const MAX_OVERRIDDEN_SLOTS = 5_000
const MAX_SIMULATED_BLOCKS = 4
const MAX_SIMULATED_CALLS = 16
/** Blocks of a log query with an address, and without one. */
const MAX_LOG_BLOCKS = 10_000_000
const MAX_LOG_BLOCKS_OF_ALL = 10_000
const LOG_BLOCKS_PER_COST = 10_000
const MAX_LOG_NAMES = 1_000
const MAX_PROVED_SLOTS = 1_024
const SLOTS_PER_COST = 50
const MAX_FEE_BLOCKS = 1_024
const MAX_FEE_PERCENTILES = 100
const COST_OF_TRANSACTION = 30

/** Methods by which a node runs code that the caller chooses, and how many runs one answer takes. */
const RUNS: Partial<Record<string, number>> = { eth_call: 1, eth_createAccessList: 2, eth_estimateGas: 4 }
const GAS_FIELD = /^gas_?(limit)?$/i

export type ProxiedCall = { method: string; params?: unknown[] | undefined }

/**
 * A call as it is passed on, and its cost. One unit is about a million gas, or what takes a node as long. `refusal` tells a
 * developer why the call is not passed on.
 */
export type Bounded<call> = { call: call; cost: number } | { refusal: string }

const record = z.record(z.string(), z.unknown())
type Fields = z.output<typeof record>

class Refusal extends Error {}

/**
 * Bounds the work that a call causes on a node. Gas above the limit is lowered, as nodes do themselves. Anything else above its
 * limit is refused.
 *
 * @param head number of the newest block; null if it is unknown, in which case no range may end at the newest block
 */
export function boundCall<call extends ProxiedCall>(given: call, head: number | null): Bounded<call> {
  const { method, params = [] } = given
  try {
    const runs = RUNS[method]
    if (runs !== undefined) return ofRun(given, params, runs)
    if (method === 'eth_simulateV1') return ofSimulation(given, params)
    if (method === 'eth_getLogs') return { call: given, cost: costOfLogs(params, head) }
    if (method === 'eth_getProof') return { call: given, cost: costOfProof(params) }
    if (method === 'eth_feeHistory') return { call: given, cost: costOfFees(params) }
    return { call: given, cost: method === 'eth_sendRawTransaction' ? COST_OF_TRANSACTION : 1 }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message }
    throw error
  }
}

function ofRun<call extends ProxiedCall>(given: call, params: readonly unknown[], runs: number): Bounded<call> {
  const run = withGas(fieldsOf(params[0], 'the call'))
  const [, block, overrides, blockOverrides] = params
  checkOverrides(overrides)
  const bounded = blockOverrides == null ? blockOverrides : withGas(fieldsOf(blockOverrides, 'a block'))
  const all = [run, block, overrides, bounded].slice(0, params.length)
  return { call: { ...given, params: all }, cost: runs * costOf(run) }
}

function ofSimulation<call extends ProxiedCall>(given: call, params: readonly unknown[]): Bounded<call> {
  const asked = fieldsOf(params[0], 'the simulation')
  const blocks = listOf(asked.blockStateCalls, 'blockStateCalls').map((block) => fieldsOf(block, 'a block'))
  if (blocks.length > MAX_SIMULATED_BLOCKS) throw tooMany(MAX_SIMULATED_BLOCKS, 'blocks in one simulation')
  const calls = blocks.map((block) =>
    block.calls === undefined ? [] : listOf(block.calls, 'calls').map((one) => withGas(fieldsOf(one, 'a call'))),
  )
  if (calls.flat().length > MAX_SIMULATED_CALLS) throw tooMany(MAX_SIMULATED_CALLS, 'calls in one simulation')
  checkOverrides(...blocks.map(({ stateOverrides }) => stateOverrides))
  const bounded = blocks.map((block, at) => {
    const overrides = block.blockOverrides == null ? {} : fieldsOf(block.blockOverrides, 'a block')
    // A node also simulates every block before that number.
    if (overrides.number != null) throw new Refusal('This server does not pass on simulations that set block numbers.')
    return {
      ...block,
      ...(block.blockOverrides == null ? {} : { blockOverrides: withGas(overrides) }),
      ...(block.calls === undefined ? {} : { calls: calls[at] }),
    }
  })
  const cost = calls.flat().reduce((sum, call) => sum + costOf(call), blocks.length)
  return { call: { ...given, params: [{ ...asked, blockStateCalls: bounded }, ...params.slice(1)] }, cost }
}

/** Lowers gas to `MAX_GAS`, under each of the names that nodes accept for it. */
function withGas(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!GAS_FIELD.test(name) || value == null) return [name, value]
      const gas = quantityOf(value)
      if (gas === null) throw new Refusal(`\`${name}\` is not a number.`)
      return [name, gas > MAX_GAS ? `0x${MAX_GAS.toString(16)}` : value]
    }),
  )
}

/** Returns the cost of a run. A run without a gas limit counts as `MAX_GAS`. */
function costOf(run: Fields): number {
  const named = Object.entries(run).find(([name, value]) => GAS_FIELD.test(name) && value != null)?.[1]
  return 1 + Math.ceil((quantityOf(named) ?? MAX_GAS) / MILLION)
}

function checkOverrides(...all: readonly unknown[]): void {
  const accounts = all.flatMap((overrides) =>
    overrides == null ? [] : Object.values(fieldsOf(overrides, 'overrides')),
  )
  if (accounts.length > MAX_OVERRIDDEN) throw tooMany(MAX_OVERRIDDEN, 'overridden accounts')
  let digits = 0
  let slots = 0
  for (const account of accounts) {
    const { code, state, stateDiff } = fieldsOf(account, 'overrides')
    digits += typeof code === 'string' ? code.length : 0
    for (const some of [state, stateDiff]) slots += some == null ? 0 : Object.keys(fieldsOf(some, 'overrides')).length
  }
  if (digits > MAX_CODE_DIGITS) throw tooMany(MAX_CODE_DIGITS / 2, 'bytes of overriding code')
  if (slots > MAX_OVERRIDDEN_SLOTS) throw tooMany(MAX_OVERRIDDEN_SLOTS, 'overridden storage slots')
}

function costOfLogs([given]: readonly unknown[], head: number | null): number {
  const { fromBlock, toBlock, blockHash, address, topics } = fieldsOf(given, 'the filter')
  const addresses = address == null ? [] : [address].flat()
  const places = topics == null ? [] : listOf(topics, 'topics')
  if (addresses.length + places.flat().length > MAX_LOG_NAMES) throw tooMany(MAX_LOG_NAMES, 'addresses and topics')
  if (blockHash != null) return 1
  const [first, last] = [placeOf(fromBlock, head), placeOf(toBlock, head)]
  const blocks = first === last ? 1 : Math.abs(last - first) + 1
  const most = addresses.length > 0 ? MAX_LOG_BLOCKS : MAX_LOG_BLOCKS_OF_ALL
  if (!(blocks <= most))
    throw tooMany(most, addresses.length > 0 ? 'blocks in one log query' : 'blocks in one log query without an address')
  return 1 + Math.ceil((blocks / LOG_BLOCKS_PER_COST) * Math.max(1, addresses.length / 10))
}

/** Returns the block number that a filter names, at most that of the newest block. */
function placeOf(block: unknown, head: number | null): number {
  if (block === 'earliest') return 0
  const number = block == null || typeof block === 'object' ? null : quantityOf(block)
  if (number !== null) return head === null ? number : Math.min(number, head)
  return head ?? Number.POSITIVE_INFINITY
}

function costOfProof([, slots]: readonly unknown[]): number {
  const count = slots == null ? 0 : listOf(slots, 'slots').length
  if (count > MAX_PROVED_SLOTS) throw tooMany(MAX_PROVED_SLOTS, 'storage slots in one proof')
  return 1 + Math.ceil(count / SLOTS_PER_COST)
}

function costOfFees([count, , percentiles]: readonly unknown[]): number {
  const blocks = quantityOf(count)
  if (blocks === null || blocks > MAX_FEE_BLOCKS) throw tooMany(MAX_FEE_BLOCKS, 'blocks of fee history')
  const each = percentiles == null ? 0 : listOf(percentiles, 'percentiles').length
  if (each > MAX_FEE_PERCENTILES) throw tooMany(MAX_FEE_PERCENTILES, 'percentiles')
  return 1 + Math.ceil((blocks * (1 + each)) / MAX_FEE_BLOCKS)
}

/** Parses a quantity. Nodes also accept plain numbers and strings of decimal digits. */
function quantityOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null
  if (typeof value !== 'string' || !/^(0x[0-9a-f]+|[0-9]+)$/i.test(value)) return null
  return Number(value)
}

function fieldsOf(value: unknown, what: string): Fields {
  const fields = Array.isArray(value) ? undefined : record.safeParse(value).data
  if (fields) return fields
  throw new Refusal(`${what} is not an object.`)
}

function listOf(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  throw new Refusal(`${what} is not a list.`)
}

function tooMany(most: number, what: string): Refusal {
  return new Refusal(`This server passes on at most ${most.toLocaleString('en')} ${what}.`)
}
