import { type Address, type Hex, numberToHex, padHex, zeroAddress, zeroHash } from 'viem'
import type {
  CrossCheck,
  FinishedSimulation,
  SimulatedCall,
  SimulatedTransaction,
} from '../../simulation/simulation-result.ts'

// Runs as the engine gives them, for tests.

export const block = { chainId: 1, number: 100n, hash: zeroHash, timestamp: 1_700_000_000n }
export const cost = { rounds: 1, runs: 1, reads: 5, lastRunMs: 5, totalMs: 10 }
const agrees: CrossCheck = {
  status: 'agrees',
  method: 'eth_call',
  outcome: 'success',
  data: '0x',
  compared: null,
  moved: null,
}

/** One call; what is not said is plain. */
export function callOf(fields: Partial<SimulatedCall> = {}): SimulatedCall {
  return {
    path: [],
    operation: 'call',
    context: zeroAddress,
    from: zeroAddress,
    to: zeroAddress,
    value: 0n,
    gas: 1_000_000n,
    gasUsed: 50_000n,
    input: '0x',
    inputSize: 0,
    output: '0x',
    outputSize: 0,
    failure: null,
    part: null,
    logs: [],
    calls: [],
    ...fields,
  }
}

/** A call in which tokens and coin come to an account, as logs and calls tell it. Less than nothing leaves the account. */
export function callReceiving(
  account: Address,
  received: readonly { token: Address; amount: bigint }[],
): SimulatedCall {
  const own = padHex(account, { size: 32 })
  const tokens = received.filter(({ token }) => token !== zeroAddress)
  const coin = received.filter(({ token, amount }) => token === zeroAddress && amount > 0n)
  return callOf({
    calls: coin.map(({ amount }) => callOf({ to: account, value: amount })),
    logs: tokens.map(({ token, amount }) => ({
      address: token,
      topics: amount < 0n ? [TRANSFER, own, zeroHash] : [TRANSFER, zeroHash, own],
      data: numberToHex(amount < 0n ? -amount : amount, { size: 32 }),
    })),
  })
}

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A run that ended: well, with nothing changed, unless said otherwise. */
export function runOf(fields: Partial<FinishedSimulation> = {}): FinishedSimulation {
  return {
    status: 'finished',
    block,
    grade: 'proved',
    hardfork: 'prague',
    otherMachine: null,
    outcome: { kind: 'success', output: '0x01' },
    call: callOf(),
    slots: [],
    restoredSlots: [],
    balances: [],
    approvals: [],
    created: [],
    destroyed: [],
    delegations: [],
    gasUsed: 60_000n,
    gasPeak: 70_000n,
    gasLimit: 16_777_216n,
    gasWanted: null,
    touched: [],
    seen: TRANSFER,
    assumed: { approvedBy: [], nonce: null, executorFunds: 0n },
    gaps: [],
    cost,
    ...fields,
  }
}

/** Such a run with what the node says of it: the same, unless said otherwise. */
export function simulated(
  fields: Partial<FinishedSimulation> = {},
  crossCheck: CrossCheck = agrees,
): SimulatedTransaction {
  return { result: runOf(fields), crossCheck, standIn: null }
}
