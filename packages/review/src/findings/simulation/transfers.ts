import { type Address, getAddress, type Hex, hexToBigInt, size, slice } from 'viem'
import type { SimulatedCall, SimulatedLog } from '../../simulation/simulation-result.ts'

/** keccak256 of `Transfer(address,address,uint256)`; with three topics it is of ERC-20. */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** More of them are not looked at. */
export const MAX_TRANSFERS = 5_000
/** Tokens that keep shares round by as many base units with each transfer. */
export const ROUNDING = 2n

/** Logs that stay: those of calls that failed are undone. */
export function logsOf(call: SimulatedCall): SimulatedLog[] {
  return call.failure === null ? [...call.logs, ...call.calls.flatMap(logsOf)] : []
}

/** A transfer of an ERC-20 token, as its log tells it. */
export type TokenTransfer = { token: Address; from: Address; to: Address; amount: bigint }

/** A payout has hundreds, and several findings ask for them: those of a run are read once. */
const read = new WeakMap<SimulatedCall, readonly TokenTransfer[]>()

/** Transfers by the logs of a run. Anybody can write any log: what they are of is theirs who wrote them. */
export function transfersOf(call: SimulatedCall, most: number = MAX_TRANSFERS): readonly TokenTransfer[] {
  const transfers = read.get(call) ?? logsOf(call).flatMap(transferOf)
  read.set(call, transfers)
  return transfers.slice(0, most)
}

function transferOf({ address, topics: [selector, from, to, ...more], data }: SimulatedLog): TokenTransfer[] {
  if (selector?.toLowerCase() !== TRANSFER || from === undefined || to === undefined) return []
  if (more.length > 0 || size(data) < 32) return []
  return [{ token: address, from: addressOf(from), to: addressOf(to), amount: hexToBigInt(slice(data, 0, 32)) }]
}

function addressOf(topic: Hex): Address {
  return getAddress(slice(topic, -20))
}
