import { addSafe, call, getTransaction } from '@countersign/contract'
import { canonicalContract, demoAccounts, deployOldSafe } from '@countersign/devnet'
import { encodeSignatures, type SafeTx, safeAbi } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { eq, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { multisigTransaction } from '../../db/schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import { actor, devnet, openChain } from '../../test/scene.ts'
import { type Asked, changing, startScriptedNode } from '../../test/scripted-node.ts'
import {
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'
import { newTxClient } from '../../test/tx-client.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const releases = ['1.0.0', '1.1.1', '1.3.0', '1.4.1', '1.5.0', '1.4.1+L2'] as const
type Release = (typeof releases)[number]

openChain()

async function deploy(release: Release): Promise<Address> {
  const owners = [alice.address]
  if (release === '1.0.0' || release === '1.1.1')
    return deployOldSafe({
      rpcUrl: devnet.rpcUrl,
      version: release,
      owners,
      threshold: 1,
      saltNonce: BigInt(Date.now()),
    })
  const version = release === '1.4.1+L2' ? '1.4.1' : release
  return newSafe(devnet.rpcUrl, { version, l2: release === '1.4.1+L2', owners, threshold: 1 })
}

const settings = (functionName: 'addOwnerWithThreshold' | 'changeThreshold', args: unknown[]) =>
  encodeFunctionData({ abi: settingsAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])

async function execution(safe: Address, release: Release, signers: number, fields: Partial<SafeTx>) {
  const version = release.replace('+L2', '')
  const signed = await Promise.all(
    [alice, bob].slice(0, signers).map((account) => signedTx(safe, account, fields, { version })),
  )
  const [first] = signed
  if (!first) throw new Error('nobody signs')
  const signatures = signed.map(({ sender, signature }) => ({ owner: sender, signature }))
  return { safeTxHash: first.safeTxHash, data: encodeExecTransaction(first.safeTx, encodeSignatures(signatures)) }
}

/** 1, then 2 by adding an owner, then 1 again: each change needs what stood before it. */
async function play(safe: Address, release: Release): Promise<Hex[]> {
  const steps: [number, Partial<SafeTx>][] = [
    [1, { to: bob.address }],
    [1, { to: safe, data: settings('addOwnerWithThreshold', [bob.address, 2n]) }],
    [2, { to: bob.address }],
    [2, { to: safe, data: settings('changeThreshold', [1n]) }],
    [1, { to: bob.address }],
  ]
  const hashes: Hex[] = []
  for (const [nonce, [signers, fields]] of steps.entries()) {
    const { safeTxHash, data } = await execution(safe, release, signers, { ...fields, nonce: BigInt(nonce) })
    await actor.send({ to: safe, data })
    hashes.push(safeTxHash)
  }
  return hashes
}

/** Reads each transaction from the wire, from our own API and from the stored confirmations. */
async function readAll(server: TestServer, safe: Address, hashes: readonly Hex[]) {
  const asAlice = await signInAs(server, alice)
  await call(asAlice, addSafe, { chainId, address: safe })
  await eventually(async () => {
    const rows = await server.db.select().from(multisigTransaction).where(eq(multisigTransaction.safeAddress, safe))
    return rows.filter(({ isExecuted }) => isExecuted).length === hashes.length
  })
  const { ask } = await newTxClient(server, asAlice)
  return Promise.all(
    hashes.map(async (safeTxHash) => {
      const { body } = await ask(`/v2/multisig-transactions/${safeTxHash}/`)
      const { transaction } = await call(asAlice, getTransaction, { chainId, safeTxHash })
      return [body.confirmationsRequired, transaction.confirmationsRequired, body.confirmations.length]
    }),
  )
}

const perNonce = (...numbers: number[]) => numbers.map((signers) => [signers, signers, signers])

describe('how many confirmations an execution needed', () => {
  test.each(releases)('default: the threshold that it began with, Safe %s', async (release) => {
    const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    try {
      const safe = await deploy(release)
      expect(await readAll(server, safe, await play(safe, release))).toEqual(perNonce(1, 1, 2, 2, 1))
    } finally {
      await server.stop()
    }
  })

  /** A node that keeps no state but the newest, from a moment on. */
  let keptFrom = 0n
  const forgetful = changing((answer, { method, params }) => {
    const [, block] = params
    const isOld = typeof block === 'string' ? block !== 'latest' && BigInt(block) < keptFrom : block !== undefined
    const isForgotten = method === 'eth_call' && isOld
    return isForgotten
      ? { ...answer, result: undefined, error: { code: -32_000, message: 'missing trie node' } }
      : answer
  })
  const forget = async () => {
    keptFrom = BigInt(String(await actor.rpc('eth_blockNumber')))
  }

  test.each(['1.3.0', '1.4.1', '1.5.0'] as const)(
    'behavior: of a node that forgot, by the history, Safe %s',
    async (release) => {
      const node = await startScriptedNode(devnet.rpcUrl, forgetful)
      const server = await startTestServer({ chains: [devnetChain(node.url)] })
      try {
        const safe = await deploy(release)
        const hashes = await play(safe, release)
        await forget()
        expect(await readAll(server, safe, hashes)).toEqual(perNonce(1, 1, 2, 2, 1))
      } finally {
        await server.stop()
        await node.close()
      }
    },
  )

  test('behavior: nothing is guessed where neither tells; readers of the wire get what was carried', async () => {
    const node = await startScriptedNode(devnet.rpcUrl, forgetful)
    const server = await startTestServer({ chains: [devnetChain(node.url)] })
    try {
      const safe = await deploy('1.1.1')
      const hashes = await play(safe, '1.1.1')
      await forget()
      const found = await readAll(server, safe, hashes)
      expect(found.map(([onWire, own]) => [onWire, own])).toEqual([
        [1, null],
        [1, null],
        [2, 2],
        [2, 2],
        [1, 1],
      ])
      // Without a change since, it is today's.
      await server.db.execute(sql`update multisig_transaction set executed_confirmations = null`)
      const again = await readAll(server, safe, hashes)
      expect(again.at(-1)).toEqual([1, 1, 1])
      expect(again[2]).toEqual([2, null, 2])
    } finally {
      await server.stop()
      await node.close()
    }
  })

  test('behavior: of a Safe whose log does not tell, many are asked for in a few exchanges', async () => {
    const MANY = 24
    const node = await startScriptedNode(devnet.rpcUrl)
    const safe = await deploy('1.4.1')
    const hashes: Hex[] = []
    for (let nonce = 0n; nonce < MANY; nonce += 1n) {
      const { safeTxHash, data } = await execution(safe, '1.4.1', 1, { to: bob.address, nonce })
      await actor.send({ to: safe, data })
      hashes.push(safeTxHash)
    }
    const server = await startTestServer({ chains: [devnetChain(node.url)] })
    try {
      expect(await readAll(server, safe, hashes)).toEqual(perNonce(...hashes.map(() => 1)))
      const data = encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' })
      const isAboutThreshold = ({ method, params: [asked, block] }: Asked) =>
        method === 'eth_call' && JSON.stringify(asked).includes(data) && block !== 'latest'
      const exchanges = node.exchanges.filter((asked) => asked.some(isAboutThreshold))
      expect(exchanges.flat().filter(isAboutThreshold).length).toBeGreaterThanOrEqual(MANY)
      expect(exchanges.length).toBeLessThan(MANY / 3)
    } finally {
      await server.stop()
      await node.close()
    }
  })

  test.each(['1.3.0', '1.4.1+L2'] as const)(
    'behavior: two in one Ethereum transaction, the first changes it, Safe %s',
    async (release) => {
      const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
      try {
        const safe = await deploy(release)
        const change = { to: safe, data: settings('addOwnerWithThreshold', [bob.address, 2n]), nonce: 0n }
        const both = [
          await execution(safe, release, 1, change),
          await execution(safe, release, 2, { to: bob.address, nonce: 1n }),
          await execution(safe, release, 2, { to: safe, data: settings('changeThreshold', [1n]), nonce: 2n }),
          await execution(safe, release, 1, { to: alice.address, nonce: 3n }),
        ]
        const to = canonicalContract('1.4.1', 'multi_send_call_only').address
        await actor.send({ to, data: encodeMultiSend(both.map(({ data }) => ({ to: safe, value: 0n, data }))) })
        const hashes = both.map(({ safeTxHash }) => safeTxHash)
        expect(await readAll(server, safe, hashes)).toEqual(perNonce(1, 2, 2, 1))
      } finally {
        await server.stop()
      }
    },
  )
})
