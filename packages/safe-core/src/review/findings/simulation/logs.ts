import { type Address, decodeEventLog, type Hex, parseAbi } from 'viem'
import { isSameAddress } from '../../../same-address.ts'
import type { SimulatedCall, SimulatedLog } from '../../../simulation/simulation-result.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../evidence.ts'
import { executedRun } from './finished.ts'
import { deltaOf } from './moves.ts'

const transferAbi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 amount)'])
/** keccak256 of `Transfer(address,address,uint256)`; with three topics it is of ERC-20. */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Interest that a token adds by itself makes a log and a balance differ a little. */
const TOLERATED_PERCENT = 1n
const MAX_LOGS = 5_000

/** Logs that tell of transfers to or from the Safe that its balances do not show. Anybody can write any log. */
export function reviewLogs(input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null) return []
  const sums = new Map<string, { token: Address; sum: bigint }>()
  for (const { address, ...log } of logsOf(run.call).slice(0, MAX_LOGS)) {
    const moved = readTransfer(log, input.safeAddress)
    if (moved === 0n) continue
    const key = address.toLowerCase()
    sums.set(key, { token: address, sum: (sums.get(key)?.sum ?? 0n) + moved })
  }
  return [...sums.values()].flatMap(({ token, sum }) => {
    const change = run.balances.find(
      (one) =>
        one.standard === 'erc20' && isSameAddress(one.token, token) && isSameAddress(one.account, input.safeAddress),
    )
    const moved = change === undefined ? 0n : deltaOf(change)
    const wrong = moved > sum ? moved - sum : sum - moved
    const size = sum < 0n ? -sum : sum
    if (wrong <= 2n || (wrong * 100n <= size * TOLERATED_PERCENT && sum !== 0n)) return []
    return [finding('TOKEN-FAKE-LOG', 'high', { token, said: String(sum), moved: String(moved) })]
  })
}

/** Logs that stay: those of calls that failed are undone. */
export function logsOf(call: SimulatedCall): SimulatedLog[] {
  return call.failure === null ? [...call.logs, ...call.calls.flatMap(logsOf)] : []
}

/** Reads how much comes to an account by a log; a negative number leaves it. */
function readTransfer({ topics, data }: Omit<SimulatedLog, 'address'>, account: Address): bigint {
  if (topics[0]?.toLowerCase() !== TRANSFER || topics.length !== 3) return 0n
  try {
    const { args } = decodeEventLog({ abi: transferAbi, topics: topics as [Hex, ...Hex[]], data })
    const isOut = isSameAddress(args.from, account)
    const isIn = isSameAddress(args.to, account)
    return isOut === isIn ? 0n : isIn ? args.amount : -args.amount
  } catch {
    return 0n
  }
}
