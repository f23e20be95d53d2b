import { demoAccounts } from '@countersign/devnet'
import type { SafeTxRun, StateReader } from '@countersign/review'
import { hashSafeTx, newSafeTx } from '@countersign/safe'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { expectedReads } from './safe-execution.ts'
import { simulate } from './simulate.ts'
import { readerOfLatest } from './test/chain.ts'
import { useTokenWorld } from './test/token-world.ts'

const world = useTokenWorld()
const { chainId } = world
let safeAddress: Address

beforeAll(async () => {
  safeAddress = await world.deployFunded('1.4.1', 84n, 500n)
})

/** Every account and slot that a run asks for, in the rounds in which it asks. */
async function roundsOf(what: SafeTxRun): Promise<{ rounds: Set<string>[]; reader: StateReader }> {
  const reader = await readerOfLatest(world.node, chainId)
  const rounds: Set<string>[] = []
  const counted: StateReader = {
    ...reader,
    read: (questions) => {
      rounds.push(new Set(questions.accounts.flatMap(partsOf)))
      return reader.read(questions)
    },
  }
  const { status } = await simulate(counted, what)
  expect(status).toBe('finished')
  return { rounds, reader }
}

function partsOf({ address, slots }: { address: string; slots: readonly string[] }): string[] {
  return ['account', ...slots].map((part) => `${address} ${part}`.toLowerCase())
}

const payment = (): SafeTxRun => ({
  kind: 'safe-transaction',
  safeAddress,
  version: '1.4.1',
  threshold: 2,
  confirmations: [],
  owners: world.owners.map(({ address }) => address),
  safeTx: newSafeTx({ to: demoAccounts[3].address, value: 1n, nonce: 0n }),
  executor: demoAccounts[8].address,
})

test('a payment asks for nothing first but what was expected, and afterwards for little', async () => {
  const what = payment()
  const { rounds, reader } = await roundsOf(what)
  const expected = new Set(expectedReads(what, reader).flatMap(partsOf))
  expect(expected.size).toBeGreaterThan(8)
  expect(rounds[0]).toEqual(expected)
})

test('a signature of a key has the precompile read with the rest', async () => {
  const unsigned = payment()
  const { safeTxHash } = hashSafeTx({ chainId, ...unsigned })
  const signature = await privateKeyToAccount(demoAccounts[0].privateKey).sign({ hash: safeTxHash })
  const what = { ...unsigned, confirmations: [{ owner: demoAccounts[0].address, signature }] }
  const { rounds, reader } = await roundsOf(what)
  const expected = new Set(expectedReads(what, reader).flatMap(partsOf))
  expect(expected).toContain('0x0000000000000000000000000000000000000001 account')
  expect(rounds[0]).toEqual(expected)
  // Only the singleton, which the proxy names.
  expect(rounds.slice(1).map(({ size }) => size)).toEqual([1])
})
