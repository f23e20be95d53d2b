import { isSameAddress } from '@countersign/safe'
import { type Address, decodeEventLog, type Hex, parseAbi, toEventSelector } from 'viem'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
import { logsOf } from './transfers.ts'

/** Events of Aave's tokens (version 3): `balanceIncrease` is interest that `balanceOf` counted before. */
const interestAbi = parseAbi([
  'event Mint(address indexed caller, address indexed onBehalfOf, uint256 value, uint256 balanceIncrease, uint256 index)',
  'event Burn(address indexed from, address indexed target, uint256 value, uint256 balanceIncrease, uint256 index)',
])
/** A log of another event is told by its topic: to have it decoded in vain costs a hundred times as much. */
const selectors = new Set(interestAbi.map((event) => toEventSelector(event)))

/**
 * Sums the interest that a token writes down with a transfer. Its transfer logs contain it, the change of the balance does
 * not: a withdrawal of 50 with 10 of interest is logged as 40. Anybody can write these events too, so that what the Safe
 * held of the token before the run is the most that counts.
 *
 * @param held balance of the Safe before the run, in base units
 * @returns base units; 0 where the events say more than the Safe held
 */
export function interestOf(
  { token, held, safeAddress }: { token: Address; held: bigint; safeAddress: Address },
  call: SimulatedCall,
): bigint {
  const sum = logsOf(call)
    .filter(({ address, topics: [selector] }) => selector && selectors.has(selector) && isSameAddress(address, token))
    .map(({ topics, data }) => {
      try {
        const event = decodeEventLog({ abi: interestAbi, topics: topics as [Hex, ...Hex[]], data })
        const account = event.eventName === 'Mint' ? event.args.onBehalfOf : event.args.from
        return isSameAddress(account, safeAddress) ? event.args.balanceIncrease : 0n
      } catch {
        return 0n
      }
    })
    .reduce((total, increase) => total + increase, 0n)
  return sum <= held ? sum : 0n
}
