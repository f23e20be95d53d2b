import { addSafe, call, createApiToken, getSafe, listDelegates, type TokenScope } from '@countersign/contract'
import { demoAccounts, deployContractAccount } from '@countersign/devnet'
import {
  encodeApprovedHash,
  encodeContractSignature,
  encodeSignatures,
  hashSafeMessage,
  normalizeEthSignature,
} from '@countersign/safe'
import { delegateTypedData, serviceHour } from '@countersign/safe/service'
import ApiKit from '@safe-global/api-kit'
import {
  type Account,
  type Address,
  type Chain,
  concatHex,
  createWalletClient,
  custom,
  getAddress,
  type Hex,
  hashTypedData,
  keccak256,
  stringToHex,
  type Transport,
  type WalletClient,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { delegate } from '../../db/team-schema.ts'
import { asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { type Browser, newSafe, signInAs } from '../../test/test-server.ts'

const [alice, bob, carol, dave] = demoAccounts
const chainId = 31337
const HOUR = 3_600_000

let token: string
let safeAddress: Address

openScene([alice])

beforeAll(async () => {
  token = await makeToken(asAlice, ['propose'])
})

beforeEach(async () => {
  await server.db.delete(delegate)
  safeAddress = await newSafe(devnet.rpcUrl)
  await call(asAlice, addSafe, { chainId, address: safeAddress })
})

async function makeToken(as: Browser, scopes: TokenScope[]): Promise<string> {
  return (await call(as, createApiToken, { name: 'api-kit', scopes, expiresAt: null })).token
}

const hashFor = ({ hours = 0, chain = chainId as number | null } = {}): Hex =>
  hashTypedData(
    delegateTypedData({ chainId: chain, delegate: dave.address, totp: serviceHour(Date.now() / 1000) + hours }),
  )

const signedBy = ({ privateKey }: { privateKey: Hex }, hash = hashFor()) => sign({ hash, privateKey, to: 'hex' })

async function send(
  method: 'POST' | 'DELETE',
  path: string,
  body: unknown,
  by: string | null = token,
  base = 'v2/delegates',
) {
  const response = await fetch(`${server.origin}/tx-service/${chainId}/api/${base}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(by === null ? {} : { authorization: `Bearer ${by}` }) },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? '' : JSON.parse(text) }
}

async function add(changes: Record<string, unknown> = {}, by?: string | null) {
  const usual = { safe: safeAddress, delegate: dave.address, delegator: alice.address, label: 'L' }
  const body = { ...usual, signature: await signedBy(alice), ...changes }
  return send('POST', '/', body, by)
}

async function remove(changes: Record<string, unknown> = {}) {
  const body = { delegator: alice.address, signature: await signedBy(alice), ...changes }
  return send('DELETE', `/${dave.address}`, body)
}

const together = (message: string) => ({ status: 400, body: { nonFieldErrors: [message] } })
const labels = async () =>
  (await call(asAlice, listDelegates, { chainId, safeAddress })).delegates.map(({ label }) => label)

describe('POST delegates', () => {
  test('default: echoed; the same delegate again is changed; proposer at once', async () => {
    const signature = await signedBy(alice)
    expect(await add({ signature })).toEqual({
      status: 201,
      body: {
        safe: safeAddress,
        delegate: dave.address,
        delegator: alice.address,
        signature,
        label: 'L',
        expiryDate: null,
      },
    })
    const expiryDate = new Date(Date.now() + HOUR).toISOString()
    expect((await add({ label: 'M', expiry_date: expiryDate })).status).toBe(201)
    expect((await call(asAlice, listDelegates, { chainId, safeAddress })).delegates).toMatchObject([
      { label: 'M', expiryDate, delegator: alice.address, delegate: dave.address },
    ])
    expect(await call(await signInAs(server, dave), getSafe, { chainId, safeAddress })).toMatchObject({
      role: 'proposer',
    })
  })

  test('behavior: signed this hour or the one before, with the chain or without; as a message of 32 bytes too', async () => {
    for (const hash of [hashFor({ hours: -1 }), hashFor({ chain: null }), hashFor({ hours: -1, chain: null })])
      expect((await add({ signature: await signedBy(alice, hash) })).status).toBe(201)
    const message = { raw: hashFor() }
    const signature = normalizeEthSignature(await privateKeyToAccount(alice.privateKey).signMessage({ message }))
    expect((await add({ signature })).status).toBe(201)
    const stale = together(`Signature does not match provided delegator=${alice.address}`)
    for (const hash of [hashFor({ hours: -2 }), hashFor({ hours: 1 }), hashFor({ chain: 1 })])
      expect(await add({ signature: await signedBy(alice, hash) })).toEqual(stale)
  })

  test('behavior: an owner that is a contract signs by its contract, a Safe by its owners', async () => {
    const wallet = await deployContractAccount(devnet.rpcUrl, demoAccounts[9].address, bob.address)
    const nested = await newSafe(devnet.rpcUrl, { owners: [bob.address, carol.address], threshold: 2 })
    safeAddress = await newSafe(devnet.rpcUrl, { owners: [wallet, nested, alice.address], threshold: 1 })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const byWallet = encodeContractSignature(wallet, await signedBy(bob))
    expect((await add({ delegator: wallet, signature: byWallet })).status).toBe(201)
    const content = { encoding: 'RAW', bytes: hashFor() } as const
    const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress: nested, version: '1.4.1', content })
    const inner = await Promise.all(
      [bob, carol].map(async (owner) => ({ owner: owner.address, signature: await signedBy(owner, safeMessageHash) })),
    )
    const byNested = encodeContractSignature(nested, encodeSignatures(inner))
    expect((await add({ delegator: nested, signature: byNested, label: 'N' })).status).toBe(201)
    expect(await labels()).toEqual(['L', 'N'])
    const wrong = encodeContractSignature(wallet, await signedBy(carol))
    expect(await add({ delegator: wallet, signature: wrong })).toEqual(
      together(`No valid signature found for signer=${wallet}`),
    )
    expect(await add({ signature: byWallet })).toEqual(
      together(`Signature does not match provided delegator=${alice.address}`),
    )
  })

  test('error: each misfit by its name, and nothing is written', async () => {
    const signature = await signedBy(alice)
    expect(await add({ signature: concatHex([signature, signature]) })).toEqual(
      together('More than one signatures detected, just one is expected'),
    )
    expect(await add({ signature: encodeApprovedHash(alice.address) })).toEqual(together('Signature is not valid'))
    expect(await add({ delegator: dave.address })).toEqual(
      together(`Provided delegator=${dave.address} is not an owner of Safe=${safeAddress}`),
    )
    const unknown = await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1 })
    expect(await add({ safe: unknown })).toEqual(together(`Safe=${unknown} does not exist or it's still not indexed`))
    expect(await add({ expiryDate: '2020-01-01T00:00:00.000Z' })).toEqual({
      status: 400,
      body: { expiryDate: ['`expiry_date` cannot be previous to the current timestamp'] },
    })
    expect(await add({ label: '', delegate: dave.address.toLowerCase(), signature: '0x12' })).toMatchObject({
      status: 400,
      body: {
        label: ['This field may not be blank.'],
        delegate: [expect.any(String)],
        signature: [expect.any(String)],
      },
    })
    expect((await add({ label: 'x'.repeat(51) })).body).toHaveProperty('label')
    expect((await add({ label: 'a\u202eb' })).body).toHaveProperty('label')
    expect(await labels()).toEqual([])
  })

  test('error: 401 without an account, 403 without the scope; somebody who does not know the Safe is told nothing', async () => {
    expect((await add({}, null)).status).toBe(401)
    expect((await add({}, await makeToken(asAlice, ['read', 'confirm']))).status).toBe(403)
    const his = await makeToken(await signInAs(server, demoAccounts[6]), ['propose'])
    expect(await add({}, his)).toEqual(together(`Safe=${safeAddress} does not exist or it's still not indexed`))
    expect(await labels()).toEqual([])
  })
})

describe('DELETE delegates', () => {
  test('default: by the delegate or the delegator; then it is not found', async () => {
    for (const who of [alice, dave]) {
      await add()
      expect(await remove({ signature: await signedBy(who), safe: safeAddress })).toEqual({ status: 204, body: '' })
      expect(await remove({ signature: await signedBy(who) })).toEqual({ status: 404, body: '' })
      expect(await labels()).toEqual([])
    }
  })

  test('behavior: without a Safe, all of the pair', async () => {
    await add()
    await add({ safe: null })
    expect(await labels()).toHaveLength(2)
    expect((await remove()).status).toBe(204)
    expect(await labels()).toEqual([])
  })

  test('error: of another signer, of a path that is none', async () => {
    await add()
    expect(await remove({ signature: await signedBy(bob) })).toEqual(
      together(`Signature does not match provided delegate=${dave.address} or delegator=${alice.address}`),
    )
    const path = `/${dave.address.toLowerCase()}/`
    expect(await send('DELETE', path, { delegator: alice.address, signature: await signedBy(alice) })).toMatchObject({
      status: 422,
      body: { code: 1 },
    })
    expect(await labels()).toEqual(['L'])
  })
})

describe('v1', () => {
  const text = (hours = 0) => `${dave.address}${serviceHour(Date.now() / 1000) + hours}`
  const signText = ({ privateKey }: { privateKey: Hex }, hours = 0) =>
    sign({ hash: keccak256(stringToHex(text(hours))), privateKey, to: 'hex' })
  const base = 'v1/delegates'

  async function addByText(changes: Record<string, unknown> = {}) {
    const usual = { safe: safeAddress, delegate: dave.address, delegator: alice.address, label: 'L' }
    return send('POST', '/', { ...usual, signature: await signText(alice), ...changes }, token, base)
  }

  test('default: a text with the hour in it, hashed or signed as a message, names and removes', async () => {
    const signature = await signText(alice)
    const delegate = { safe: safeAddress, delegate: dave.address, delegator: alice.address, label: 'L' }
    expect(await addByText({ signature })).toEqual({ status: 201, body: { ...delegate, signature } })
    const listed = await fetch(`${server.origin}/tx-service/${chainId}/api/${base}?safe=${safeAddress}`, {
      headers: { authorization: `Bearer ${await makeToken(asAlice, ['read'])}` },
    })
    expect(await listed.json()).toEqual({ count: 1, next: null, previous: null, results: [delegate] })
    const message = await privateKeyToAccount(alice.privateKey).signMessage({ message: text(-1) })
    expect((await addByText({ signature: message, label: 'M' })).status).toBe(201)
    expect(await labels()).toEqual(['M'])
    const body = { delegator: alice.address, signature: await signText(dave) }
    expect(await send('DELETE', `/${dave.address}/`, body, token, base)).toEqual({ status: 204, body: '' })
    expect(await send('DELETE', `/${dave.address}/`, body, token, base)).toEqual({ status: 404, body: '' })
  })

  test('behavior: of one Safe, whoever named the delegate', async () => {
    const ofSafe = `v1/safes/${safeAddress}/delegates`
    await addByText()
    await addByText({ safe: null, label: 'everywhere' })
    const other = getAddress(bob.address)
    const drop = (body: unknown) => send('DELETE', `/${dave.address}/`, body, token, ofSafe)
    expect(await drop({ signature: await signText(alice), delegate: other })).toEqual({
      status: 422,
      body: {
        code: 2,
        message: 'Delegate address in body should match the one in the url',
        arguments: [other, dave.address],
      },
    })
    expect(await drop({ signature: await signText(bob) })).toEqual(
      together(`Signature does not match provided delegate=${dave.address} or delegator=${alice.address}`),
    )
    expect(await drop({ signature: await signText(alice) })).toEqual({ status: 204, body: '' })
    expect(await labels()).toEqual(['everywhere'])
    expect(await drop({ signature: await signText(alice) })).toEqual({ status: 404, body: '' })
  })

  test('error: of another hour, of typed data', async () => {
    const refused = together(`Signature does not match provided delegator=${alice.address}`)
    for (const signature of [await signText(alice, -2), await signText(alice, 1), await signedBy(alice)])
      expect(await addByText({ signature })).toEqual(refused)
    expect(await add({ signature: await signText(alice) })).toEqual(refused)
    expect(await labels()).toEqual([])
  })
})

test('behavior: api-kit names and removes a delegate', async () => {
  const txServiceUrl = `${server.origin}/tx-service/${chainId}/api`
  const kit = new ApiKit({ chainId: BigInt(chainId), txServiceUrl, apiKey: token })
  const account = privateKeyToAccount(alice.privateKey)
  const transport = custom({ request: () => Promise.reject(new Error('no node is needed')) })
  const signer: WalletClient<Transport, Chain, Account> = createWalletClient<Transport, Chain, Account>({
    account,
    chain: foundry,
    transport,
  })
  const named = { delegateAddress: dave.address, delegatorAddress: alice.address, signer }
  const added = await kit.addSafeDelegate({ ...named, safeAddress, label: 'Kit' })
  expect(added).toMatchObject({ safe: safeAddress, delegate: dave.address, delegator: alice.address, label: 'Kit' })
  expect(await labels()).toEqual(['Kit'])
  await kit.removeSafeDelegate(named)
  expect(await labels()).toEqual([])
  await expect(kit.removeSafeDelegate(named)).rejects.toThrow('Not Found')
  await expect(kit.addSafeDelegate({ ...named, safeAddress: zeroAddress, label: 'Kit' })).rejects.toThrow()
})
