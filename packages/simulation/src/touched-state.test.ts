import { demoAccounts } from '@countersign/devnet'
import { digestState, type FinishedSimulation, type SafeTxRun } from '@countersign/review'
import { newSafeTx } from '@countersign/safe'
import { type Address, keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { readerOfLatest } from './test/chain.ts'
import { useTokenWorld } from './test/token-world.ts'

const [, , , recipient, other] = demoAccounts
const world = useTokenWorld()
const { chainId, token } = world
const mint = (to: Address) => world.tellToken('mint', [to, 500n])
let safeAddress: Address

beforeAll(async () => {
  safeAddress = await world.deployFunded('1.4.1', 83n, 500n)
})

async function run(): Promise<FinishedSimulation> {
  const data = world.transferOf(recipient.address, 7n)
  const what: SafeTxRun = {
    kind: 'safe-transaction',
    safeAddress,
    version: '1.4.1',
    threshold: 2,
    confirmations: [],
    owners: world.owners.map(({ address }) => address),
    safeTx: newSafeTx({ to: token, data, nonce: 0n }),
    executor: demoAccounts[8].address,
  }
  const result = await simulate(await readerOfLatest(world.node, chainId), what)
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  return result
}

/** The digest of what a run has used, as it is in the newest block. */
async function digestNow({ touched }: FinishedSimulation) {
  const reader = await readerOfLatest(world.node, chainId)
  const accounts = touched.map(({ address, slots }) => ({ address, withAccount: true, slots }))
  const answers = await reader.read({ accounts, blockNumbers: [] })
  return digestState(
    answers.accounts.map(({ address, account, slots }) => ({
      address,
      slots,
      nonce: account?.nonce ?? 0n,
      balance: account?.balance ?? 0n,
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
