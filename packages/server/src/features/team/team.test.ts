import {
  addDelegate,
  addDelegateOfAll,
  addSafe,
  type ClientOptions,
  call,
  getSafe,
  type Input,
  inviteViewer,
  listDelegates,
  listQueue,
  listSafes,
  listViewers,
  nameAddress,
  proposeTransaction,
  removeDelegate,
  removeDelegateOfAll,
  removeViewer,
} from '@countersign/contract'
import { type DemoAccount, demoAccounts } from '@countersign/devnet'
import { eq, sql } from 'drizzle-orm'
import { type Address, encodeFunctionData } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { safe } from '../../db/schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import { actor, asAlice, asBob, devnet, openScene, server } from '../../test/scene.ts'
import { type Browser, codeOf, eventually, newSafe, signedTx, signInAs } from '../../test/test-server.ts'
import { removeEndedDelegates } from './delegates.ts'

const [alice, bob, carol, dave, eve] = demoAccounts
const chainId = 31337
const MINUTE = 60_000

let asDave: Browser
let asEve: Browser
let safeAddress: Address

openScene([alice, bob], () => ({ hasRateLimits: false }))

beforeAll(async () => {
  asDave = await signInAs(server, dave)
  asEve = await signInAs(server, eve)
})

/** A Safe of alice and bob; alice alone decides. */
beforeEach(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
})

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString()

function name(as: ClientOptions, changes: Partial<Input<typeof addDelegate>> = {}) {
  return call(as, addDelegate, {
    chainId,
    safeAddress,
    delegate: dave.address,
    label: 'Payroll',
    expiryDate: null,
    ...changes,
  })
}

async function roleOf(as: ClientOptions): Promise<string | null> {
  return call(as, getSafe, { chainId, safeAddress }).then(
    ({ role }) => role,
    () => 'not there',
  )
}

const delegatesOf = async (as: ClientOptions) => (await call(as, listDelegates, { chainId, safeAddress })).delegates
const viewersOf = async (as: ClientOptions) => (await call(as, listViewers, { chainId, safeAddress })).viewers

async function removeOwner(owner: DemoAccount, before: Address): Promise<void> {
  const data = encodeFunctionData({
    abi: settingsAbi,
    functionName: 'removeOwner',
    args: [before, owner.address, 1n],
  })
  await actor.execute(safeAddress, { to: safeAddress, data })
}

async function ownersAreKnown(count: number): Promise<void> {
  await eventually(async () => (await call(asAlice, getSafe, { chainId, safeAddress })).owners.length === count)
}

/** Until the follower is where the chain is, with the past of the Safe read. */
async function isFollowed(): Promise<void> {
  await eventually(async () => {
    const head = Number(await actor.rpc('eth_blockNumber'))
    const { rows } = await server.db.execute(sql`
      select from safe s join chain_cursor c on c.chain_id = s.chain_id
      where s.address = decode(${safeAddress.slice(2)}, 'hex') and s.backfill_block is null and c.block_number >= ${head}`)
    return rows.length > 0
  })
}

describe('addDelegate', () => {
  test('default: the delegate is a proposer at once, told to the team, and named in the log', async () => {
    expect(await roleOf(asDave)).toBe('not there')
    const named = await name(asAlice, { expiryDate: inMinutes(60) })
    expect(named).toMatchObject({ safeAddress, delegate: dave.address, delegator: alice.address, label: 'Payroll' })
    expect(await roleOf(asDave)).toBe('proposer')
    expect((await call(asDave, listSafes, {})).safes).toContainEqual(
      expect.objectContaining({ address: safeAddress, role: 'proposer' }),
    )
    for (const as of [asAlice, asBob, asDave]) expect(await delegatesOf(as)).toEqual([named])
    const { rows } = await server.db.execute(
      sql`select verb, detail from activity where verb = 'named-proposer' order by id desc limit 1`,
    )
    expect(rows).toMatchObject([{ detail: { delegate: dave.address, label: 'Payroll' } }])
  })

  test('behavior: again: another label and another end, not a second row', async () => {
    await name(asAlice)
    const expiryDate = inMinutes(5)
    await name(asAlice, { label: 'Treasury', expiryDate })
    expect(await delegatesOf(asAlice)).toMatchObject([{ label: 'Treasury', expiryDate }])
    await name(asBob)
    expect(await delegatesOf(asAlice)).toHaveLength(2)
  })

  test('behavior: over at its end, at once, and purged', async () => {
    await name(asAlice, { expiryDate: inMinutes(2) })
    server.pass(3 * MINUTE)
    expect(await roleOf(asDave)).toBe('not there')
    expect(await delegatesOf(asAlice)).toEqual([])
    await removeEndedDelegates({ db: server.db, clock: () => new Date(Date.now() + 3 * MINUTE) }, 128)
    expect(await count('delegate')).toBe(0)
    server.pass(-3 * MINUTE)
  })

  test('behavior: out of force at once when the chain makes its owner no owner, in force again when it takes that back', async () => {
    await name(asBob)
    expect(await roleOf(asDave)).toBe('proposer')
    await isFollowed()
    const snapshot = await actor.rpc('evm_snapshot')
    await removeOwner(bob, alice.address)
    await ownersAreKnown(1)
    await isFollowed()
    expect(await roleOf(asDave)).toBe('not there')
    expect(await delegatesOf(asAlice)).toEqual([])
    await removeEndedDelegates({ db: server.db, clock: () => new Date() }, 128)
    await actor.rpc('evm_revert', snapshot)
    await actor.rpc('evm_mine')
    await actor.rpc('evm_mine')
    await ownersAreKnown(2)
    expect(await roleOf(asDave)).toBe('proposer')
  })

  test('behavior: what a former owner said is gone once the chain cannot take it back, and does not come back with the owner', async () => {
    await name(asBob)
    await call(asBob, inviteViewer, { chainId, safeAddress, account: eve.address, label: 'Auditor' })
    await name(asAlice, { delegate: carol.address })
    await removeOwner(bob, alice.address)
    await ownersAreKnown(1)
    await eventually(async () => {
      await actor.rpc('evm_mine')
      await removeEndedDelegates({ db: server.db, clock: () => new Date() }, 3)
      return (await count('delegate')) === 1
    })
    const data = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'addOwnerWithThreshold',
      args: [bob.address, 1n],
    })
    await actor.execute(safeAddress, { to: safeAddress, data })
    await ownersAreKnown(2)
    expect(await roleOf(asDave)).toBe('not there')
    expect(await roleOf(asEve)).toBe('not there')
    expect(await delegatesOf(asBob)).toMatchObject([{ delegate: carol.address }])
  })

  test('behavior: one wrong answer about the owners removes nothing permanently', async () => {
    await name(asBob)
    await isFollowed()
    await server.db
      .update(safe)
      .set({ owners: [alice.address] })
      .where(eq(safe.address, safeAddress))
    expect(await roleOf(asDave)).toBe('not there')
    await removeEndedDelegates({ db: server.db, clock: () => new Date() }, -1)
    expect(await count('delegate')).toBe(1)
  })

  test('error: SAFE_NOT_FOUND for a stranger, NOT_AN_OWNER for who only added the Safe', async () => {
    expect(await codeOf(name(asEve, { delegate: eve.address }))).toBe('SAFE_NOT_FOUND')
    await call(asEve, addSafe, { chainId, address: safeAddress })
    expect(await codeOf(name(asEve, { delegate: eve.address }))).toBe('NOT_AN_OWNER')
    await name(asAlice)
    expect(await codeOf(name(asDave, { delegate: eve.address }))).toBe('NOT_AN_OWNER')
  })

  test('error: INVALID_REQUEST for an end in the past and a label that is none', async () => {
    for (const wrong of [{ expiryDate: '2020-01-01T00:00:00Z' }, { label: ' ' }, { label: 'a\u200eb' }])
      expect(await codeOf(name(asAlice, wrong))).toBe('INVALID_REQUEST')
    expect(await delegatesOf(asAlice)).toEqual([])
  })

  test('error: TOO_MANY at the 101st, also of many at a time', async () => {
    const own = await signInAs(server, demoAccounts[7])
    const codes = await Promise.all(
      Array.from({ length: 104 }, () =>
        codeOf(
          call(own, addDelegateOfAll, {
            chainId,
            delegate: privateKeyToAddress(generatePrivateKey()),
            label: 'x',
            expiryDate: null,
          }),
        ),
      ),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(100)
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(4)
    await server.db.execute(sql`delete from delegate`)
  })
})

describe('addDelegateOfAll', () => {
  test('default: for every Safe that the account owns, and for no other', async () => {
    const other = await newSafe(devnet.rpcUrl, { owners: [carol.address], threshold: 1 })
    await call(await signInAs(server, carol), addSafe, { chainId, address: other })
    await call(asBob, addDelegateOfAll, { chainId, delegate: dave.address, label: 'Ops', expiryDate: null })
    expect(await delegatesOf(asAlice)).toMatchObject([{ safeAddress: null, delegator: bob.address }])
    expect(await roleOf(asDave)).toBe('proposer')
    expect(await codeOf(call(asDave, getSafe, { chainId, safeAddress: other }))).toBe('SAFE_NOT_FOUND')
    await removeOwner(bob, alice.address)
    await ownersAreKnown(1)
    expect(await roleOf(asDave)).toBe('not there')
    // It is about the account, which may own another Safe tomorrow.
    await removeEndedDelegates({ db: server.db, clock: () => new Date() }, -1)
    expect(await count('delegate')).toBeGreaterThan(0)
    await call(asBob, removeDelegateOfAll, { chainId, delegator: bob.address, delegate: dave.address })
  })
})

describe('removeDelegateOfAll', () => {
  test('behavior: the team of each Safe that the delegator owns is told when a delegation begins and when it ends', async () => {
    const aborted = new AbortController()
    const stream = await asAlice.fetch(`${server.origin}/api/events`, { signal: aborted.signal })
    let told = ''
    const reading = (async () => {
      for await (const part of stream.body ?? []) told += new TextDecoder().decode(part)
    })().catch(() => {})
    const timesTold = () => told.match(new RegExp(`"kind":"team"[^}]*${safeAddress}`, 'g'))?.length ?? 0
    await eventually(async () => told.includes('connected'))
    const before = timesTold()
    await call(asBob, addDelegateOfAll, { chainId, delegate: dave.address, label: 'Ops', expiryDate: null })
    await eventually(async () => timesTold() === before + 1)
    await call(asBob, removeDelegateOfAll, { chainId, delegator: bob.address, delegate: dave.address })
    await eventually(async () => timesTold() === before + 2)
    aborted.abort()
    await reading
  })
})

describe('removeDelegate', () => {
  const key = { delegate: dave.address, delegator: alice.address }

  test.each([
    ['delegator', () => asAlice],
    ['delegate', () => asDave],
  ])('default: by the %s', async (_, who) => {
    await name(asAlice)
    await call(who(), removeDelegate, { chainId, safeAddress, ...key })
    expect(await roleOf(asDave)).toBe('not there')
    expect(await delegatesOf(asAlice)).toEqual([])
  })

  test('error: DELEGATE_NOT_FOUND for anybody else, whether it is there or not, and for the same again', async () => {
    await name(asAlice)
    for (const as of [asBob, asEve])
      expect(await codeOf(call(as, removeDelegate, { chainId, safeAddress, ...key }))).toBe('DELEGATE_NOT_FOUND')
    expect(await codeOf(call(asAlice, removeDelegateOfAll, { chainId, ...key }))).toBe('DELEGATE_NOT_FOUND')
    expect(await roleOf(asDave)).toBe('proposer')
    await call(asAlice, removeDelegate, { chainId, safeAddress, ...key })
    expect(await codeOf(call(asAlice, removeDelegate, { chainId, safeAddress, ...key }))).toBe('DELEGATE_NOT_FOUND')
  })
})

describe('viewers', () => {
  const invite = (as: ClientOptions, label = 'Auditor') =>
    call(as, inviteViewer, { chainId, safeAddress, account: eve.address, label })

  test('default: sees what the team sees, in My Safes, and writes nothing', async () => {
    const proposal = await signedTx(safeAddress, alice, { nonce: 0n })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
    await invite(asAlice)
    expect((await call(asEve, listSafes, {})).safes).toContainEqual(
      expect.objectContaining({ address: safeAddress, role: 'viewer' }),
    )
    const { transactions } = await call(asEve, listQueue, { chainId, safeAddress })
    expect(transactions).toMatchObject([{ safeTxHash: proposal.safeTxHash }])
    expect(await viewersOf(asEve)).toMatchObject([{ account: eve.address, invitedBy: alice.address, label: 'Auditor' }])
    const own = await signedTx(safeAddress, eve, { nonce: 1n })
    expect(await codeOf(call(asEve, proposeTransaction, { chainId, safeAddress, ...own }))).not.toBe('no error')
    expect(await codeOf(call(asEve, nameAddress, { chainId, safeAddress, address: eve.address, name: 'x' }))).toBe(
      'NOT_OWNER_OR_DELEGATE',
    )
    expect(await codeOf(invite(asEve))).toBe('NOT_AN_OWNER')
    expect(await codeOf(name(asEve))).toBe('NOT_AN_OWNER')
  })

  test('behavior: again: another label; two owners who invite are one viewer', async () => {
    await invite(asAlice)
    await invite(asAlice, 'Tax office')
    await invite(asBob, 'Late')
    expect(await viewersOf(asAlice)).toMatchObject([{ label: 'Tax office' }])
  })

  test('behavior: any owner takes it back; the viewer may leave', async () => {
    await invite(asAlice)
    await invite(asBob)
    await call(asBob, removeViewer, { chainId, safeAddress, account: eve.address })
    expect(await roleOf(asEve)).toBe('not there')
    expect(await codeOf(call(asBob, removeViewer, { chainId, safeAddress, account: eve.address }))).toBe(
      'VIEWER_NOT_FOUND',
    )
    await invite(asAlice)
    await call(asEve, removeViewer, { chainId, safeAddress, account: eve.address })
    expect(await viewersOf(asAlice)).toEqual([])
  })

  test('behavior: over when the owner who invited is none any more', async () => {
    await invite(asBob)
    await removeOwner(bob, alice.address)
    await ownersAreKnown(1)
    expect(await roleOf(asEve)).toBe('not there')
    expect(await viewersOf(asAlice)).toEqual([])
  })

  test('error: a proposer removes nobody; a stranger learns nothing', async () => {
    await invite(asAlice)
    await name(asAlice)
    const removal = { chainId, safeAddress, account: eve.address }
    expect(await codeOf(call(asDave, removeViewer, removal))).toBe('NOT_AN_OWNER')
    const asStranger = await signInAs(server, demoAccounts[6])
    for (const ask of [
      () => call(asStranger, removeViewer, removal),
      () => call(asStranger, listViewers, { chainId, safeAddress }),
      () => call(asStranger, listDelegates, { chainId, safeAddress }),
      () => call(asStranger, inviteViewer, { ...removal, label: 'x' }),
    ])
      expect(await codeOf(ask())).toBe('SAFE_NOT_FOUND')
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    expect(await codeOf(call(asStranger, listViewers, { chainId, safeAddress }))).toBe('NOT_A_MEMBER')
    expect(await codeOf(call(asStranger, listDelegates, { chainId, safeAddress }))).toBe('NOT_A_MEMBER')
  })

  test('error: TOO_MANY at the 101st, also of many at a time', async () => {
    const codes = await Promise.all(
      Array.from({ length: 103 }, () =>
        codeOf(
          call(asAlice, inviteViewer, {
            chainId,
            safeAddress,
            account: privateKeyToAddress(generatePrivateKey()),
            label: 'x',
          }),
        ),
      ),
    )
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(3)
    expect(await viewersOf(asAlice)).toHaveLength(100)
  })
})

async function count(table: 'delegate'): Promise<number> {
  const { rows } = await server.db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)}
      where safe_address is null or safe_address = decode(${safeAddress.slice(2)}, 'hex')`,
  )
  return rows[0]?.count ?? -1
}
