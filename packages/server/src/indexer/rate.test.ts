import { addSafe, call } from '@countersign/contract'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historyEntry, safe } from '../db/schema.ts'
import { playing, providers } from '../test/providers.ts'
import { actor, alice, chainId, devnet, openChain } from '../test/scene.ts'
import { type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'

openChain()

const EXECUTIONS = 120

let node: ScriptedNode
let server: TestServer
let refused = 0

beforeAll(async () => {
  const head = async () => Number(await actor.rpc('eth_blockNumber'))
  const limited = playing(() => providers['limits the rate'], head)
  node = await startScriptedNode(devnet.rpcUrl, async (asked, truth) => {
    const reply = await limited(asked, truth)
    if (!Array.isArray(reply)) refused += 1
    return reply
  })
})
afterAll(async () => {
  await server?.stop()
  await node?.close()
})

test('behavior: a range whose executions take more questions than a node answers in a second is read once', async () => {
  const address = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  for (let at = 0; at < EXECUTIONS; at += 1) await actor.execute(address, { to: alice.address })
  server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false }], hasRateLimits: false })
  const browser = await signInAs(server, alice)
  await eventually(() => call(browser, addSafe, { chainId, address }).catch(() => null))
  await eventually(async () => {
    const [row] = await server.db.select().from(safe).where(eq(safe.address, address))
    return row?.backfillBlock === null
  })
  expect(await server.db.$count(historyEntry, eq(historyEntry.kind, 'executed'))).toBe(EXECUTIONS)
  const calls = node.exchanges.flat().filter(({ method }) => method === 'eth_getTransactionByHash')
  // Those of a batch that was put off are asked for once more, and never all of them anew.
  expect(calls.length).toBeLessThan(EXECUTIONS * 2.5)
  expect(refused / node.exchanges.length).toBeLessThan(0.2)
})
