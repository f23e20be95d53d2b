import type { PriceFault } from '@countersign/contract'
import { parsePrice, type RpcRequest } from '@countersign/safe'
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  formatUnits,
  type Hex,
  isHex,
  numberToHex,
  parseAbi,
} from 'viem'
import type { Point } from './parse-prices.ts'

/** A contract of the chain that says what an asset costs, as Chainlink's do (`AggregatorV3Interface`). */
export type PriceFeed = { token: 'native' | Address; feed: Address }

const feedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

type FunctionName = 'decimals' | 'description' | 'latestRoundData'
const calls: Record<FunctionName, Hex> = {
  decimals: encodeFunctionData({ abi: feedAbi, functionName: 'decimals' }),
  description: encodeFunctionData({ abi: feedAbi, functionName: 'description' }),
  latestRoundData: encodeFunctionData({ abi: feedAbi, functionName: 'latestRoundData' }),
}

const GAS = numberToHex(1_000_000)
const MAX_ANSWER = 2_000
const MAX_DECIMALS = 36

/** Digits behind the point of a feed's answers. */
export type FeedFacts = { decimals: number } | { fault: PriceFault }

/** Reads what does not change of a feed. One that names another currency (`ETH / BTC`) is not used. */
export async function readFeedFacts(request: RpcRequest, feed: Address, currency: string): Promise<FeedFacts> {
  const [digits, words] = await Promise.all([ask(request, feed, 'decimals'), ask(request, feed, 'description')])
  const decimals = digits && decode('decimals', digits)
  if (typeof decimals !== 'number') return { fault: 'unread' }
  if (decimals > MAX_DECIMALS) return { fault: 'absurd' }
  const description = words && decode('description', words)
  const [, named] = typeof description === 'string' ? (/\/\s*(\w{2,8})\s*$/.exec(description) ?? []) : []
  return named !== undefined && named.toUpperCase() !== currency ? { fault: 'currency' } : { decimals }
}

/** Reads what a feed says, now or at the end of a block; a fault where that is no price. Only a node can leave it unread. */
export async function readFeed(
  request: RpcRequest,
  { feed, decimals }: { feed: Address; decimals: number },
  block: number | 'latest' = 'latest',
): Promise<Point | { fault: PriceFault }> {
  const answer = await ask(request, feed, 'latestRoundData', block)
  if (answer === null) return { fault: 'unread' }
  // Before its creation a feed answers with nothing: that is no node without old state.
  const round = decode('latestRoundData', answer)
  if (!Array.isArray(round)) return { fault: 'absurd' }
  const [, value, , updatedAt] = round
  if (typeof value !== 'bigint' || typeof updatedAt !== 'bigint') return { fault: 'absurd' }
  if (value <= 0n || updatedAt <= 0n || updatedAt > 100_000_000_000n) return { fault: 'absurd' }
  const [whole = '', fraction = ''] = formatUnits(value, decimals).split('.')
  const price = fraction === '' ? whole : `${whole}.${fraction.slice(0, 18)}`
  return parsePrice(price) === null ? { fault: 'absurd' } : { price, at: Number(updatedAt) * 1000 }
}

async function ask(
  request: RpcRequest,
  to: Address,
  name: FunctionName,
  block: number | 'latest' = 'latest',
): Promise<Hex | null> {
  const at = block === 'latest' ? block : numberToHex(block)
  try {
    const answer = await request({ method: 'eth_call', params: [{ to, data: calls[name], gas: GAS }, at] })
    return isHex(answer) && answer.length <= MAX_ANSWER ? answer : null
  } catch {
    return null
  }
}

function decode(functionName: FunctionName, data: Hex): unknown {
  try {
    return decodeFunctionResult({ abi: feedAbi, functionName, data })
  } catch {
    return null
  }
}
