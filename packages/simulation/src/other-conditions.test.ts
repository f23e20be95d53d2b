import type { SafeTxRun, StateReader } from '@countersign/review'
import { newSafeTx } from '@countersign/safe'
import { type Address, concat, getAddress, type Hex, numberToHex, padHex, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { isOtherwise, type RunChanges } from './other-conditions.ts'
import { assumedApprovals, prepareExecution } from './safe-execution.ts'
import { type SimulationOptions, simulate } from './simulate.ts'

const [safe, target, prober, owner]: Address[] = [0xa1n, 0xa2n, 0xa3n, 0xa4n].map((at) =>
  numberToHex((at << 152n) | at, { size: 20 }),
) as [Address, Address, Address, Address]
const header = {
  hash: zeroHash,
  number: 9n,
  parentHash: zeroHash,
  stateRoot: zeroHash,
  timestamp: 1_700_000_000n,
  coinbase: padHex('0x01', { size: 20 }),
  gasLimit: 30_000_000n,
  prevRandao: zeroHash,
  baseFeePerGas: 1_000_000_000n,
  excessBlobGas: 0n,
  fork: 'prague' as const,
}
const run: SafeTxRun = {
  kind: 'safe-transaction',
  safeAddress: safe ?? '0x',
  version: '1.4.1',
  owners: [owner ?? '0x'],
  threshold: 1,
  safeTx: newSafeTx({ to: target ?? '0x', nonce: 0n }),
  confirmations: [],
  executor: padHex('0x02', { size: 20 }),
}

// Asked for a slot it says what stands there; else it calls the target, whatever becomes of that, and returns true.
const safeCode = concat([
  '0x3660201460335760006000600060006000',
  `0x73${(target ?? '0x').slice(2)}`,
  '0x5af150600160005260206000f3',
  '0x5b',
  '0x6000355460005260206000f3',
])
/** Code that writes slot 7 where this leaves something other than zero. */
const where = (condition: Hex) => {
  const size = (condition.length - 2) / 2
  return concat([condition, `0x60${(size + 4).toString(16).padStart(2, '0')}`, '0x57', '0x00', '0x5b600760075500'])
}
const call = (to: Address, data: Hex): Hex =>
  concat([
    ...(data === '0x' ? [] : [concat([`0x7f${data.slice(2)}`, '0x600052'])]),
    `0x60206020${data === '0x' ? '6000' : '6020'}6000`,
    `0x73${to.slice(2)}`,
    '0x620186a0fa',
  ] as Hex[])

type Options = SimulationOptions & { codes?: Record<string, Hex>; chainId?: number }

async function gapsOf(
  code: Hex,
  { codes = {}, chainId = 31_337, ...options }: Options = {},
  more: Partial<SafeTxRun> = {},
) {
  const all: Record<string, Hex> = { [safe ?? '']: safeCode, [target ?? '']: code, ...codes }
  const reader: StateReader = {
    chainId,
    header,
    headerGrade: 'proved',
    read: async ({ accounts }) => ({
      accounts: accounts.map(({ address, slots }) => ({
        address,
        account: { nonce: 1n, balance: 0n, code: all[address.toLowerCase()] ?? '0x' },
        slots: new Map(slots.map((slot) => [slot, zeroHash])),
        grade: 'proved' as const,
      })),
      blockHashes: [],
    }),
  }
  const result = await simulate(reader, { ...run, ...more }, options)
  if (result.status === 'unfinished') return result.reason
  expect(result.outcome.kind).toBe('success')
  const { gaps, lessLater } = result
  const isHarmed = result.slots.some(({ slot }) => BigInt(slot) === 7n)
  return { gaps, isHarmed, ...(lessLater === undefined ? {} : { lessLater }) }
}

/** A call one step further in: the Safe of this test has no proxy in front. */
const toProber: Hex = `0x6000600060006000600073${(prober ?? '0x').slice(2)}5af100`

/** A trap there, behind code that needs room first. */
const behind = (condition: Hex, first: Hex = '0x', more: Partial<SafeTxRun> = {}) =>
  gapsOf(concat([first, toProber]), { codes: { [prober ?? '']: where(condition) } }, more)

const found = { gaps: ['conditions'], isHarmed: false }

describe('code that can tell a run from the chain', () => {
  /** A token that takes 7 of the Safe's 100 where this leaves something other than zero. */
  const takingWhere = (condition: Hex) => {
    const transfer = '7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const topics = `600073${(safe ?? '0x').slice(2)}${transfer}` as const
    const taking = concat(['0x5b60076000556007600052', `0x${topics}`, '0x60206000a300'])
    const balance: Hex = '0x5b60005460640360005260206000f3'
    const size = (code: Hex) => (code.length - 2) / 2
    const place = (at: number) => numberToHex(at, { size: 1 }).slice(2)
    const harm = 7 + size(condition) + 4
    const start: Hex = `0x36602414${`60${place(harm + size(taking))}`}57`
    return concat([start, condition, `0x60${place(harm)}57`, '0x00', taking, balance])
  }
  const taken = (condition: Hex, { codes, ...options }: Options = {}, by = toProber) =>
    gapsOf(by, { codes: { ...codes, [prober ?? '']: takingWhere(condition) }, ...options })

  /** A token that gives the Safe 10, or 8 where this leaves something other than zero. */
  const givingWhere = (condition: Hex) => {
    const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const giving = concat(['0x5b80600055600052', `0x73${(safe ?? '0x').slice(2)}60007f${transfer}`, '0x60206000a300'])
    const size = (code: Hex) => (code.length - 2) / 2
    const place = (at: number) => numberToHex(at, { size: 1 }).slice(2)
    const less = 7 + size(condition) + 8
    const [give, balance] = [less + 3, less + 3 + size(giving)]
    const start: Hex = `0x36602414${`60${place(balance)}`}57`
    const choice: Hex = `0x60${place(less)}57600a60${place(give)}56`
    return concat([start, condition, choice, '0x5b6008', giving, '0x5b60005460005260206000f3'])
  }
  const taker = numberToHex((0xa5n << 152n) | 0xa5n, { size: 20 })
  const toTaker: Hex = `0x6000600060006000600073${taker.slice(2)}5af150`
  const brought = (condition: Hex, by = toProber) =>
    gapsOf(by, { codes: { [prober ?? '']: givingWhere(condition), [taker]: takingWhere('0x6001') } })

  test('default: code that does always the same is run as it is', async () => {
    expect(await gapsOf('0x00')).toEqual({ gaps: [], isHarmed: false })
    expect(await gapsOf(where('0x6001'))).toEqual({ gaps: [], isHarmed: true })
  })

  test('behavior: it waits for less gas than a run has', async () => {
    // A hash of 128 kB, so that there is room for harm in the gas that is offered; GAS < 5,000,000
    const trap = where('0x6202000060002050624c4b405a10')
    expect(await gapsOf(trap)).toEqual(found)
    // Gas that somebody names is that of the chain.
    expect(await gapsOf(trap, {}, { gas: 8_000_000n })).toEqual({ gaps: [], isHarmed: false })
  })

  test('behavior: it waits for a tip', async () => {
    // GASPRICE > BASEFEE. The Safe of this test has no proxy in front: traps stand one call further in.
    expect(await behind('0x483a11')).toEqual(found)
    // PUSH1 1, CLZ, POP: older rules end the call before it comes to the trap.
    expect(await behind('0x60011e50483a11')).toEqual(found)
    // And with little gas alone: GAS < 5,000,000
    expect(await behind('0x483a11624c4b405a1016', '0x6202000060002050')).toEqual(found)
    // A refund that no tip makes higher hides nothing.
    const refunded = newSafeTx({ to: target ?? '0x', nonce: 0n, gasPrice: 1n })
    expect(await behind('0x483a11', '0x', { safeTx: refunded })).toEqual(found)
  })

  test('behavior: it waits for somebody else to send it', async () => {
    // ORIGIN, unless it is the one of this run
    expect(await behind(`0x327f${padHex('0x02', { size: 32 }).slice(2)}1415`)).toEqual(found)
    // Code that looks, and does the same for all.
    expect(await behind('0x321515')).toEqual({ gaps: [], isHarmed: true })
    expect(await behind('0x3215')).toEqual({ gaps: [], isHarmed: false })
  })

  test('behavior: it waits for a sender who has something left, or for an owner who is not this one', async () => {
    // BALANCE of ORIGIN: the executor of a run is given no more than it lacks.
    expect(await behind('0x3231')).toEqual(found)
    // The owner sends it itself, and its consent counts by that: ORIGIN is not this owner.
    const trap = await behind(`0x3273${(owner ?? '0x').slice(2)}1415`, '0x', { executor: owner ?? '0x' })
    expect(trap).toEqual(found)
    // SELFBALANCE of the executor, whose account delegates to code (EIP-7702), and who is asked for it.
    const executor = numberToHex((0xf2n << 152n) | 0xf2n, { size: 20 })
    const asked = where(concat([call(executor, '0x'), '0x50602051']))
    const codes = { [executor]: '0x4760005260206000f3', [prober ?? '']: asked } as const
    expect(await gapsOf(toProber, { codes }, { executor })).toEqual(found)
  })

  test('behavior: it waits for gas between what is offered and what there is, for the least, and for more', async () => {
    const more = numberToHex(17_500_000n, { size: 4 }).slice(2)
    const [least, high] = ['0x620186a05a10', `0x63${more}5a11`] as const
    for (const trap of [least, high]) expect(await taken(trap)).toEqual(found)
    // Where Ethereum's schedule holds, no transaction has so much.
    const rules = { hardfork: 'osaka', older: [] }
    expect(await taken(high, { chainId: 1, rules })).toEqual({ gaps: [], isHarmed: false })
    // By no look at the gas at all: it calls what takes 20,000,000, and sees whether there were so many.
    const heavy = numberToHex((0xa5n << 152n) | 0xa5n, { size: 20 })
    const sees: Hex = `0x6000600060006000${`73${heavy.slice(2)}`}5afa`
    expect(await taken(sees, { codes: { [heavy]: '0x6001623160005200' } })).toEqual(found)
  })

  test('behavior: it waits for a high tip', async () => {
    // GASPRICE > 2 * BASEFEE
    expect(await behind('0x486002023a11')).toEqual(found)
  })

  test.each<[string, Hex]>([
    ['a later one', '0x60094311'],
    ['a later time', '0x636553f1004211'],
    ['a time in some hours', '0x636553f1e84211'],
    ['another producer', '0x6001411415'],
    ['another randomness', '0x44'],
    ['another parent', '0x6001430340'],
    ['a higher base fee', '0x633b9aca004811'],
    ['a lower base fee', '0x633b9aca004810'],
    ['another gas limit', '0x6301c9c380451415'],
    ['a higher price of blobs', '0x60014a11'],
    // GASPRICE > 2 * BASEFEE, and then alone NUMBER: nothing looks at it before.
    ['a later one, at a high price alone,', '0x486002023a116015576000601a565b600943115b'],
  ])('behavior: it waits for %s than the block of the run', async (_, condition) => {
    expect(await taken(condition)).toEqual({ gaps: ['conditions'], isHarmed: false })
  })

  test('behavior: what costs nothing and brings less a day later is told with the amounts', async () => {
    const [later, soon] = ['0x636553f1e84211', '0x636553f1004211'] as const
    expect(await brought('0x5f')).toEqual({ gaps: [], isHarmed: false })
    const told = { token: getAddress(prober ?? '0x'), tokenId: null, received: 10n, receivedLater: 8n }
    expect(await brought(later)).toEqual({ gaps: [], isHarmed: false, lessLater: [told] })
    // So soon it is no stream.
    expect(await brought(soon)).toMatchObject({ gaps: ['conditions'] })
    // It costs something.
    expect(await brought(later, concat([toTaker, toProber]))).toMatchObject({ gaps: ['conditions'] })
  })

  test('behavior: a balance that cannot be read may cost something', () => {
    const account = safe ?? '0x'
    const [paid, unread] = [numberToHex(1, { size: 20 }), numberToHex(2, { size: 20 })]
    const changes = (after: bigint, of: bigint | null): RunChanges => ({
      outcome: { kind: 'success', output: '0x' },
      slots: [],
      approvals: [],
      balances: [
        { account, token: paid, standard: 'erc20', tokenId: null, before: 0n, after },
        { account, token: unread, standard: 'erc20', tokenId: null, before: of, after: of },
      ],
    })
    const asked = { compared: { safeWithin: 10n, mayBringLess: true }, safe: account, paying: [] }
    expect(isOtherwise(changes(10n, 5n), changes(8n, 5n), asked)).toBe(false)
    expect(isOtherwise(changes(10n, null), changes(8n, null), asked)).toBe(true)
  })

  test('behavior: a time that is written down, or grows by little, is no other story', async () => {
    // SSTORE(1, TIMESTAMP), SSTORE(2, NUMBER)
    expect(await gapsOf('0x426001554360025500')).toEqual({ gaps: [], isHarmed: false })
    expect(await taken('0x426001555f')).toEqual({ gaps: [], isHarmed: false })
    // It takes always.
    expect(await taken('0x426001556001')).toEqual({ gaps: [], isHarmed: false })
  })

  test('behavior: a guard is told who sends it', async () => {
    // checkTransaction, and the sender behind it.
    const told = `0x6375f0bb5260e01b600052326004526000600060406000600073${(prober ?? '0x').slice(2)}5af100` as const
    expect(await taken('0x60043560021415', {}, told)).toEqual(found)
    expect(await taken('0x600435', {}, told)).toEqual({ gaps: [], isHarmed: false })
    const other = told.replace('75f0bb52', '75f0bb53') as Hex
    expect(await taken('0x60043560021415', {}, other)).toEqual({ gaps: [], isHarmed: false })
  })

  test('behavior: it looks for an operation of the newest rules', async () => {
    // PUSH1 1, CLZ, STOP
    const codes = { [prober ?? '']: '0x60011e00' } as const
    const trap = where(concat([call(prober ?? '0x', '0x'), '0x15']))
    expect(await gapsOf(trap, { codes })).toEqual(found)
    // Mainnet's schedule says which rules there are.
    expect(await gapsOf(trap, { codes, chainId: 1, rules: { hardfork: 'osaka', older: [] } })).toEqual({
      gaps: [],
      isHarmed: false,
    })
  })

  test('behavior: it asks who has approved', async () => {
    const [{ slot } = { slot: zeroHash }] = assumedApprovals(prepareExecution(run, 31_337))
    const ask = concat([call(safe ?? '0x', slot), '0x50602051'])
    // No harm, and no help: to ask is enough.
    expect(await gapsOf(where(concat([ask, '0x15'])))).toEqual(found)
    const another = concat([call(safe ?? '0x', padHex('0x77', { size: 32 })), '0x50602051'])
    expect(await gapsOf(where(concat([another, '0x15'])))).toEqual({ gaps: [], isHarmed: true })
  })

  test.each([
    ['without code', 0x64n, '0x'],
    ['marked by a byte, as on Arbitrum', 0x65n, '0xfe'],
    ['marked by a byte, as on Avalanche', 0x02n << 152n, '0x01'],
  ] as const)('behavior: it calls a precompile of the chain itself, %s', async (_, at, code) => {
    const precompile = numberToHex(at, { size: 20 })
    const reason = { kind: 'precompile', address: expect.stringMatching(new RegExp(precompile, 'i')) }
    expect(await gapsOf(call(precompile, padHex('0x01', { size: 32 })), { codes: { [precompile]: code } })).toEqual(
      reason,
    )
    // Nothing is told to whom only coin is sent.
    expect(await gapsOf(call(precompile, '0x'), { codes: { [precompile]: code } })).toMatchObject({ gaps: [] })
  })

  test('behavior: contracts that a chain keeps at low addresses are called as others are', async () => {
    const system = numberToHex(0x1000n, { size: 20 })
    const asked = call(system, padHex('0x01', { size: 32 }))
    expect(await gapsOf(asked, { codes: { [system]: '0x60006000f3' } })).toMatchObject({ gaps: [] })
  })
})
