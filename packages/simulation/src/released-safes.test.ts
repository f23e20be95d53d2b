import { type Devnet, startDevnet } from '@countersign/devnet'
import type { FinishedSimulation, SafeTxRun } from '@countersign/review'
import { newSafeTx } from '@countersign/safe'
import { gasToOffer } from '@countersign/safe/calls'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../scripts/testing/random-tests.mjs'
import { prepareExecution } from './safe-execution.ts'
import { simulate } from './simulate.ts'
import { readerBefore, readerOfLatest, type TestNode, testNode } from './test/chain.ts'
import { approveOnChain, buildWorld, randomRun, releases, sendAndWait, type World } from './test/random-world.ts'

// Random transactions of every release are executed on a real node, whose own trace says what changed. The simulation of
// the same transaction on the state before must say the same, slot by slot and wei by wei.

const chainId = 31337
const RUNS = isSoak ? 1_000 : 48

let devnet: Devnet
let node: TestNode
const worlds: World[] = []

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  node = testNode(devnet.rpcUrl)
  for (const release of releases)
    for (const isGuarded of [false, true]) worlds.push(await buildWorld(node, devnet.rpcUrl, release, isGuarded))
})
afterAll(() => devnet?.close())

type Account = { balance?: Hex; nonce?: number | Hex; code?: Hex; storage?: Record<Hex, Hex> }
type Difference = { pre: Record<Address, Account>; post: Record<Address, Account> }

describe('a random transaction of any release', () => {
  test(`changes on the chain what its simulation says: ${RUNS} of them`, async () => {
    const pick = createRandomInt()
    const seen = { success: 0, 'inner-failure': 0, reverted: 0 }
    for (let at = 0; at < RUNS; at += 1) {
      const world = worlds[at % worlds.length]
      if (!world) throw new Error('There is no world.')
      const run = await randomRun(world, pick)
      const snapshot = await node.request({ method: 'evm_snapshot' })
      const hash = await execute(run)
      const { expected, simulated, result } = await compared(run, hash)
      expect({ at, release: world.release, safeTx: run.safeTx, ...simulated }).toEqual({
        at,
        release: world.release,
        safeTx: run.safeTx,
        ...expected,
      })
      seen[result.outcome.kind] += 1
      await node.request({ method: 'evm_revert', params: [snapshot] })
    }
    // A sample in which all fail, or none, would prove little.
    expect(seen.success).toBeGreaterThan(RUNS / 8)
    expect(seen.reverted + seen['inner-failure']).toBeGreaterThan(RUNS / 16)
  }, 3_600_000)
})

describe('the gas that is offered', () => {
  test.each([...releases])(
    'is enough for a Safe %s, also where it is told to keep much for its call',
    async (release) => {
      const world = worlds.find((built) => built.release === release)
      if (!world) throw new Error('There is no world.')
      for (const safeTxGas of [0n, 20_000n, 2_000_000n]) {
        const pick = createRandomInt()
        const { gas: _, gasPrice: __, ...any } = await randomRun(world, pick)
        const safeTx = newSafeTx({ to: any.executor, nonce: world.nonce, safeTxGas })
        const run: SafeTxRun = { ...any, safeTx, confirmations: [] }
        const result = await simulate(await readerOfLatest(node, chainId), run)
        if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
        const gas = gasToOffer(result.gasPeak, { signatures: run.threshold, safeTxGas })
        const snapshot = await node.request({ method: 'evm_snapshot' })
        const hash = await execute({ ...run, gas, gasPrice: 3_000_000_000n })
        const receipt = await node.request({ method: 'eth_getTransactionReceipt', params: [hash] })
        expect(receipt).toMatchObject({ status: '0x1' })
        await node.request({ method: 'evm_revert', params: [snapshot] })
      }
    },
  )
})

async function execute(run: SafeTxRun): Promise<Hex> {
  const execution = prepareExecution(run, chainId)
  await approveOnChain(node, run, execution.approvedBy)
  await node.request({ method: 'evm_mine' })
  return sendAndWait(node, {
    from: run.executor,
    to: run.safeAddress,
    data: execution.data,
    gas: numberToHex(run.gas ?? 0n),
    gasPrice: numberToHex(run.gasPrice ?? 0n),
  })
}

async function compared(run: SafeTxRun, hash: Hex) {
  const [receipt, difference] = (await Promise.all([
    node.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
    node.request({
      method: 'debug_traceTransaction',
      params: [hash, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }],
    }),
  ])) as [{ status: Hex; gasUsed: Hex; blockNumber: Hex }, Difference]
  const reader = await readerBefore(node, chainId, BigInt(receipt.blockNumber))
  const result = await simulate(reader, run)
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  const approvals = new Set(prepareExecution(run, chainId).hints[0]?.slots.slice(7))
  return {
    result,
    expected: {
      isReverted: receipt.status === '0x0',
      gasUsed: BigInt(receipt.gasUsed),
      slots: slotsOfNode(difference).filter((line) => !isApproval(line, run, approvals)),
      balances: balancesOfNode(difference, reader.header.coinbase),
    },
    simulated: {
      isReverted: result.outcome.kind === 'reverted',
      gasUsed: result.gasUsed,
      slots: result.slots
        .map(({ account, slot, before, after }) => line(account, slot, before, after))
        .filter((change) => !isApproval(change, run, approvals))
        .sort(),
      balances: balancesOf(result, reader.header.coinbase),
    },
  }
}

/** Approvals that were put on the chain for the test are used up there before 1.3.0; the simulation only assumed them. */
function isApproval(text: string, { safeAddress, version }: SafeTxRun, slots: Set<Hex>): boolean {
  const [account, slot] = text.split(' ')
  return version < '1.3.0' && account === safeAddress.toLowerCase() && slots.has(slot as Hex)
}

function slotsOfNode({ pre, post }: Difference): string[] {
  const lines: string[] = []
  for (const account of new Set([...Object.keys(pre), ...Object.keys(post)]) as Set<Address>) {
    const [before, after] = [pre[account]?.storage ?? {}, post[account]?.storage ?? {}]
    for (const slot of new Set([...Object.keys(before), ...Object.keys(after)]) as Set<Hex>)
      lines.push(line(account, slot, before[slot], after[slot]))
  }
  return lines.filter((change) => !/ (0x\w+) \1$/.test(change)).sort()
}

function balancesOfNode({ pre, post }: Difference, coinbase: Address): string[] {
  const all = new Set([...Object.keys(pre), ...Object.keys(post)]) as Set<Address>
  return [...all]
    .flatMap((account) => {
      const before = BigInt(pre[account]?.balance ?? 0)
      const after = post[account] === undefined ? 0n : BigInt(post[account]?.balance ?? before)
      return before === after || account.toLowerCase() === coinbase.toLowerCase()
        ? []
        : [`${account.toLowerCase()} ${before} ${after}`]
    })
    .sort()
}

function balancesOf({ balances }: FinishedSimulation, coinbase: Address): string[] {
  return balances
    .filter(({ standard, account }) => standard === 'native' && account.toLowerCase() !== coinbase.toLowerCase())
    .map(({ account, before, after }) => `${account.toLowerCase()} ${before} ${after}`)
    .sort()
}

function line(account: Address, slot: Hex, before: Hex = '0x0', after: Hex = '0x0'): string {
  const word = (value: Hex) => numberToHex(BigInt(value), { size: 32 })
  return `${account.toLowerCase()} ${word(slot)} ${word(before)} ${word(after)}`
}
