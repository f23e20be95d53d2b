import { addSafe, call, listHistory } from '@countersign/contract'
import { demoAccounts, deployContractAccount, testContractAbi } from '@countersign/devnet'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { historyEntry } from '../../db/schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import { actor, devnet, openChain } from '../../test/scene.ts'
import { startScriptedNode } from '../../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer } from '../../test/test-server.ts'
import { newTxClient } from '../../test/tx-client.ts'
import { wireSchemas } from '../../tx-service/wire/answer-schemas.ts'

const [alice, bob, carol] = demoAccounts
const sender = demoAccounts[8].address
const chainId = 31337

/** A contract that does what carol says, as a module. */
let module: Address

openChain()

beforeAll(async () => {
  module = await deployContractAccount(devnet.rpcUrl, sender, carol.address)
})

const byModule = (to: Address, value: bigint, data: Hex = '0x') =>
  encodeFunctionData({ abi: settingsAbi, functionName: 'execTransactionFromModule', args: [to, value, data, 0] })

/** A Safe with a contract and carol herself as modules, each of which sends some coin of it to bob. */
async function play(version: '1.3.0' | '1.4.1' | '1.5.0'): Promise<{ safe: Address; byContract: Hex; byKey: Hex }> {
  const safe = await newSafe(devnet.rpcUrl, { version, l2: false, owners: [alice.address], threshold: 1 })
  await actor.send({ to: safe, value: 100n })
  for (const account of [module, carol.address])
    await actor.execute(
      safe,
      { to: safe, data: encodeFunctionData({ abi: settingsAbi, functionName: 'enableModule', args: [account] }) },
      version,
    )
  const data = encodeFunctionData({
    abi: testContractAbi('ContractAccount'),
    functionName: 'execute',
    args: [safe, 0n, byModule(bob.address, 3n)],
  })
  const byContract = await actor.send({ from: carol.address, to: module, data })
  const byKey = await actor.send({ from: carol.address, to: safe, data: byModule(bob.address, 4n) })
  return { safe, byContract, byKey }
}

describe('what a module had a Safe execute that does not say so itself', () => {
  test.each(['1.3.0', '1.4.1', '1.5.0'] as const)('default: is read from the trace, Safe %s', async (version) => {
    const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    try {
      const { safe, byContract, byKey } = await play(version)
      const asAlice = await signInAs(server, alice)
      await call(asAlice, addSafe, { chainId, address: safe })
      const { ask } = await newTxClient(server, asAlice)
      const rows = await eventually(async () => {
        const { body } = await ask(`/v1/safes/${safe}/module-transactions/`)
        return body.count === 2 && body.results
      })
      expect(rows).toMatchObject([
        { module: carol.address, to: bob.address, value: '4', data: null, operation: 0, transactionHash: byKey },
        { module, to: bob.address, value: '3', data: null, operation: 0, transactionHash: byContract },
      ])
      const { entries } = await call(asAlice, listHistory, { chainId, safeAddress: safe })
      const out = entries.filter(({ kind }) => kind === 'transfer-out')
      expect(out.map(({ amount, transactionHash }) => [amount, transactionHash])).toEqual([
        [4n, byKey],
        [3n, byContract],
      ])
      expect(entries.filter(({ kind }) => kind.startsWith('unexplained'))).toEqual([])
    } finally {
      await server.stop()
    }
  })

  test('behavior: without traces, of a key alone; of a contract our own API says that it was, the wire nothing', async () => {
    const node = await startScriptedNode(devnet.rpcUrl, async (asked, truth) =>
      asked.some(({ method }) => method.startsWith('debug_'))
        ? { status: 403, text: '{"error":"not on your plan"}' }
        : truth(),
    )
    const server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false }] })
    try {
      const { safe, byContract, byKey } = await play('1.4.1')
      const asAlice = await signInAs(server, alice)
      await call(asAlice, addSafe, { chainId, address: safe })
      const { ask } = await newTxClient(server, asAlice)
      const rows = await eventually(async () => {
        const { body } = await ask(`/v1/safes/${safe}/module-transactions/`)
        return body.count === 1 && wireSchemas.ModuleTransactions.parse(body).results
      })
      expect(rows).toMatchObject([{ to: bob.address, value: '4', operation: 0, transactionHash: byKey }])
      const { entries } = await call(asAlice, listHistory, { chainId, safeAddress: safe })
      const of = eq(historyEntry.transactionHash, byContract)
      const [stored] = await server.db.select().from(historyEntry).where(of)
      const id = `i${byContract.slice(2)}${stored?.logIndex},0`
      expect(await ask(`/v1/module-transaction/${id}/`)).toMatchObject({ status: 404 })
      const { body } = await ask(`/v2/safes/${safe}/all-transactions/`)
      expect(wireSchemas.TransactionsV2.parse(body).results).toContainEqual(
        expect.objectContaining({
          txType: 'ETHEREUM_TRANSACTION',
          txHash: byContract,
          from: carol.address,
          to: module,
        }),
      )
      expect(entries.filter(({ kind }) => kind === 'module-executed')).toHaveLength(2)
    } finally {
      await server.stop()
      await node.close()
    }
  })
})
