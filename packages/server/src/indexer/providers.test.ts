import { addSafe, call, listChainStatus } from '@countersign/contract'
import { demoAccounts, testContractAbi } from '@countersign/devnet'
import { and, asc, eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../../scripts/testing/random-tests.mjs'
import { historyEntry } from '../db/schema.ts'
import { type ProviderName, playing, providers, type Taking } from '../test/providers.ts'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'

const [alice, bob] = demoAccounts
const randomInt = createRandomInt()
const ACTS = isSoak ? 1_000 : 24
const LATER_ACTS = isSoak ? 100 : 6
/** Quiet blocks at a time: blocks are slow to make. */
const QUIET = isSoak ? 30 : 150
/** A thousand acts take minutes. */
const ACTS_MS = isSoak ? 900_000 : 180_000
const names = Object.keys(providers) as ProviderName[]
const FIRST_ID = 900
/** Without any limit: what all others are compared with. */
const UNLIMITED = FIRST_ID + names.length

openChain()

const takings: Taking[] = [...names.map((name): Taking => providers[name]), {}]
const nodes: ScriptedNode[] = []
let server: TestServer
let safes: Address[]

const head = async () => Number(await actor.rpc('eth_blockNumber'))

beforeAll(async () => {
  safes = [
    await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 }),
    await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true }),
  ]
  for (let one = 0; one < ACTS; one += 1) await act()
  for (const [at] of takings.entries()) {
    const played = playing(() => takings[at] ?? {}, head)
    nodes.push(
      await startScriptedNode(devnet.rpcUrl, async (asked, truth) => {
        const own = async () =>
          (await truth()).map((answer) =>
            asked.some(({ id, method }) => id === answer.id && method === 'eth_chainId')
              ? { ...answer, result: numberToHex(FIRST_ID + at) }
              : answer,
          )
        return played(asked, own)
      }),
    )
  }
  // A node that needs an address tells of listed tokens alone.
  const tokens = [{ address: devnet.tokens.erc20, symbol: 'TEST', decimals: 18 }]
  const chains = nodes.map(({ url }, at) => ({ ...devnetChain(url, FIRST_ID + at), isDevnet: false, tokens }))
  server = await startTestServer({ chains, hasRateLimits: false })
  const browser = await signInAs(server, alice, UNLIMITED)
  for (const { chainId } of chains)
    for (const address of safes) await eventually(() => call(browser, addSafe, { chainId, address }).catch(() => null))
}, ACTS_MS)
afterAll(async () => {
  await server?.stop()
  for (const node of nodes) await node.close()
})

/** Something that leaves traces of several kinds, and sometimes many quiet blocks. */
async function act(): Promise<void> {
  const safe = safes[randomInt(safes.length)]
  if (!safe) throw new Error('unreachable')
  const value = BigInt(1 + randomInt(50))
  switch (randomInt(6)) {
    case 0:
      return void (await actor.send({ to: safe, value }))
    case 1:
      return void (await actor.execute(safe, { to: safe, data: handlerChange() }))
    case 2:
      return void (await actor.rpc('anvil_mine', numberToHex(1 + randomInt(QUIET))))
    default:
      return void (await actor.send({ to: devnet.tokens.erc20, data: mint(safe, value) }))
  }
}

function handlerChange() {
  const handler = demoAccounts[1 + randomInt(5)]?.address ?? bob.address
  return encodeFunctionData({ abi: settingsAbi, functionName: 'setFallbackHandler', args: [handler] })
}

function mint(to: Address, amount: bigint) {
  return encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName: 'mint', args: [to, amount] })
}

async function historyOf(chainId: number) {
  await eventually(async () => {
    const { rows } = await server.db.execute(`
      select 1 from chain_cursor c where chain_id = ${chainId} and block_number = ${await head()}
        and not exists (select from safe where chain_id = ${chainId} and (backfill_block is not null
          or compared_block is distinct from c.block_number))`)
    return rows.length > 0
  })
  const rows = await server.db
    .select()
    .from(historyEntry)
    .where(and(eq(historyEntry.chainId, chainId)))
    .orderBy(
      asc(historyEntry.safeAddress),
      asc(historyEntry.blockNumber),
      asc(historyEntry.logIndex),
      asc(historyEntry.part),
    )
  return rows.map(({ chainId: _, ...row }) => row)
}

async function limitsOf(chainId: number) {
  const { chains } = await call(await signInAs(server, alice, UNLIMITED), listChainStatus, {})
  return chains.find((chain) => chain.chainId === chainId)?.nodes[0]?.limits ?? []
}

/** Limits of each after it changed its mind: less is taken, in other words, and some of these are untrue. */
const later: Record<ProviderName, Taking> = {
  'takes 100 blocks': { range: { blocks: 30, code: -32614, words: 'eth_getLogs is limited to a 1000000 range' } },
  'takes 10 blocks, and names them': { range: { blocks: 7, code: -32600, words: 'up to a 2 block range' } },
  'takes so many results': { results: { logs: 3, code: -32005, words: 'query returned more than 10000 results' } },
  'needs an address': providers['needs an address'],
  'takes few addresses in a filter': {
    names: { most: 1, areTopics: true, code: -32602, words: 'number of addresses or topics must be at most 1000' },
  },
  'takes few addresses and topics, and does not say how many': {
    ...providers['needs an address'],
    names: { most: 1, code: -32005, words: 'addresses limit exceeded' },
  },
  'takes three in a batch': { batch: { requests: 1, status: 413, code: -32600, words: 'batch of more than 50' } },
  'limits the rate': { rate: { requests: 40, words: 'capacity exceeded' } },
  'limits the size of answers': { range: { blocks: 50, code: -32000, words: 'exceed maximum block range: 50' } },
  'keeps little state': { archive: { blocks: 20, code: -32000, words: 'header not found' } },
  'has no traces, proofs, overrides, simulation': {},
  'has several limits at once': providers['needs an address'],
}

/** Refusals of each that are seen; those that the follower does not run into are found by who asks for more. */
const learned: Partial<Record<ProviderName, string[]>> = {
  'takes 100 blocks': ['log-range'],
  'takes 10 blocks, and names them': ['log-range'],
  'takes so many results': ['log-results'],
  'needs an address': ['log-address'],
  'takes few addresses in a filter': ['log-addresses'],
  'takes few addresses and topics, and does not say how many': ['log-topics'],
  'takes three in a batch': ['batch'],
  'limits the rate': ['rate'],
  'limits the size of answers': ['answer-size'],
  'has several limits at once': ['batch', 'log-range'],
}

test.each(names)('behavior: a node that %s: the history is whole', async (name) => {
  const chainId = FIRST_ID + names.indexOf(name)
  const [found, whole] = [await historyOf(chainId), await historyOf(UNLIMITED)]
  expect(found.length).toBeGreaterThan(ACTS / 2)
  expect(found).toEqual(whole)
  const expected = learned[name] ?? []
  await eventually(async () => {
    const kinds = (await limitsOf(chainId)).map(({ kind }): string => kind)
    return expected.every((kind) => kinds.includes(kind))
  })
})

test(
  'behavior: nodes that change their limits, and fail for a while, leave no gap',
  async () => {
    for (const at of takings.keys()) if (at < names.length) takings[at] = { html: '<html>Just a moment…</html>' }
    for (let one = 0; one < LATER_ACTS; one += 1) await act()
    await eventually(async () => {
      const { rows } = await server.db.execute(`select 1 from chain_follower where failure_code is not null`)
      return rows.length >= names.length
    })
    for (const [at, name] of names.entries()) takings[at] = later[name]
    for (let one = 0; one < LATER_ACTS; one += 1) await act()
    const whole = await historyOf(UNLIMITED)
    for (const name of names) expect([name, await historyOf(FIRST_ID + names.indexOf(name))]).toEqual([name, whole])
  },
  ACTS_MS,
)
