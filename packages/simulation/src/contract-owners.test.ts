import {
  demoAccounts,
  deployContractAccount,
  deployHostileAccount,
  deploySafe,
  testContracts,
} from '@countersign/devnet'
import { type SafeTxRun, type SimulatedCall, type SimulationResult, signedConfirmations } from '@countersign/review'
import { encodeContractSignature, hashSafeTx, newSafeTx } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { crossCheck, nodeSimulation } from './cross-check.ts'
import { simulate } from './simulate.ts'
import { readerOfLatest } from './test/chain.ts'
import { useTokenWorld } from './test/token-world.ts'

const world = useTokenWorld()
const { chainId, stranger } = world
const [first, second] = demoAccounts
const version = '1.5.0'

/** A payment of a Safe of a key and a contract, which is said to have signed with this. */
async function paymentOf(contract: Address, signed: (hash: Hex) => Promise<Hex>): Promise<SafeTxRun> {
  const owners = [first.address, contract]
  const safeAddress = await deploySafe({ rpcUrl: world.rpcUrl, chainId, version, owners, threshold: 2, saltNonce: 1n })
  await world.tellToken('mint', [safeAddress, 1_000n])
  const safeTx = newSafeTx({ nonce: 0n, to: testContracts.erc20.address, data: world.transferOf(stranger.address, 7n) })
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const given = { safeAddress, version, safeTx, owners, threshold: 2, executor: stranger.address }
  const confirmations = await signedConfirmations(
    {
      ...given,
      confirmations: [
        { owner: first.address, signature: await privateKeyToAccount(first.privateKey).sign({ hash: safeTxHash }) },
        { owner: contract, signature: encodeContractSignature(contract, await signed(safeTxHash)) },
      ],
    },
    chainId,
  )
  expect(confirmations).toHaveLength(2)
  return { kind: 'safe-transaction', ...given, confirmations }
}

async function runOf(run: SafeTxRun) {
  const result = await simulate(await readerOfLatest(world.node, chainId), run)
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  const { outcome, assumed, block } = result
  const { request } = world.node
  const check = await crossCheck(request, run, result)
  const standIn = await nodeSimulation(request, run, block)
  return {
    outcome: outcome.kind,
    assumed: assumed.approvedBy,
    asked: askedIn(result),
    check: check.status,
    standIn: standIn?.outcome,
  }
}

/** Accounts that were asked for a signature. */
function askedIn(result: SimulationResult): Address[] {
  const of = (call: SimulatedCall): Address[] => [
    ...(call.part === 'signature' && call.to ? [call.to] : []),
    ...call.calls.flatMap(of),
  ]
  return result.status === 'finished' ? of(result.call) : []
}

describe('the contract of an owner', () => {
  const good = { outcome: 'success', check: 'agrees', standIn: 'success' }

  test('default: is asked about its signature, as on the chain', async () => {
    const contract = await deployContractAccount(world.rpcUrl, first.address, second.address)
    const run = await paymentOf(contract, (hash) => privateKeyToAccount(second.privateKey).sign({ hash }))
    expect(await runOf(run)).toEqual({ ...good, assumed: [], asked: [contract] })
  })

  test('behavior: that refuses is as one that has not signed', async () => {
    const contract = await deployContractAccount(world.rpcUrl, first.address, second.address)
    const run = await paymentOf(contract, (hash) => privateKeyToAccount(first.privateKey).sign({ hash }))
    expect(await runOf(run)).toEqual({ ...good, assumed: [contract], asked: [] })
  })

  test.each(['burns all gas in a loop', 'reverts with a megabyte'] as const)(
    'behavior: that %s is as one that has not signed',
    async (manner) => {
      const contract = await deployHostileAccount(world.rpcUrl, first.address, manner)
      const run = await paymentOf(contract, async () => '0x1234')
      expect(await runOf(run)).toEqual({ ...good, assumed: [contract], asked: [] })
    },
    60_000,
  )
})
