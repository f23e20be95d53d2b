import { setTimeout as sleep } from 'node:timers/promises'
import { addDelegate, addSafe, call, confirmTransaction, inviteViewer, proposeTransaction } from '@countersign/contract'
import { type Devnet, startDevnet } from '@countersign/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alice, bob, chainId, stranger } from '../test/scene.ts'
import { honest, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import {
  codeOf,
  devnetChain,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'

let devnet: Devnet
let node: ScriptedNode
let server: TestServer
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  node = await startScriptedNode(devnet.rpcUrl)
  server = await startTestServer({ chains: [devnetChain(node.url)], hasRateLimits: false })
})
afterAll(async () => {
  await server?.stop()
  await node?.close()
  await devnet?.close()
})

/** So that what is known of the last one does not count. */
async function mineBlock(): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine' })
  await fetch(devnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

/** Just short of what one question may take. */
const ALMOST_MS = 3_000

describe('chainsOfOneRequest', () => {
  test('error: CHAIN_UNREACHABLE for every write that a node keeps waiting at each step, once for all steps', async () => {
    const [asAlice, asBob] = await Promise.all([signInAs(server, alice), signInAs(server, bob)])
    const client = await newTxClient(server, asBob)
    const safes = await Promise.all([newSafe(devnet.rpcUrl), newSafe(devnet.rpcUrl)])
    const [safeAddress, other] = safes
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const [first, second] = [await signedTx(safeAddress, alice), await signedTx(safeAddress, bob, { nonce: 1n })]
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...first })
    const { signature } = await signedTx(safeAddress, bob)
    await mineBlock()
    node.play(async (_, truth) => {
      await sleep(ALMOST_MS)
      return truth()
    })
    const proposal = Object.fromEntries(Object.entries(second.safeTx).map(([name, value]) => [name, String(value)]))
    const wire = { ...proposal, operation: 0, contractTransactionHash: second.safeTxHash, sender: bob.address }
    const wirePath = `/v1/safes/${safeAddress}/multisig-transactions/`
    const delegation = { chainId, safeAddress, label: 'E', expiryDate: null }
    // All steps of each are answered in time, and together too late.
    const codes = await Promise.all([
      codeOf(call(asAlice, addSafe, { chainId, address: other })),
      codeOf(call(asBob, proposeTransaction, { chainId, safeAddress, ...second })),
      codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash: first.safeTxHash, signature })),
      codeOf(call(asAlice, inviteViewer, { chainId, safeAddress, account: stranger.address, label: 'Eve' })),
      codeOf(call(asAlice, addDelegate, { ...delegation, delegate: stranger.address })),
      client
        .post(wirePath, { ...wire, signature: second.signature })
        .then(({ status }) => (status === 503 ? 'CHAIN_UNREACHABLE' : status)),
    ])
    node.play(honest)
    expect(codes).toEqual(codes.map(() => 'CHAIN_UNREACHABLE'))
  })
})
