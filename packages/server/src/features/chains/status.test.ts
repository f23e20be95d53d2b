import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addSafe, call, listChainStatus, listOutboundHosts } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { chainCursor, nodeLimit } from '../../db/schema.ts'
import { actor, asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { honest, startScriptedNode } from '../../test/scripted-node.ts'
import { type Browser, devnetChain, eventually, newSafe, signInAs, startTestServer } from '../../test/test-server.ts'

const [alice, , , , stranger] = demoAccounts
const chainId = 31337

openScene([alice])

async function statusOf(browser: Browser) {
  const { chains } = await call(browser, listChainStatus, {})
  const [status] = chains
  if (!status) throw new Error('unreachable')
  return status
}

describe('listChainStatus', () => {
  test('default: cursor and head, nothing left, nothing wrong', async () => {
    await actor.rpc('anvil_mine', '0x3')
    const head = Number(await actor.rpc('eth_blockNumber'))
    const status = await eventually(async () => {
      const found = await statusOf(asAlice)
      return found.cursor?.blockNumber === head && found.lag?.blocks === 0 && found
    })
    expect(status).toEqual({
      chainId,
      node: 'ok',
      index: 'tracked',
      cursor: { blockNumber: head, time: expect.any(String) },
      head: { blockNumber: head, time: status.cursor?.time, readAt: expect.any(String) },
      lag: { blocks: 0, seconds: 0 },
      backfill: null,
      ofNamedTokens: null,
      discovery: null,
      stoppedAt: null,
      disagreement: null,
      failure: null,
      nodes: [{ name: new URL(devnet.rpcUrl).host, limits: [] }],
    })
  })

  test('behavior: history that is still to be read is counted', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl)
    const quiet = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    try {
      const browser = await signInAs(quiet, alice)
      await eventually(async () => (await statusOf(browser)).lag?.blocks === 0)
      await quiet.db.update(chainCursor).set({ stoppedAt: new Date() }).where(eq(chainCursor.chainId, chainId))
      await call(browser, addSafe, { chainId, address: safeAddress })
      const status = await statusOf(browser)
      const blocksTotal = (status.cursor?.blockNumber ?? 0) + 1
      expect(status).toMatchObject({
        stoppedAt: expect.any(String),
        backfill: { safes: 1, blocksLeft: blocksTotal, blocksTotal, blocksPerSecond: null },
      })
    } finally {
      await quiet.stop()
    }
  })

  test('behavior: a node has only the limits that it reported on this chain', async () => {
    const node = new URL(devnet.rpcUrl).host
    const limit = { kind: 'log-range', value: 500, words: 'at most 500', learnedAt: new Date() } as const
    const others = [
      { ...limit, chainId, node: 'another.example' },
      { ...limit, chainId: chainId + 1, node },
    ]
    await server.db.insert(nodeLimit).values([{ ...limit, chainId, node, value: 100 }, ...others])
    const { nodes } = await statusOf(asAlice)
    expect(nodes).toEqual([
      { name: node, limits: [{ ...limit, value: 100, learnedAt: limit.learnedAt.toISOString() }] },
    ])
    await server.db.delete(nodeLimit)
  })

  test('behavior: the remaining blocks of the discovery of Safes are counted from its first block', async () => {
    const chain = { ...devnetChain(devnet.rpcUrl), index: 'whole-chain', startBlock: 2 } as const
    const quiet = await startTestServer({ chains: [chain] })
    try {
      const browser = await signInAs(quiet, alice)
      await eventually(async () => (await statusOf(browser)).lag?.blocks === 0)
      await quiet.db.update(chainCursor).set({ stoppedAt: new Date(), discoveredBlock: 2 })
      const { cursor, discovery } = await statusOf(browser)
      const blocksTotal = (cursor?.blockNumber ?? 0) - 1
      expect(discovery).toEqual({ blocksLeft: blocksTotal - 1, blocksTotal })
    } finally {
      await quiet.stop()
    }
  })

  test('behavior: where the time of the last block is not known, the lag is as long as the chain takes for its blocks', async () => {
    const quiet = await startTestServer({ chains: [{ ...devnetChain(devnet.rpcUrl), blockSeconds: 12 }] })
    try {
      const browser = await signInAs(quiet, alice)
      const { head } = await eventually(async () => {
        const found = await statusOf(browser)
        return found.lag?.blocks === 0 && found
      })
      const blockNumber = (head?.blockNumber ?? 0) - 3
      await quiet.db.update(chainCursor).set({ stoppedAt: new Date(), blockNumber, blockTime: null })
      expect((await statusOf(browser)).lag).toEqual({ blocks: 3, seconds: 36 })
    } finally {
      await quiet.stop()
    }
  })

  test('behavior: who looks is told, though not of each block', async () => {
    const stop = new AbortController()
    const browser = await signInAs(server, stranger)
    const response = await browser.fetch(`${server.origin}/api/events`, { signal: stop.signal })
    let told = 0
    const reading = (async () => {
      for await (const chunk of response.body ?? []) {
        const text = Buffer.from(chunk).toString('utf8')
        if (text.includes('"kind":"chain"')) told += 1
      }
    })().catch(() => {})
    const start = performance.now()
    let blocks = 0
    while (told < 4 || blocks < 20) {
      await actor.rpc('anvil_mine', '0x1')
      blocks += 1
    }
    // Once a second at most, however many blocks that are; and once what was told before the stream was there.
    expect(told).toBeLessThanOrEqual((performance.now() - start) / 1_000 + 2)
    stop.abort()
    await reading
  })

  test('behavior: a node that is away is a failure since then, until it is back', async () => {
    const node = await startScriptedNode(devnet.rpcUrl)
    const other = await startTestServer({ chains: [devnetChain(node.url)] })
    try {
      const browser = await signInAs(other, alice)
      await eventually(async () => (await statusOf(browser)).lag?.blocks === 0)
      node.play(async () => ({ status: 503, text: '' }))
      const { failure } = await eventually(async () => {
        const found = await statusOf(browser)
        return found.failure && found
      })
      expect(failure).toEqual({ code: 'CHAIN_UNREACHABLE', since: expect.any(String) })
      const ready: unknown = await fetch(`${other.origin}/readyz`).then((response) => response.json())
      expect(ready).toMatchObject({ chains: { [chainId]: { failure: 'CHAIN_UNREACHABLE' } } })
      node.play(honest)
      await eventually(async () => (await statusOf(browser)).failure === null)
    } finally {
      await other.stop()
      await node.close()
    }
  })
})

describe('listOutboundHosts', () => {
  test('default: nodes by host with the time of the last contact, and hosts of webhooks as one', async () => {
    const { hosts } = await call(asAlice, listOutboundHosts, {})
    const node = { host: new URL(devnet.rpcUrl).host, purpose: 'node', by: 'server', lastAt: expect.any(String) }
    // Contacts are those of the process, in which other tests may have sent to webhooks.
    expect(hosts).toEqual([
      { ...node, chain: expect.any(String) },
      { host: null, purpose: 'webhooks', chain: null, by: 'server', lastAt: hosts.at(-1)?.lastAt ?? null },
    ])
  })

  test('behavior: nothing but these connects to other hosts', () => {
    const server = fileURLToPath(new URL('../../', import.meta.url))
    const connecting = readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^test\//.test(path))
      .filter((path) =>
        /from 'node:(?:https|tls|dgram)'|\bfetch\(['`"]|\bfetch\(\w*[uU]rl/.test(
          readFileSync(join(server, path), 'utf8'),
        ),
      )
    expect(connecting.toSorted()).toEqual(['features/webhooks/send.ts', 'rpc/exchange.ts'])
  })
})
