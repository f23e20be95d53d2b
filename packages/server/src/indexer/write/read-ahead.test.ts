import { addSafe, call, proposeTransaction } from '@countersign/contract'
import { type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import { encodeApprovedHash } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainSettings } from '../../config/chains.ts'
import { chainCursor, confirmation, safe } from '../../db/schema.ts'
import { type Actor, createActor, settingsAbi } from '../../test/safe-actor.ts'
import { honest, refusing, type ScriptedNode, startScriptedNode } from '../../test/scripted-node.ts'
import {
  type Browser,
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

let devnet: Devnet
let actor: Actor
let node: ScriptedNode
let server: TestServer
let asAlice: Browser
let safeAddress: Address

beforeEach(async () => {
  devnet = await startDevnet({ port: 0 })
  actor = createActor(devnet.rpcUrl)
  node = await startScriptedNode(devnet.rpcUrl)
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
})
afterEach(async () => {
  await server?.stop()
  await node?.close()
  await devnet?.close()
})

/** A server that follows a Safe up to the newest block, and goes no further: the node refuses logs from then on. */
async function startAndHold(settings: Partial<ChainSettings>): Promise<void> {
  server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false, ...settings }] })
  asAlice = await signInAs(server, alice)
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  await untilSettled()
  node.play(refusing(({ method }) => method === 'eth_getLogs', { code: -32000, message: 'not now' }))
}

async function untilSettled(): Promise<void> {
  await eventually(async () => {
    const [cursor] = await server.db.select().from(chainCursor)
    const { rows } = await server.db.execute(`
      select 1 from safe where backfill_block is not null or is_stale or block_hash is not null
      union select 1 from confirmation where verified_block_hash is not null`)
    return cursor?.blockNumber === Number(await actor.rpc('eth_blockNumber')) && rows.length === 0
  })
}

async function ownersKept(): Promise<readonly Address[] | undefined> {
  const [row] = await server.db.select().from(safe).where(eq(safe.address, safeAddress))
  return row?.owners
}

function addBob() {
  const args = [bob.address, 1n] as const
  const data = encodeFunctionData({ abi: settingsAbi, functionName: 'addOwnerWithThreshold', args })
  return actor.execute(safeAddress, { to: safeAddress, data })
}

describe('what was read ahead of the follower', () => {
  test.each(['tracked', 'whole-chain'] as const)(
    'behavior: a Safe is read again when its block is lost, %s',
    async (index) => {
      await startAndHold({ index })
      const snapshot = await actor.rpc('evm_snapshot')
      await addBob()
      await call(asAlice, addSafe, { chainId, address: safeAddress })
      expect(await ownersKept()).toEqual([bob.address, alice.address])
      await actor.revert(snapshot)
      await actor.rpc('anvil_mine', '0x3', '0x20')
      expect(await ownersKept()).toEqual([bob.address, alice.address])
      node.play(honest)
      await untilSettled()
      expect(await ownersKept()).toEqual([alice.address])
      // It was behind: nothing that was followed is lost.
      expect(server.logged.join('')).not.toContain('the chain was reorganised')
    },
  )

  test('behavior: the same where the block is further back than the hashes that are kept', async () => {
    await startAndHold({})
    const snapshot = await actor.rpc('evm_snapshot')
    await addBob()
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.revert(snapshot)
    await actor.rpc('anvil_mine', '0x100', '0x20')
    node.play(honest)
    await untilSettled()
    expect(await ownersKept()).toEqual([alice.address])
  })

  test('behavior: and where the devnet has no such block any more', async () => {
    await startAndHold({ isDevnet: true })
    const snapshot = await actor.rpc('evm_snapshot')
    await addBob()
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.revert(snapshot)
    node.play(honest)
    await untilSettled()
    expect(await ownersKept()).toEqual([alice.address])
  })

  test('behavior: an approval is taken back with its block, and stays with it', async () => {
    await startAndHold({})
    const approve = async (nonce: bigint) => {
      const { safeTx, safeTxHash } = await signedTx(safeAddress, alice, { to: bob.address, nonce })
      const data = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [safeTxHash] })
      await actor.send({ from: alice.address, to: safeAddress, data })
      const signature = encodeApprovedHash(alice.address)
      await call(asAlice, proposeTransaction, {
        chainId,
        safeAddress,
        safeTx,
        safeTxHash,
        sender: alice.address,
        signature,
      })
      return safeTxHash
    }
    const kept = await approve(0n)
    const snapshot = await actor.rpc('evm_snapshot')
    const lost = await approve(1n)
    await actor.revert(snapshot)
    await actor.rpc('anvil_mine', '0x3', '0x20')
    node.play(honest)
    await untilSettled()
    const rows = await server.db.select().from(confirmation)
    expect(rows.map(({ safeTxHash, owner }) => [safeTxHash, owner])).toEqual([[kept, alice.address]])
    expect(rows).not.toContainEqual(expect.objectContaining({ safeTxHash: lost }))
  })

  test('behavior: a node that lags does not say how a Safe is', async () => {
    await startAndHold({})
    const old: unknown = await actor.rpc('eth_getBlockByNumber', 'latest', false)
    await addBob()
    // Logs and headers of the newest block, and the state of the one before: two nodes behind one URL.
    let isOld = false
    node.play(async (asked, truth) => {
      const answers = await truth()
      if (asked.some(({ method }) => method === 'eth_getLogs')) isOld = true
      return answers.map((answer) =>
        isOld &&
        asked.some(
          ({ id, method, params }) => id === answer.id && method === 'eth_getBlockByNumber' && params[0] === 'latest',
        )
          ? { ...answer, result: old }
          : answer,
      )
    })
    await eventually(
      async () =>
        isOld &&
        (await server.db.select().from(chainCursor))[0]?.blockNumber === Number(await actor.rpc('eth_blockNumber')),
    )
    const { rows } = await server.db.execute('select is_stale from safe')
    expect(rows).toEqual([{ is_stale: true }])
    node.play(honest)
    await untilSettled()
    expect(await ownersKept()).toEqual([bob.address, alice.address])
  })
})
