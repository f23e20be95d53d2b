import { addSafe, call, listSafes } from '@countersign/contract'
import { canonicalContract, type DemoAccount, demoAccounts, deployOldSafe } from '@countersign/devnet'
import { encodeCreateProxy, officialDeployment, predictSafeAddress, safeEventTopics } from '@countersign/safe'
import { asc, eq } from 'drizzle-orm'
import pg from 'pg'
import { type Address, concatHex, encodeAbiParameters, getAddress, numberToHex, padHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { ChainSettings } from '../config/chains.ts'
import { historyEntry, safe } from '../db/schema.ts'
import { actor, devnet, openScene, server } from '../test/scene.ts'
import {
  createDatabase,
  devnetChain,
  eventually,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

let whole: ChainSettings

openScene([], () => {
  whole = { ...devnetChain(devnet.rpcUrl), index: 'whole-chain' }
  return { chains: [whole] }
})

/** An account that owns nothing yet. */
function newAccount() {
  const privateKey = generatePrivateKey()
  return { name: 'Owner', address: privateKeyToAddress(privateKey), privateKey }
}

/** Asks for the addresses in an account's My Safes, which it added none of. */
async function listOf(account: DemoAccount, of: TestServer = server): Promise<() => Promise<Address[]>> {
  const browser = await signInAs(of, account)
  return async () => (await call(browser, listSafes, {})).safes.map(({ address }) => address)
}

function createdEntry(address: Address, of: TestServer = server) {
  return eventually(async () => {
    const rows = await of.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, address))
    return rows.find(({ kind }) => kind === 'created')
  })
}

let salt = 10_000n
function nextSafe(owner: Address) {
  salt += 1n
  return { version: '1.4.1', isL2: true, owners: [owner], threshold: 1, saltNonce: salt } as const
}

/** A Safe of 1.1.1, which says nothing of its set-up: the factory alone does. */
async function newLegacySafe(owner: Address): Promise<Address> {
  const singleton = officialDeployment('singleton', '1.1.1')?.address ?? '0x'
  // Somebody else's, which brings the official singleton.
  const another = { owners: [demoAccounts[9].address], threshold: 1, version: '1.1.1', saltNonce: 1n } as const
  await deployOldSafe({ rpcUrl: devnet.rpcUrl, ...another })
  const { to, data } = encodeCreateProxy({ ...nextSafe(owner), version: '1.3.0', isL2: false })
  const ours = officialDeployment('singleton', '1.3.0')?.address ?? '0x'
  const ofLegacy = data.toLowerCase().replace(ours.slice(2).toLowerCase(), singleton.slice(2).toLowerCase())
  const hash = await actor.send({ to, data: `0x${ofLegacy.slice(2)}` })
  const receipt = JSON.stringify(await actor.rpc('eth_getTransactionReceipt', hash))
  const [topic = ''] = safeEventTopics('ProxyCreation').filter((candidate) => receipt.includes(candidate))
  expect(topic).not.toBe('')
  return getAddress(`0x${/"data":"0x0{24}([0-9a-f]{40})/.exec(receipt)?.[1]}`)
}

describe('whole chain', () => {
  test('behavior: a Safe is in the list of its owner by itself, whatever its release', async () => {
    const owner = newAccount()
    const list = await listOf(owner)
    const own = { owners: [owner.address], threshold: 1 }
    const newer = await newSafe(devnet.rpcUrl, { ...own, version: '1.5.0' })
    const older = await newSafe(devnet.rpcUrl, { ...own, version: '1.3.0', l2: false })
    const legacy = await newLegacySafe(owner.address)
    await actor.send({ to: newer, value: 77n })
    await eventually(async () => (await list()).length === 3)
    expect(new Set(await list())).toEqual(new Set([newer, older, legacy]))
    expect(await createdEntry(newer)).toMatchObject({
      subject: demoAccounts[9].address,
      factory: officialDeployment('factory', '1.5.0')?.address,
      singleton: officialDeployment('singleton-l2', '1.5.0')?.address,
      threshold: 1,
    })
    expect(await createdEntry(legacy)).toMatchObject({
      factory: officialDeployment('factory', '1.3.0')?.address,
      threshold: null,
    })
    await eventually(async () => {
      const rows = await server.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, newer))
      return rows.some(({ kind, amount }) => kind === 'transfer-in' && amount === 77n)
    })
  })

  test('behavior: what only says that it is a Safe never is one', async () => {
    const bob = newAccount()
    const carol = newAccount()
    const list = await listOf(bob)
    const { to: factory, data } = encodeCreateProxy(nextSafe(bob.address))
    const singleton = canonicalContract('1.4.1', 'safe_l2').address
    const code = (address: Address) => actor.rpc('eth_getCode', address, 'latest')

    // The official factory makes an official proxy, but of a singleton that is a copy.
    const copy: Address = '0x00000000000000000000000000000000000c0ffe'
    await actor.rpc('anvil_setCode', copy, await code(singleton))
    const ofCopy = data.toLowerCase().replaceAll(singleton.slice(2).toLowerCase(), copy.slice(2))
    await actor.send({ to: factory, data: `0x${ofCopy.slice(2)}` })

    // A proxy with one byte more, which answers all that a Safe answers.
    const real = await newSafe(devnet.rpcUrl, { owners: [carol.address], threshold: 1 })
    const almost: Address = '0x00000000000000000000000000000000000a1305'
    await actor.rpc('anvil_setCode', almost, `${await code(real)}00`)
    await actor.rpc('anvil_setStorageAt', almost, numberToHex(0, { size: 32 }), padHex(singleton, { size: 32 }))
    const inner = /b63e800d[0-9a-f]*/.exec(data)?.[0] ?? ''
    await actor.send({ to: almost, data: `0x${inner.slice(0, 8 + 64 * 12)}` })

    // A contract that logs whatever it is told, of itself and of others.
    const liar: Address = '0x000000000000000000000000000000000011a100'
    await actor.rpc('anvil_setCode', liar, '0x366000600037602051600051604036036040a200')
    const [setup = '0x'] = safeEventTopics('SafeSetup')
    const owners = encodeAbiParameters(
      [{ type: 'address[]' }, { type: 'uint256' }, { type: 'address' }, { type: 'address' }],
      [[bob.address], 1n, bob.address, bob.address],
    )
    await actor.send({ to: liar, data: concatHex([setup, padHex(bob.address), owners]) })
    for (const topic of safeEventTopics('ProxyCreation'))
      for (const named of [copy, almost, liar, factory, singleton, bob.address])
        await actor.send({ to: liar, data: concatHex([topic, padHex(named), padHex(singleton)]) })

    const known = await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1 })
    await eventually(async () => (await list()).length > 0)
    expect(await list()).toEqual([known])
    const rows = await server.db.select().from(safe)
    for (const noSafe of [copy, almost, liar, factory, singleton, bob.address])
      expect(rows.map(({ address }) => address.toLowerCase())).not.toContain(noSafe.toLowerCase())
    // The copy answers with the owners, and was created by the factory: it would be in the list, were it believed.
    expect(rows.filter(({ owners: of }) => of.includes(bob.address))).toHaveLength(1)
  })

  test('behavior: a Safe goes with the block that created it, unless somebody uses it', async () => {
    const erin = newAccount()
    const list = await listOf(erin)
    const asErin = await signInAs(server, erin)
    const snapshot = await actor.rpc('evm_snapshot')
    const unused = nextSafe(erin.address)
    await actor.send(encodeCreateProxy(unused))
    const other = nextSafe(erin.address)
    await actor.send(encodeCreateProxy(other))
    const used = predictSafeAddress(other)
    await eventually(async () => (await list()).length === 2)
    await call(asErin, addSafe, { chainId, address: used })
    await actor.revert(snapshot)
    await actor.rpc('anvil_mine', '0x1')
    await eventually(async () => (await list()).length === 1)
    expect(await list()).toEqual([used])

    await actor.send(encodeCreateProxy(unused))
    await eventually(async () => (await list()).length === 2)
    await createdEntry(predictSafeAddress(unused))
    await actor.send(encodeCreateProxy(other))
    await createdEntry(used)
  })

  test('behavior: what was created before the whole chain was followed is found, with its history', async () => {
    const databaseUrl = await createDatabase()
    const before = await startTestServer({ chains: [{ ...whole, index: 'tracked' }], databaseUrl })
    const carol = newAccount()
    const list = await listOf(carol, before)
    const own = await newSafe(devnet.rpcUrl, { owners: [carol.address], threshold: 1 })
    await actor.send({ to: own, value: 5n })
    await untilRead(before)
    expect(await list()).toEqual([])
    await before.stop()

    const after = await startTestServer({ chains: [whole], databaseUrl })
    try {
      const found = await listOf(carol, after)
      await eventually(async () => (await found()).includes(own))
      await settled(after)
      expect(await everything(after)).toEqual(await everything(server))
    } finally {
      await after.stop()
    }
  })
})

/** Every block has been seen. */
async function untilRead(of: TestServer): Promise<void> {
  const head = Number(await actor.rpc('eth_blockNumber'))
  await eventually(async () => {
    const { rows } = await of.db.execute(`select 1 from chain_cursor where block_number >= ${head}`)
    return rows.length > 0
  })
}

/** Nothing is left to read. */
async function settled(of: TestServer): Promise<void> {
  const head = Number(await actor.rpc('eth_blockNumber'))
  await eventually(async () => {
    const { rows } = await of.db.execute(`select 1 from chain_cursor c where c.block_number = ${head}
      and c.discovered_block = ${head} and not exists (select from safe where is_stale or backfill_block is not null
        or (compared_block is distinct from ${head}))`)
    return rows.length === 1
  })
}

async function everything(of: TestServer) {
  await settled(of)
  const { safeAddress, blockNumber, logIndex, part } = historyEntry
  const entries = await of.db
    .select()
    .from(historyEntry)
    .orderBy(asc(safeAddress), asc(blockNumber), asc(logIndex), asc(part))
  const safes = await of.db.select().from(safe).orderBy(asc(safe.address))
  const facts = safes.map(({ address, owners, threshold, nonce, version }) => ({
    address,
    owners,
    threshold,
    nonce,
    version,
  }))
  return { entries, facts }
}

describe('two processes', () => {
  test('behavior: when the one that follows dies, the other goes on exactly', async () => {
    const databaseUrl = await createDatabase()
    const named = (name: string) => {
      const url = new URL(databaseUrl)
      url.searchParams.set('application_name', name)
      return startTestServer({ chains: [whole], databaseUrl: url.href })
    }
    const processes = [await named('one'), await named('two')]
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const follower = async (): Promise<string | undefined> => {
      const { rows } = await client.query<{ name: string }>(`
        select application_name as name from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and classid = 4100002 and datname = current_database() and granted`)
      return rows[0]?.name
    }
    try {
      const own = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
      for (let round = 0; round < 6; round += 1) {
        const first = await eventually(follower)
        const acting = (async () => {
          for (let index = 0; index < 5; index += 1) await actor.send({ to: own, value: BigInt(1 + index) })
          await actor.execute(own, { to: bob.address, value: 1n })
          await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1 })
        })()
        await eventually(async () => {
          // As if its process ended: none of its connections is left.
          await client.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
            [first],
          )
          const now = await follower()
          return now !== undefined && now !== first
        })
        await acting
      }
      const [survivor] = processes
      if (!survivor) throw new Error('unreachable')
      expect(await everything(survivor)).toEqual(await everything(server))
    } finally {
      await client.end()
      await Promise.all(processes.map((follower) => follower.stop()))
    }
  })
})

describe('many Safes', () => {
  test('behavior: two hundred in a few blocks', async () => {
    const dave = newAccount()
    const list = await listOf(dave)
    const from = demoAccounts[7].address
    const nonce = Number(await actor.rpc('eth_getTransactionCount', from, 'latest'))
    await actor.rpc('evm_setAutomine', false)
    const wanted = Array.from({ length: 200 }, () => nextSafe(dave.address))
    await Promise.all(
      wanted.map((creation, at) => {
        const { to, data } = encodeCreateProxy(creation)
        const gas = numberToHex(400_000)
        return actor.rpc('eth_sendTransaction', { from, to, data, gas, nonce: numberToHex(nonce + at) })
      }),
    )
    for (let block = 0; block < 4; block += 1) await actor.rpc('evm_mine')
    await actor.rpc('evm_setAutomine', true)
    const found = await eventually(async () => {
      const now = await list()
      return now.length === 200 && now
    })
    expect(new Set(found)).toEqual(new Set(wanted.map(predictSafeAddress)))
    const rows = await server.db.select().from(safe).where(eq(safe.chainId, chainId))
    expect(rows.filter(({ backfillBlock, owners }) => backfillBlock !== null || owners.length === 0)).toEqual([])
  })
})
