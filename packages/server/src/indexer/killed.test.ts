import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Devnet, demoAccounts, startDevnet, testContractAbi } from '@countersign/devnet'
import { asc } from 'drizzle-orm'
import { type Address, encodeFunctionData, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRandomInt, isSoak } from '../../../../scripts/testing/random-tests.mjs'
import { type Database, openDatabase } from '../db/client.ts'
import { activity, chainCursor, confirmation, historyEntry, multisigTransaction, safe } from '../db/schema.ts'
import { type Actor, createActor } from '../test/safe-actor.ts'
import { changing, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { createDatabase, eventually, newSafe } from '../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
/** Each kill ends the followers of all of them, each in another place. */
const DATABASES = 5
const KILLS = isSoak ? 10 : 4
const randomInt = createRandomInt()
/** How long they live: so many exchanges with the node, and a moment more. */
const MAX_EXCHANGES = 80
const MOMENT_MS = 20
/** Few blocks at once: as many database transactions as there can be, each a place to die in. */
const BLOCKS = 3

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = `dist/follower-${process.pid}.mjs`

let devnet: Devnet
let node: ScriptedNode
let actor: Actor
let safes: Address[]

beforeAll(async () => {
  // One file starts several times as fast as a hundred.
  const bundle = ['packages/server/src/test/follower-process.ts', '--file', program, '--platform', 'node']
  const rest = ['--external', 'pg,pg-native,pino,secp256k1', '--format', 'esm', '--no-codeSplitting']
  execFileSync(process.execPath, ['node_modules/rolldown/bin/cli.mjs', ...bundle, ...rest], { cwd: root })
  devnet = await startDevnet({ port: 0 })
  actor = createActor(devnet.rpcUrl)
  const range = z.object({ fromBlock: z.string(), toBlock: z.string() })
  node = await startScriptedNode(
    devnet.rpcUrl,
    changing((answer, { id, method, params }) => {
      if (method !== 'eth_getLogs') return answer
      const { fromBlock, toBlock } = range.parse(params[0])
      const to = Number(fromBlock) + BLOCKS - 1
      if (Number(toBlock) <= to) return answer
      return { jsonrpc: '2.0', id, error: { code: -32005, message: 'too many blocks', data: { to: numberToHex(to) } } }
    }),
  )
  safes = await Promise.all([newSafe(devnet.rpcUrl, alone()), newSafe(devnet.rpcUrl, { ...alone(), l2: false })])
  for (const to of safes) await actor.send({ to, value: 1_000_000n })
})

afterAll(async () => {
  await node?.close()
  await devnet?.close()
  rmSync(`${root}${program}`, { force: true })
})

function alone() {
  return { owners: [alice.address], threshold: 1 }
}

/** Transfers of tokens and coin, many in a few blocks. */
async function move(count: number, perBlock: number): Promise<void> {
  const from = demoAccounts[7].address
  const nonce = Number(await actor.rpc('eth_getTransactionCount', from, 'latest'))
  await actor.rpc('evm_setAutomine', false)
  const mint = (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName: 'mint', args: [to, amount] })
  await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const to = safes[at % safes.length] ?? alice.address
      const call =
        at % 3 === 0 ? { to, value: numberToHex(1 + at) } : { to: devnet.tokens.erc20, data: mint(to, BigInt(1 + at)) }
      return actor.rpc('eth_sendTransaction', {
        from,
        gas: numberToHex(300_000),
        nonce: numberToHex(nonce + at),
        ...call,
      })
    }),
  )
  const before = Number(await actor.rpc('eth_blockNumber'))
  for (let block = 0; block < Math.ceil(count / perBlock); block += 1) await actor.rpc('evm_mine')
  await actor.rpc('evm_setAutomine', true)
  expect(Number(await actor.rpc('eth_blockNumber'))).toBeGreaterThan(before)
}

type Child = { process: ChildProcess; ready: Promise<unknown> }

function startChild(): Child {
  const child = fork(`${root}${program}`, { execArgv: [] })
  return { process: child, ready: new Promise((resolve) => child.once('message', resolve)) }
}

type Place = ReturnType<typeof openDatabase> & { url: string }

async function openPlaces(count: number): Promise<Place[]> {
  const urls = await Promise.all(Array.from({ length: count }, () => createDatabase()))
  return urls.map((url) => ({ url, ...openDatabase(url, () => {}) }))
}

function orderOf(places: readonly Place[]) {
  return { databaseUrls: places.map(({ url }) => url), rpcUrl: node.url, chainId }
}

/** Lets a process follow the chain to its end. */
async function finish(places: readonly Place[]): Promise<void> {
  const child = startChild()
  await child.ready
  child.process.send(orderOf(places))
  const head = Number(await actor.rpc('eth_blockNumber'))
  for (const { db } of places)
    await eventually(async () => {
      const [cursor] = await db.select().from(chainCursor)
      const rest = await db.execute(
        `select 1 from safe where backfill_block is not null or is_stale or block_hash is not null
          or compared_block is distinct from ${head}`,
      )
      return cursor?.blockNumber === head && cursor.discoveredBlock === head && rest.rows.length === 0
    })
  child.process.kill('SIGKILL')
}

/** All that is written down, without when it was, and without how often somebody looked. */
async function everything(db: Database) {
  const { safeAddress, blockNumber, logIndex, part } = historyEntry
  const entries = await db
    .select()
    .from(historyEntry)
    .orderBy(asc(safeAddress), asc(blockNumber), asc(logIndex), asc(part))
  const executions = await db.select().from(multisigTransaction).orderBy(asc(multisigTransaction.safeTxHash))
  const confirmations = await db
    .select()
    .from(confirmation)
    .orderBy(asc(confirmation.safeTxHash), asc(confirmation.owner))
  const rows = await db.select().from(safe).orderBy(asc(safe.address))
  return {
    entries,
    executions: executions.map(({ modifiedDate, ...rest }) => rest),
    confirmations,
    safes: rows.map(({ addedAt, blockNumber, comparedBlock, createdBlock, ...rest }) => rest),
  }
}

/** Reads the executions in the log, and those that have to be there: each execution since the Safe was found, once. */
async function logOf(db: Database) {
  const entries = await db.select().from(activity).orderBy(asc(activity.safeTxHash))
  const since = new Map((await db.select().from(safe)).map(({ address, addedAt }) => [address, addedAt.getTime()]))
  const executed = await db.select().from(multisigTransaction).orderBy(asc(multisigTransaction.safeTxHash))
  const isNews = ({ safeAddress, executionDate }: (typeof executed)[number]) =>
    (executionDate?.getTime() ?? 0) >= (since.get(safeAddress) ?? 0) - 60_000
  return {
    log: entries.map(({ verb, safeAddress, safeTxHash, detail }) => ({ verb, safeAddress, safeTxHash, detail })),
    news: executed.filter(isNews).map(({ safeAddress, safeTxHash, transactionHash, executor }) => ({
      verb: 'executed',
      safeAddress,
      safeTxHash,
      detail: { transactionHash, executor },
    })),
  }
}

describe('kill -9', () => {
  test('behavior: again and again at any moment, nothing is lost and nothing doubled', {
    timeout: 300_000,
  }, async () => {
    await move(480, 12)
    for (const address of safes)
      for (let nonce = 0; nonce < 5; nonce += 1) await actor.execute(address, { to: bob.address, value: 10n })
    const places = await openPlaces(DATABASES)
    const reached = new Set<string>()
    let next = startChild()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = next
      await child.ready
      const ended = new Promise((resolve) => child.process.once('exit', resolve))
      const last = node.exchanges.length + 1 + randomInt(MAX_EXCHANGES)
      child.process.send(orderOf(places))
      next = startChild()
      await actor.execute(safes[kill % 2] ?? alice.address, { to: bob.address, value: 1n })
      await eventually(async () => node.exchanges.length >= last)
      await new Promise((resolve) => setTimeout(resolve, randomInt(MOMENT_MS)))
      child.process.kill('SIGKILL')
      await ended
      for (const [at, { db }] of places.entries()) {
        const [cursor] = await db.select().from(chainCursor)
        reached.add(`${at}: ${cursor?.blockNumber}, ${cursor?.discoveredBlock}`)
      }
    }
    next.process.kill('SIGKILL')
    // They died on the way again and again, and not at the end alone.
    expect(reached.size).toBeGreaterThan(DATABASES * KILLS * 0.4)
    await finish(places)
    const fresh = await openPlaces(1)
    await finish(fresh)
    const [afresh] = await Promise.all(fresh.map(({ db }) => everything(db)))
    expect(afresh?.entries.length).toBeGreaterThan(260)
    for (const { db } of places) expect(await everything(db)).toEqual(afresh)
    for (const { db } of [...places, ...fresh]) {
      const { log, news } = await logOf(db)
      expect(log).toEqual(news)
    }
    await Promise.all([...places, ...fresh].map(({ close }) => close()))
  })
})
