import { type Address, decodeEventLog, type Hex, parseAbi } from 'viem'
import type { SimulatedCall, SimulatedLog } from '../../../simulation/simulation-result.ts'

const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 amount)'])
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

/** Transfers by the logs of a run. Anybody can write any log: what they are of is theirs who wrote them. */
export function transfersOf(call: SimulatedCall, most: number = MAX_TRANSFERS): TokenTransfer[] {
  return logsOf(call)
    .filter(({ topics }) => topics[0]?.toLowerCase() === TRANSFER && topics.length === 3)
    .slice(0, most)
    .flatMap(({ address, topics, data }) => {
      try {
        const { args } = decodeEventLog({ abi: transferAbi, topics: topics as [Hex, ...Hex[]], data })
        return [{ token: address, ...args }]
      } catch {
        return []
      }
    })
}
