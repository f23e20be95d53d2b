import type { PriceFault } from '@countersign/contract'
import type { RpcRequest } from '@countersign/safe'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, isHex, numberToHex, parseAbi } from 'viem'
import { isRevert } from '../rpc/errors.ts'
import { costAtTick, divideDown, type Fraction, MAX_TICK } from './tick-price.ts'

/** A pool of two tokens as Uniswap v3 has them, whose average over some minutes says what one costs in the other. */
export type PricePool = {
  token: 'native' | Address
  pool: Address
  /** The other token of the pool. */
  quote: Address
  /** Unit of the currency, or the wrapped coin; otherwise it has a price of its own. */
  quoteIs?: 'currency' | 'native' | undefined
  minutes: number
}

/** An average of fewer minutes is moved too cheaply. */
export const LEAST_MINUTES = 10

/** Parts of the window that are compared with the whole: what somebody does to a pool for a block or two is in few of them. */
const PARTS = 10
/** Ticks of a tenth up or down: 1.0001^953 is just below 1.1. */
const MAX_MOVED = 953n

const GAS = numberToHex(5_000_000)
const MAX_ANSWER = 4_000
const MAX_DECIMALS = 77

const abi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function decimals() view returns (uint8)',
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)',
])

/** Place of the token in its pool, and digits of both. */
export type PoolFacts = { isFirst: boolean; decimals: { token: number; quote: number } } | { fault: PriceFault }

/** Average cost of one whole unit of a pool's token, in whole units of its quote token. */
export type PoolAverage = { cost: Fraction } | { fault: PriceFault }

/** Reads what does not change of a pool: its tokens must be those that the operator names. */
export async function readPoolFacts(
  request: RpcRequest,
  { token, pool, quote }: PricePool,
  coinDecimals: number,
): Promise<PoolFacts> {
  const [first, second] = await Promise.all([askPool(request, pool, 'token0'), askPool(request, pool, 'token1')])
  if (typeof first !== 'string' || typeof second !== 'string') return { fault: 'unread' }
  const isFirst = second === quote
  const other = isFirst ? first : second
  if ((!isFirst && first !== quote) || (token !== 'native' && token !== other)) return { fault: 'pair' }
  const [ofToken, ofQuote] = await Promise.all([
    askPool(request, other as Address, 'decimals'),
    askPool(request, quote, 'decimals'),
  ])
  if (typeof ofToken !== 'number' || typeof ofQuote !== 'number') return { fault: 'unread' }
  if (ofToken > MAX_DECIMALS || ofQuote > MAX_DECIMALS) return { fault: 'absurd' }
  // The wrapped coin is counted as the coin is.
  if (token === 'native' && ofToken !== coinDecimals) return { fault: 'pair' }
  return { isFirst, decimals: { token: ofToken, quote: ofQuote } }
}

/**
 * Reads the average of a pool over the minutes before the end of a block: never what it says at one moment, which whoever has
 * enough of a token moves for a block. What moved it far for a part of that time makes it unfit, too.
 */
export async function readPool(
  request: RpcRequest,
  { pool, minutes, isFirst, decimals }: PricePool & Exclude<PoolFacts, { fault: PriceFault }>,
  block: number,
): Promise<PoolAverage> {
  const window = minutes * 60
  const secondsAgos = Array.from({ length: PARTS + 1 }, (_, at) => (window / PARTS) * (PARTS - at))
  let answer: unknown
  try {
    answer = await request({
      method: 'eth_call',
      params: [
        { to: pool, data: encodeFunctionData({ abi, functionName: 'observe', args: [secondsAgos] }), gas: GAS },
        numberToHex(block),
      ],
    })
  } catch (error) {
    // `OLD`, or `I` before its first observation: it keeps too few for this window.
    return { fault: isRevert(error) ? 'too-young' : 'unread' }
  }
  // It was not there yet at that block.
  if (answer === '0x') return { fault: 'too-young' }
  const [ticks, shares] = decodeObservations(answer) ?? []
  if (ticks?.length !== PARTS + 1 || shares?.length !== PARTS + 1) return { fault: 'absurd' }
  const mean = meanTick(ticks, 0, PARTS, window)
  if (mean > MAX_TICK || mean < -MAX_TICK) return { fault: 'absurd' }
  if (wasEmpty(shares, window)) return { fault: 'empty' }
  const parts = secondsAgos.slice(1).map((_, at) => meanTick(ticks, at, at + 1, window / PARTS))
  const moved = middle(parts) - mean
  if (moved > MAX_MOVED || moved < -MAX_MOVED) return { fault: 'moved' }
  return { cost: costAtTick(mean, { isFirst, ...decimals }) }
}

function meanTick(sums: readonly bigint[], from: number, to: number, seconds: number): bigint {
  return divideDown((sums[to] ?? 0n) - (sums[from] ?? 0n), BigInt(seconds))
}

/**
 * Says whether a pool had no liquidity for a second: then its price costs nothing to move. Such a second alone makes the sum of
 * seconds by liquidity grow by 2^128; it is kept in 160 bits, and grows by one in each second at least.
 */
function wasEmpty(shares: readonly bigint[], window: number): boolean {
  const grown = BigInt.asUintN(160, (shares.at(-1) ?? 0n) - (shares[0] ?? 0n))
  return grown >= 1n << 128n || grown < BigInt(window)
}

function middle(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((one, other) => (one < other ? -1 : 1))
  return sorted[Math.floor(sorted.length / 2)] ?? 0n
}

async function askPool(request: RpcRequest, to: Address, functionName: 'token0' | 'token1' | 'decimals') {
  try {
    const data = encodeFunctionData({ abi, functionName })
    const answer = await request({ method: 'eth_call', params: [{ to, data, gas: GAS }, 'latest'] })
    return isAnswer(answer) ? decodeFunctionResult({ abi, functionName, data: answer }) : null
  } catch {
    return null
  }
}

function decodeObservations(answer: unknown): readonly [readonly bigint[], readonly bigint[]] | null {
  if (!isAnswer(answer)) return null
  try {
    return decodeFunctionResult({ abi, functionName: 'observe', data: answer })
  } catch {
    return null
  }
}

function isAnswer(answer: unknown): answer is Hex {
  return isHex(answer) && answer.length <= MAX_ANSWER
}
