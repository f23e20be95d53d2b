import { type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import { type FinishedSimulation, reviewSubject, type SafeTxRun } from '@countersign/review'
import {
  type CreationCall,
  describeUndeployedSafe,
  encodeCreateProxy,
  encodeProxyCreation,
  encodeSetup,
  encodeSetupToL2,
  newSafeTx,
  officialDeployment,
  predictSafeAddress,
  readSafeState,
  type SafeState,
  type SafeTx,
  safeAbi,
} from '@countersign/safe'
import { type Address, encodeFunctionData, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crossCheck } from './cross-check.ts'
import { simulate } from './simulate.ts'
import { readerOfLatest, type TestNode, testNode } from './test/chain.ts'
import { sendAndWait } from './test/random-world.ts'

// A Safe that is not on the chain is read from its creation, and its first transaction is run behind that. Then it is really
// created: the Safe that is there, and the same transaction run on it, must be the same.

const chainId = 31337
const owners = [demoAccounts[1].address, demoAccounts[2].address, demoAccounts[3].address]
const executor = demoAccounts[8].address

let devnet: Devnet
let node: TestNode
let salt = 0n

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  node = testNode(devnet.rpcUrl)
})
afterAll(() => devnet?.close())

type Made = { safeAddress: Address; creation: CreationCall }

function made(version: '1.3.0' | '1.4.1' | '1.5.0', isL2 = true): Made {
  salt += 1n
  const safe = { version, isL2, owners, threshold: 2, saltNonce: salt }
  const { to: factory, data } = encodeCreateProxy(safe)
  return { safeAddress: predictSafeAddress(safe), creation: { factory, data } }
}

/** The singleton of layer 1, which the set-up exchanges for that of layer 2. */
function movedAtSetup(version: '1.4.1' | '1.5.0'): Made {
  salt += 1n
  const of = (kind: 'singleton' | 'factory' | 'handler') => officialDeployment(kind, version)?.address ?? zeroAddress
  const setup = { owners, threshold: 2, fallbackHandler: of('handler'), ...encodeSetupToL2(version) }
  const data = encodeProxyCreation({
    method: 'createProxyWithNonce',
    singleton: of('singleton'),
    initializer: encodeSetup(setup, version),
    saltNonce: salt,
    callback: null,
  })
  const creation = { factory: of('factory'), data }
  return { safeAddress: describeUndeployedSafe(creation, chainId).address, creation }
}

function runOf(state: SafeState, safeTx: SafeTx): SafeTxRun {
  const { address: safeAddress, owners, threshold, version, creation } = state
  if (version === null) throw new Error('The version is not known.')
  const run = { kind: 'safe-transaction', safeAddress, version, owners, threshold, safeTx, executor } as const
  return { ...run, confirmations: [], ...(creation ? { creation } : {}) }
}

async function simulated(state: SafeState, safeTx: SafeTx): Promise<FinishedSimulation> {
  const run = runOf(state, safeTx)
  const result = await simulate(await readerOfLatest(node, chainId), run)
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  expect(await crossCheck(node.request, run, result)).toMatchObject({ status: 'agrees' })
  return result
}

/** Picks what a run says that does not depend on the block. */
function told({ outcome, slots, balances, approvals, gasUsed, gaps, assumed }: FinishedSimulation) {
  return { outcome: outcome.kind, slots, balances, approvals, gasUsed, gaps, assumed }
}

const cases: [string, () => Made][] = [
  ['1.3.0', () => made('1.3.0')],
  ['1.4.1', () => made('1.4.1')],
  ['1.5.0', () => made('1.5.0')],
  ['1.4.1 of layer 1', () => made('1.4.1', false)],
  ['1.4.1, moved to layer 2 at set-up', () => movedAtSetup('1.4.1')],
  ['1.5.0, moved to layer 2 at set-up', () => movedAtSetup('1.5.0')],
]

describe('a Safe that is not on the chain', () => {
  test.each(cases)('is what is there after its creation, and runs the same: %s', async (_, make) => {
    const { safeAddress, creation } = make()
    const value = 10n ** 18n
    await sendAndWait(node, { from: executor, to: safeAddress, value: numberToHex(value) })
    const read = () => readSafeState(node.request, safeAddress, chainId, { creation })
    const before = await read()
    expect(before).toMatchObject({ owners, threshold: 2, nonce: 0n, balance: value, creation })
    const abi = safeAbi
    const settings = encodeFunctionData({ abi, functionName: 'addOwnerWithThreshold', args: [executor, 3n] })
    const transactions = [
      newSafeTx({ to: demoAccounts[9].address, value: 4n * 10n ** 17n, nonce: 0n }),
      newSafeTx({ to: safeAddress, data: settings, nonce: 0n }),
      newSafeTx({ to: demoAccounts[9].address, value: 2n * value, safeTxGas: 50_000n, nonce: 0n }),
      newSafeTx({ to: demoAccounts[9].address, value: 1n, nonce: 3n }),
    ]
    const runs: FinishedSimulation[] = []
    for (const safeTx of transactions) {
      const run = await simulated(before, safeTx)
      runs.push(run)
      expect(run.activated?.slots.length).toBeGreaterThan(7)
      const review = await reviewSubject({
        kind: 'transaction',
        chainId,
        safeAddress,
        safeTx,
        state: before,
        account: executor,
        origin: null,
        claimedHash: null,
        confirmations: [],
        others: [],
        tokens: [],
        nodeChainId: chainId,
        simulation: { result: run, crossCheck: { status: 'unasked', reason: 'test' }, standIn: null },
      })
      const ids = review.findings.map(({ id }) => id)
      expect(ids).toContain('NOT-DEPLOYED')
      for (const id of ['STATE-DIFFERS', 'CRIT-SLOT-UNEXPLAINED', 'SETTINGS-NOT-CHANGED'] as const)
        expect(ids).not.toContain(id)
    }
    expect(runs.map(({ outcome }) => outcome.kind)).toEqual(['success', 'success', 'inner-failure', 'success'])

    await sendAndWait(node, { from: executor, to: creation.factory, data: creation.data })
    const { creation: kept, blockNumber: _before, ...expected } = before
    const { blockNumber: _after, ...there } = await read()
    expect(kept).toBeDefined()
    expect(there).toEqual(expected)
    for (const [at, safeTx] of transactions.entries()) {
      const { slots: after, ...onChain } = told(await simulated({ ...before, creation: undefined }, safeTx))
      const { slots, ...first } = told(runs[at] as FinishedSimulation)
      // Coin of the executor and of the producer of the block depends on the price of the gas.
      const settled = ({ balances }: Pick<FinishedSimulation, 'balances'>) =>
        balances.filter(({ account }) => account === safeAddress || account === demoAccounts[9].address)
      expect({ ...first, balances: settled(first) }).toEqual({ ...onChain, balances: settled(onChain) })
      expect(slots).toEqual(after)
    }
  })

  test('is not run where its creation fails, or makes another', async () => {
    const { safeAddress, creation } = made('1.4.1')
    const state = await readSafeState(node.request, safeAddress, chainId, { creation })
    const safeTx = newSafeTx({ to: executor, nonce: 0n })
    for (const wrong of [
      made('1.4.1').creation,
      { ...creation, data: `${creation.data.slice(0, 74)}00` } as CreationCall,
    ]) {
      const result = await simulate(await readerOfLatest(node, chainId), { ...runOf(state, safeTx), creation: wrong })
      expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'creation' } })
    }
  })
})
