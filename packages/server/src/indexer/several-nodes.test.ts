import { call, listChainStatus } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChainSettings } from '../config/chains.ts'
import { chainCursor, chainFollower, chainHeader, historyEntry } from '../db/schema.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { type Answer, changing, honest, refusing, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'

const [alice] = demoAccounts

let nodes: [ScriptedNode, ScriptedNode]
let server: TestServer
let safeAddress: Address

openChain()

beforeEach(async () => {
  nodes = [await startScriptedNode(devnet.rpcUrl), await startScriptedNode(devnet.rpcUrl)]
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
})
afterEach(async () => {
  await server?.stop()
  for (const node of nodes) await node.close()
})

async function start(settings: Partial<ChainSettings>): Promise<void> {
  const chain = { ...devnetChain(devnet.rpcUrl), isDevnet: false, index: 'whole-chain' as const, ...settings }
  server = await startTestServer({ chains: [chain] })
  await untilAtHead()
  await eventually(async () => {
    const { rows } = await server.db.execute(`
      select 1 from chain_cursor where discovered_block = block_number
        and not exists (select from safe where backfill_block is not null or is_stale)`)
    return rows.length > 0
  })
}

async function head(): Promise<number> {
  return Number(await actor.rpc('eth_blockNumber'))
}

async function cursor(): Promise<number | undefined> {
  return (await server.db.select().from(chainCursor))[0]?.blockNumber
}

async function untilAtHead(): Promise<void> {
  await eventually(async () => (await cursor()) === (await head()))
}

async function status() {
  const { chains } = await call(await signInAs(server, alice), listChainStatus, {})
  const [found] = chains
  if (!found) throw new Error('unreachable')
  return found
}

async function received(): Promise<(bigint | null)[]> {
  const rows = await server.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, safeAddress))
  return rows.filter(({ kind }) => kind === 'transfer-in').map(({ amount }) => amount)
}

const host = (node: ScriptedNode) => new URL(node.url).host

/** Several rounds of the follower went by. */
async function untilAskedAgain(node: ScriptedNode): Promise<void> {
  const before = node.exchanges.length
  await eventually(async () => node.exchanges.length > before + 5)
}

describe('agreement', () => {
  test('behavior: what one node leaves out stops the chain, with both nodes named, until they agree', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url), agreement: 2 })
    const before = await cursor()
    nodes[1].play(
      changing((answer, { method }) =>
        method === 'eth_getLogs' && Array.isArray(answer.result) ? { ...answer, result: [] } : answer,
      ),
    )
    await actor.send({ to: safeAddress, value: 5n })
    const { disagreement, failure } = await eventually(async () => {
      const found = await status()
      return found.disagreement && found
    })
    expect(disagreement).toMatchObject({ hosts: nodes.map(host), blockNumber: await head() })
    expect(failure?.code).toBe('NODES_DISAGREE')
    await untilAskedAgain(nodes[0])
    expect([await cursor(), await received()]).toEqual([before, []])
    expect(server.logged.join('')).not.toContain('the chain was reorganised')

    nodes[1].play(honest)
    await eventually(async () => (await received()).length === 1)
    await eventually(async () => (await status()).disagreement === null)
    expect(await received()).toEqual([5n])
  })

  test('behavior: one node alone is not enough', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url), agreement: 2 })
    nodes[1].play(async () => ({ status: 503, text: '' }))
    const before = await cursor()
    await actor.send({ to: safeAddress, value: 5n })
    const { failure } = await eventually(async () => {
      const found = await status()
      return found.failure && found
    })
    expect(failure?.code).toBe('CHAIN_UNREACHABLE')
    expect([await cursor(), await received()]).toEqual([before, []])
    nodes[1].play(honest)
    await eventually(async () => (await received()).length === 1)
  })

  test('behavior: with two nodes and no agreement asked for, the other one takes over', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url) })
    nodes[0].play(async () => ({ status: 503, text: '' }))
    await actor.send({ to: safeAddress, value: 5n })
    await eventually(async () => (await received()).length === 1)
    expect((await status()).failure).toBe(null)
  })
})

/** Another chain from its beginning: none of its blocks is one of ours. */
const elsewhere = changing((answer, { method }) => {
  const { result } = answer
  if (method !== 'eth_getBlockByNumber' || typeof result !== 'object' || result === null) return answer
  if (!('hash' in result) || !('parentHash' in result)) return answer
  // All bits of the first byte are flipped, because a hash may begin with any byte.
  const other = (hash: unknown) => {
    const first = 0xff - Number(String(hash).slice(0, 4))
    return `0x${first.toString(16).padStart(2, '0')}${String(hash).slice(4)}`
  }
  return { ...answer, result: { ...result, hash: other(result.hash), parentHash: other(result.parentHash) } }
})

async function isStopped(): Promise<boolean> {
  const [row] = await server.db.select().from(chainCursor)
  return row?.stoppedAt !== null
}

async function failureCode(): Promise<string | null> {
  const [row] = await server.db.select().from(chainFollower)
  return row?.failureCode ?? null
}

/** @throws Error naming where the chain stands instead, and what was logged last */
async function untilFailure(code: string): Promise<void> {
  await eventually(async () => (await failureCode()) === code).catch(async (error: Error) => {
    const stands = { failure: await failureCode(), isStopped: await isStopped(), cursor: await cursor() }
    error.message += `: ${code}; ${JSON.stringify(stands)}\n${server.logged.slice(-20).join('')}`
    throw error
  })
}

describe('a chain that one node knows nothing of', () => {
  test('behavior: goes on with the other, and says who is elsewhere', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url) })
    nodes[0].play(elsewhere)
    await actor.send({ to: safeAddress, value: 5n })
    await eventually(async () => (await received()).length === 1)
    expect([await isStopped(), await received()]).toEqual([false, [5n]])
    const said = server.logged.find((line) => line.includes('NODES_DISAGREE'))
    for (const node of nodes) expect(said).toContain(host(node))
    expect(server.logged.join('')).not.toContain('the chain was reorganised')
    await eventually(async () => (await failureCode()) === null)
  })

  test('behavior: is not given up at the word of one, until the other can be asked', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url) })
    const before = await cursor()
    nodes[1].play(async () => ({ status: 503, text: '' }))
    nodes[0].play(elsewhere)
    await actor.send({ to: safeAddress, value: 5n })
    await untilFailure('CHAIN_UNREACHABLE')
    await untilAskedAgain(nodes[0])
    expect([await isStopped(), await cursor(), await received()]).toEqual([false, before, []])
    nodes[1].play(honest)
    await eventually(async () => (await received()).length === 1)
    expect(await isStopped()).toBe(false)
  })

  test('behavior: is given up when each says the same', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url) })
    for (const node of nodes) node.play(elsewhere)
    await eventually(isStopped)
    expect(server.logged.join('')).toContain('COUNTERSIGN_REBUILD=31337:')
  })

  test('behavior: nor is it where blocks have to agree and one lies', async () => {
    await start({ rpcUrls: nodes.map(({ url }) => url), agreement: 2 })
    nodes[0].play(elsewhere)
    await actor.send({ to: safeAddress, value: 5n })
    await untilFailure('NODES_DISAGREE')
    await untilAskedAgain(nodes[0])
    expect([await isStopped(), await received()]).toEqual([false, []])
    nodes[0].play(honest)
    await eventually(async () => (await received()).length === 1)
  })

  test('behavior: is not given up for a block that the node does not know, however far back nothing is kept of it', async () => {
    await start({ rpcUrls: [nodes[0].url] })
    const before = (await cursor()) ?? 0
    await server.db.delete(chainHeader)
    nodes[0].play(
      changing((answer, { method, params }) =>
        method === 'eth_getBlockByNumber' && Number(params[0]) === before ? { ...answer, result: null } : answer,
      ),
    )
    await actor.send({ to: safeAddress, value: 5n })
    await untilFailure('RPC_ERROR')
    await untilAskedAgain(nodes[0])
    expect(await isStopped()).toBe(false)
    nodes[0].play(honest)
    await eventually(async () => (await received()).length === 1)
  })
})

describe('one node', () => {
  const wrongHash = `0x${'ab'.repeat(32)}`
  const blockOf = ({ result }: Answer) => {
    const isBlock = typeof result === 'object' && result !== null && 'parentHash' in result && 'number' in result
    return isBlock ? result : null
  }

  test('behavior: that falls back behind what was read lags; nothing is taken back', async () => {
    await start({ rpcUrls: [nodes[0].url] })
    await actor.send({ to: safeAddress, value: 5n })
    await eventually(async () => (await received()).length === 1)
    const before = await cursor()
    const old: unknown = await actor.rpc('eth_getBlockByNumber', '0x5', false)
    nodes[0].play(
      changing((answer, { method, params }) =>
        method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { ...answer, result: old } : answer,
      ),
    )
    const { failure, head: told } = await eventually(async () => {
      const found = await status()
      return found.failure && found
    })
    expect([failure?.code, told?.blockNumber]).toEqual(['RPC_ERROR', 5])
    await untilAskedAgain(nodes[0])
    expect([await cursor(), await received()]).toEqual([before, [5n]])
    nodes[0].play(honest)
    await actor.send({ to: safeAddress, value: 6n })
    await eventually(async () => (await received()).length === 2)
    expect(server.logged.join('')).not.toContain('the chain was reorganised')
  })

  test('behavior: whose lower head has another hash was reorganised', async () => {
    const snapshot = await actor.rpc('evm_snapshot')
    await start({ rpcUrls: [nodes[0].url] })
    await actor.send({ to: safeAddress, value: 5n })
    await actor.rpc('anvil_mine', '0x4')
    await eventually(async () => (await received()).length === 1)
    await untilAtHead()
    await actor.rpc('evm_revert', snapshot)
    await actor.rpc('anvil_mine', '0x2', '0x20')
    await eventually(async () => (await received()).length === 0)
    await untilAtHead()
  })

  test('behavior: that gives a block whose parent is another one is not believed', async () => {
    await start({ rpcUrls: [nodes[0].url] })
    const before = (await cursor()) ?? 0
    nodes[0].play(
      changing((answer) => {
        const block = blockOf(answer)
        return block && Number(block.number) > before
          ? { ...answer, result: { ...block, parentHash: wrongHash } }
          : answer
      }),
    )
    await actor.send({ to: safeAddress, value: 5n })
    await actor.rpc('anvil_mine', '0x2')
    await eventually(async () => (await status()).failure?.code === 'RPC_ERROR')
    expect([await cursor(), await received()]).toEqual([before, []])
    nodes[0].play(honest)
    await eventually(async () => (await received()).length === 1)
  })

  test('behavior: that is elsewhere before a range is not believed, far below the newest block, too', async () => {
    await start({ rpcUrls: [nodes[0].url] })
    const before = (await cursor()) ?? 0
    nodes[0].play(refusing(({ method }) => method === 'eth_getLogs', { code: -32000, message: 'not now' }))
    await actor.send({ to: safeAddress, value: 5n })
    await actor.rpc('anvil_mine', '0x200')
    const reads = () =>
      nodes[0].exchanges.filter((exchange) => exchange.some(({ method }) => method === 'eth_getLogs')).length
    nodes[0].play(async (asked, truth) => {
      const answers = await truth()
      if (!asked.some(({ method }) => method === 'eth_getLogs')) return answers
      return answers.map((answer) => {
        const block = blockOf(answer)
        return block && Number(block.number) === before ? { ...answer, result: { ...block, hash: wrongHash } } : answer
      })
    })
    const asked = reads()
    await eventually(async () => reads() > asked + 2)
    expect([await cursor(), await received()]).toEqual([before, []])
    nodes[0].play(honest)
    await eventually(async () => (await received()).length === 1)
  })

  test('behavior: that changes to another chain on the way is found out at once', async () => {
    await start({ rpcUrls: [nodes[0].url] })
    const before = await cursor()
    let isOther = false
    nodes[0].play(
      changing((answer, { method }) => {
        // After it was asked which chain it is on, and before its logs.
        if (method === 'eth_getBlockByNumber') isOther = true
        return isOther && method === 'eth_chainId' ? { ...answer, result: '0x1' } : answer
      }),
    )
    await actor.send({ to: safeAddress, value: 5n })
    await eventually(async () => (await status()).failure?.code === 'CHAIN_ID_MISMATCH')
    expect([await cursor(), await received()]).toEqual([before, []])
    nodes[0].play(honest)
    await eventually(async () => (await received()).length === 1)
  })
})
