import {
  type Devnet,
  demoAccounts,
  deploySafe,
  requestNode,
  startDevnet,
  testContractAbi,
  testContracts,
} from '@countersign/devnet'
import { digestState, type FinishedSimulation, newSafeTx, type SafeTxRun } from '@countersign/safe-core'
import { type Address, encodeFunctionData, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { readerOfLatest, type TestNode, testNode } from './test/chain.ts'

const chainId = 31337
const [first, second, recipient, other] = demoAccounts
const token = testContracts.erc20.address
const abi = testContractAbi('TestErc20')
let devnet: Devnet
let node: TestNode
let safeAddress: Address

const mint = async (to: Address) => {
  const data = encodeFunctionData({ abi, functionName: 'mint', args: [to, 500n] })
  await requestNode(devnet.rpcUrl, 'eth_sendTransaction', { from: demoAccounts[9].address, to: token, data })
  await requestNode(devnet.rpcUrl, 'evm_mine')
}

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  node = testNode(devnet.rpcUrl)
  const { rpcUrl } = devnet
  const owners = [first.address, second.address]
  safeAddress = await deploySafe({ rpcUrl, chainId, version: '1.4.1', owners, threshold: 2, saltNonce: 83n })
  await mint(safeAddress)
})
afterAll(() => devnet?.close())

async function run(): Promise<FinishedSimulation> {
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [recipient.address, 7n] })
  const what: SafeTxRun = {
    ...{ kind: 'safe-transaction', safeAddress, version: '1.4.1', threshold: 2, confirmations: [] },
    owners: [first.address, second.address],
    ...{ safeTx: newSafeTx({ to: token, data, nonce: 0n }), executor: demoAccounts[8].address },
  }
  const result = await simulate(await readerOfLatest(node, chainId), what)
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  return result
}

/** The digest of what a run has used, as it is in the newest block. */
async function digestNow({ touched }: FinishedSimulation) {
  const reader = await readerOfLatest(node, chainId)
  const accounts = touched.map(({ address, slots }) => ({ address, withAccount: true, slots }))
  const answers = await reader.read({ accounts, blockNumbers: [] })
  return digestState(
    answers.accounts.map(({ address, account, slots }) => ({
      ...{ address, slots, nonce: account?.nonce ?? 0n, balance: account?.balance ?? 0n },
      codeHash: keccak256(account?.code ?? '0x'),
    })),
  )
}

test('what a run has seen stays the same while others move, and is different once an account of the run moves', async () => {
  const result = await run()
  expect(await digestNow(result)).toBe(result.seen)
  await mint(other.address)
  // The supply of the token is a slot that no transfer reads.
  expect(await digestNow(result)).toBe(result.seen)
  await mint(recipient.address)
  const now = await digestNow(result)
  expect(now).not.toBe(result.seen)
  expect((await run()).seen).toBe(now)
})
