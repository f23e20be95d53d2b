import { addSafe, call } from '@countersign/contract'
import { demoAccounts, testContractAbi } from '@countersign/devnet'
import { and, asc, eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandomInt, isSoak } from '../../../../scripts/testing/random-tests.mjs'
import { historyEntry, multisigTransaction } from '../db/schema.ts'
import { playing } from '../test/providers.ts'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { type Script, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import {
  type Browser,
  devnetChain,
  eventually,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'

const [alice] = demoAccounts
const randomInt = createRandomInt()
/** A thousand sequences in all: each round is one reorganisation in the midst of those of several Safes. */
const [ROUNDS, SAFES] = isSoak ? [200, 5] : [3, 2]
const ALL_MS = isSoak ? 7_200_000 : 240_000
/** A node that takes ten blocks, through which the past is read; and one without limits, which is asked afterwards. */
const [LIMITED, UNLIMITED] = [901, 902]

openChain()

let limited: ScriptedNode
let unlimited: ScriptedNode
let server: TestServer
/** An account lists so many Safes and no more: each round is another one's. */
const browsers: Browser[] = []
/** Queries for logs of blocks below this wait; null: none does. */
let heldBelow: number | null = null
let isHolding = false

const head = async () => Number(await actor.rpc('eth_blockNumber'))

/** The devnet under another chain id. */
function under(chainId: number, script: Script): Script {
  return (asked, truth) =>
    script(asked, async () =>
      (await truth()).map((answer) =>
        asked.some(({ id, method }) => id === answer.id && method === 'eth_chainId')
          ? { ...answer, result: numberToHex(chainId) }
          : answer,
      ),
    )
}

beforeAll(async () => {
  const range = { blocks: 10, code: -32614, words: 'eth_getLogs is limited to a 10 range' }
  const played = playing(() => ({ range }), head)
  const holding: Script = async (asked, truth) => {
    const isOld = (below: number) =>
      asked.some(({ method, params }) => {
        if (method !== 'eth_getLogs') return false
        const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
        // Looking for the creation asks for one block, or for all.
        return fromBlock !== toBlock && Number(toBlock) - Number(fromBlock) < 10 && Number(toBlock) < below
      })
    while (heldBelow !== null && isOld(heldBelow)) {
      isHolding = true
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return played(asked, truth)
  }
  limited = await startScriptedNode(devnet.rpcUrl, under(LIMITED, holding))
  unlimited = await startScriptedNode(
    devnet.rpcUrl,
    under(
      UNLIMITED,
      playing(() => ({}), head),
    ),
  )
  const chains = [devnetChain(limited.url, LIMITED), devnetChain(unlimited.url, UNLIMITED)]
  server = await startTestServer({
    chains: chains.map((chain) => ({ ...chain, isDevnet: false })),
    hasRateLimits: false,
  })
  for (const account of isSoak ? demoAccounts : [alice]) browsers.push(await signInAs(server, account, UNLIMITED))
})
afterAll(async () => {
  await server?.stop()
  await limited?.close()
  await unlimited?.close()
})

/** Something that leaves a trace, or some quiet blocks. */
async function act(safe: Address): Promise<void> {
  const value = BigInt(1 + randomInt(50))
  switch (randomInt(5)) {
    case 0:
      return void (await actor.send({ to: safe, value }))
    case 1: {
      const handler = demoAccounts[1 + randomInt(5)]?.address ?? alice.address
      const data = encodeFunctionData({ abi: settingsAbi, functionName: 'setFallbackHandler', args: [handler] })
      return void (await actor.execute(safe, { to: safe, data }))
    }
    case 2:
      return void (await actor.rpc('anvil_mine', numberToHex(1 + randomInt(12))))
    default: {
      const data = encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName: 'mint', args: [safe, value] })
      return void (await actor.send({ to: devnet.tokens.erc20, data }))
    }
  }
}

async function actAll(safes: readonly Address[], most: number): Promise<void> {
  for (const safe of safes) for (let left = 1 + randomInt(most); left > 0; left -= 1) await act(safe)
}

async function isRead(chainId: number, safes: readonly Address[]): Promise<boolean> {
  const { rows } = await server.db.execute(`
    select 1 from chain_cursor c where c.chain_id = ${chainId} and c.block_number = ${await head()} and not exists (
      select from safe s where s.chain_id = c.chain_id and (s.backfill_block is not null
        or s.compared_block is distinct from c.block_number))
      and (select count(*) from safe s where s.chain_id = c.chain_id
        and s.address in (${safes.map((safe) => `'\\x${safe.slice(2)}'`).join()})) = ${safes.length}`)
  return rows.length > 0
}

/** Waits until all is read; where it never is, the error says in which round, and what is missing. */
async function untilRead(chainId: number, safes: readonly Address[], round: number): Promise<void> {
  try {
    await eventually(() => isRead(chainId, safes))
  } catch (cause) {
    const { rows } = await server.db.execute(`
      select c.block_number, c.stopped_at, count(*) as safes, count(s.backfill_block) as unread,
        count(*) filter (where s.compared_block is distinct from c.block_number) as uncompared,
        min(s.compared_block) as compared_first, min(s.backfill_block) as unread_first
      from chain_cursor c join safe s using (chain_id) where chain_id = ${chainId} group by 1, 2`)
    const standing = JSON.stringify({ round, chainId, head: await head(), rows }, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    throw new Error(`Not all was read: ${standing}`, { cause })
  }
}

async function storedOf(chainId: number, safe: Address) {
  const { blockNumber, logIndex, part } = historyEntry
  const [entries, transactions] = await Promise.all([
    server.db
      .select()
      .from(historyEntry)
      .where(and(eq(historyEntry.chainId, chainId), eq(historyEntry.safeAddress, safe)))
      .orderBy(asc(blockNumber), asc(logIndex), asc(part)),
    server.db
      .select({ nonce: multisigTransaction.nonce, at: multisigTransaction.blockHash })
      .from(multisigTransaction)
      .where(and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeAddress, safe)))
      .orderBy(asc(multisigTransaction.nonce), asc(multisigTransaction.blockHash)),
  ])
  return { transactions, entries: entries.map(({ chainId: _, ...entry }) => entry) }
}

const add = (browser: Browser, chainId: number, address: Address) =>
  eventually(() => call(browser, addSafe, { chainId, address }).catch(() => null))

test(
  'behavior: a reorganisation in the midst of reading backwards leaves what a node without limits tells',
  async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const browser = browsers[round % browsers.length]
      if (browser === undefined) throw new Error('Nobody has signed in.')
      const safes: Address[] = []
      const first = (await head()) + 1
      for (let at = 0; at < SAFES; at += 1)
        safes.push(await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: randomInt(2) === 0 }))
      await actAll(safes, 8)
      const shared = await head()
      const snapshot = await actor.rpc('evm_snapshot')
      await actAll(safes, 4)
      const lost = await head()
      isHolding = false
      heldBelow = first + 1 + randomInt(lost - first + 1)
      for (const safe of safes) await add(browser, LIMITED, safe)
      // Where all of it fits into ranges above, nothing is held.
      await eventually(async () => isHolding || (await isRead(LIMITED, safes)))
      await actor.rpc('evm_revert', snapshot)
      await actAll(safes, 4)
      // A head that is lower than before is a node that lags.
      await actor.rpc('anvil_mine', numberToHex(Math.max(1, lost - shared + 2)))
      heldBelow = null
      for (const safe of safes) await add(browser, UNLIMITED, safe)
      await untilRead(LIMITED, safes, round)
      await untilRead(UNLIMITED, safes, round)
      for (const safe of safes)
        expect({ round, ...(await storedOf(LIMITED, safe)) }).toEqual({ round, ...(await storedOf(UNLIMITED, safe)) })
      // A thousand Safes, each compared at every head, would have the last rounds wait for the first.
      await server.db.execute('truncate safe cascade')
      // Hours go by: whoever waits sees how far it is.
      if (isSoak && round % 10 === 0) console.log(`${round} of ${ROUNDS} rounds`)
    }
  },
  ALL_MS,
)
