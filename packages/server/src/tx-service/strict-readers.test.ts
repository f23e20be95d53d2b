import { addSafe, call, listHistory } from '@countersign/contract'
import { type DemoAccount, demoAccounts, deployOldSafe, testContractAbi } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { delegateTypedData, serviceHour } from '@countersign/safe/service'
import { type Address, encodeFunctionData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, settingsAbi } from '../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { devnetChain, eventually, newSafe, signedTx } from '../test/test-server.ts'
import { newTxClient, type TxAnswer, type TxClient } from '../test/tx-client.ts'
import { wireSchemas } from './wire/answer-schemas.ts'

/* A Safe of each release with a row of every kind: every list, and every one of its rows, passes strict readers. */

const [alice, bob, carol, dave] = demoAccounts
const chainId = 31337
const releases = ['1.0.0', '1.1.1', '1.3.0', '1.4.1', '1.5.0', '1.4.1+L2'] as const
type Release = (typeof releases)[number]

type Operation = { responses: { '2XX': { content?: { 'application/json': { schema: { $ref: string } } } } } }

let client: TxClient
/** Paths of the OpenAPI document. */
let paths: Record<string, Partial<Record<'get' | 'post', Operation>>>
const safes = new Map<Release, Address>()

openScene([alice], () => {
  const listed = { address: devnet.tokens.erc20, symbol: 'TUSD', name: 'Test Dollar', decimals: 6 }
  const chain = { ...devnetChain(devnet.rpcUrl), tokens: [listed], txService: { publicReads: true } }
  return { chains: [chain], hasRateLimits: false }
})

beforeAll(async () => {
  client = await newTxClient(server, asAlice)
  const response = await fetch(`${server.origin}/tx-service/schema`)
  paths = ((await response.json()) as { paths: typeof paths }).paths
  for (const release of releases) safes.set(release, await newScene(release))
})

async function deploy(release: Release): Promise<Address> {
  const owners = [alice.address]
  if (release === '1.0.0' || release === '1.1.1')
    return deployOldSafe({
      rpcUrl: devnet.rpcUrl,
      version: release,
      owners,
      threshold: 1,
      saltNonce: BigInt(Date.now()),
    })
  const l2 = release === '1.4.1+L2'
  const version = release === '1.4.1+L2' ? '1.4.1' : release
  return newSafe(devnet.rpcUrl, { version, l2, owners, threshold: 1 })
}

const token = (name: 'TestErc20' | 'TestErc721' | 'TestErc1155', functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi: testContractAbi(name), functionName, args })
const settings = (functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi: settingsAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])

/** Everything that can happen to a Safe. */
async function newScene(release: Release): Promise<Address> {
  const safe = await deploy(release)
  const version = release.replace('+L2', '')
  const { erc20, erc721, erc1155 } = devnet.tokens
  const execute = (fields: Parameters<Actor['execute']>[1]) => actor.execute(safe, fields, version)
  await actor.send({ to: safe, value: 10n ** 18n })
  await actor.send({ to: erc20, data: token('TestErc20', 'mint', [safe, 5_000_000n]) })
  await actor.send({ to: erc721, data: token('TestErc721', 'mint', [safe, BigInt(Date.now())]) })
  await actor.send({ to: erc1155, data: token('TestErc1155', 'mint', [bob.address, 9n, 3n]) })
  const give = token('TestErc1155', 'safeTransferFrom', [bob.address, safe, 9n, 1n, '0x'])
  // Only a Safe with a handler takes one; the others are set up without.
  await actor.send({ from: bob.address, to: erc1155, data: give }).catch(() => null)
  await execute({ to: bob.address, value: 7n })
  await execute({ to: erc20, data: token('TestErc20', 'transfer', [bob.address, 5n]) })
  // It fails, and the nonce is used up.
  await execute({ to: erc20, data: token('TestErc20', 'transfer', [bob.address, 10n ** 30n]), safeTxGas: 100_000n })
  await execute({ to: safe, data: settings('enableModule', [carol.address]) })
  for (const [to, value, data] of [
    [bob.address, 3n, '0x'],
    [erc20, 0n, token('TestErc20', 'transfer', [bob.address, 77n])],
    [erc20, 0n, token('TestErc20', 'transfer', [bob.address, 10n ** 30n])],
  ] as const)
    await actor.send({
      from: carol.address,
      to: safe,
      data: settings('execTransactionFromModule', [to, value, data, 0]),
    })
  await execute({ to: safe, data: settings('addOwnerWithThreshold', [bob.address, 1n]) })
  await call(asAlice, addSafe, { chainId, address: safe })
  // Its npm package holds other code than the released one, of which nothing is taken here.
  if (release !== '1.0.0') await fillTeam(safe, version)
  await eventually(async () => {
    const { body } = await client.ask(`/v1/safes/${safe}/multisig-transactions/?executed=true`)
    return body.count === 5
  })
  return safe
}

/** Stores data of the team: proposals, a delegate, messages. */
async function fillTeam(safe: Address, version: string): Promise<void> {
  const sign = (account: DemoAccount) => privateKeyToAccount(account.privateKey)
  const nonce = (await actor.nonceOf(safe)) + 3n
  for (const signed of [true, false]) {
    const { safeTx, safeTxHash, signature } = await signedTx(
      safe,
      alice,
      { nonce, value: signed ? 1n : 2n },
      { version },
    )
    const texts = Object.fromEntries(
      Object.entries(safeTx).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
    )
    const body = { ...texts, contractTransactionHash: safeTxHash, sender: alice.address, origin: '{"url":"https://x"}' }
    const path = `/v2/safes/${safe}/multisig-transactions/`
    expect(await client.post(path, signed ? { ...body, signature } : body)).toMatchObject({ status: 201, body: '' })
    if (signed) await post(`/v1/multisig-transactions/${safeTxHash}/confirmations/`, { signature })
  }
  const totp = serviceHour(Date.now() / 1000)
  const named = { safe, delegate: dave.address, delegator: alice.address, label: 'Dave' }
  const text = await sign(alice).signMessage({ message: `${dave.address}${totp}` })
  await post('/v1/delegates/', { ...named, signature: text })
  const typed = delegateTypedData({ chainId, delegate: dave.address, totp })
  await post('/v2/delegates/', { ...named, signature: await sign(alice).signTypedData(typed) })
  for (const message of ['Hello Safe', mail]) {
    const content = parseMessageContent(JSON.stringify(message))
    const context = { chainId, safeAddress: safe, version, content }
    expect(hashSafeMessage(context).safeMessageHash).toMatch(/^0x/)
    const ofAlice = await sign(alice).signTypedData(safeMessageTypedData(context))
    await client.post(`/v1/safes/${safe}/messages/`, { message, signature: ofAlice })
  }
}

const mail = {
  domain: { name: 'Test', chainId },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Mail: [{ name: 'contents', type: 'string' }],
  },
  primaryType: 'Mail',
  message: { contents: 'hi' },
}

/** Routes whose answers were read. */
const read = new Set<string>()

/** Finds faults of an answer by the schema that the OpenAPI document names for its route. */
function faultsOf(body: unknown, path: string, method: 'get' | 'post' = 'get') {
  const [url = ''] = `/tx-service/${chainId}/api${path}`.split('?')
  const [template = '', route] = Object.entries(paths).find(([template]) => urlOf(template).test(url)) ?? []
  const name = schemaOf(route?.[method]) ?? ''
  if (!(name in wireSchemas)) throw new Error(`${method} ${path} has no schema`)
  read.add(`${method} ${template}`)
  return wireSchemas[name as keyof typeof wireSchemas].safeParse(body).error?.issues ?? []
}

function schemaOf(operation: Operation | undefined): string | undefined {
  return operation?.responses['2XX'].content?.['application/json'].schema.$ref.split('/').at(-1)
}

function urlOf(template: string): RegExp {
  return new RegExp(`^${template.replace('{chainId}', String(chainId)).replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Reads an answer that strict readers take. */
async function readOne(path: string): Promise<TxAnswer['body']> {
  const { status, body } = await client.ask(path)
  expect([path, status, faultsOf(body, path)]).toEqual([path, 200, []])
  return body
}

async function post(path: string, given: unknown): Promise<void> {
  const { status, body } = await client.post(path, given)
  expect([path, status < 300, faultsOf(body, path, 'post')]).toEqual([path, true, []])
}

/** All rows of a list, page by page. */
async function readAll(path: string): Promise<TxAnswer['body'][]> {
  const found = []
  for (let offset = 0; ; offset += 2) {
    const page = await readOne(`${path}${path.includes('?') ? '&' : '?'}limit=2&offset=${offset}`)
    found.push(...page.results)
    if (page.next === null) return found
  }
}

describe.each(releases)('a Safe %s', (release) => {
  const at = (path: string) => `/v1/safes/${safes.get(release)}${path}`

  test.each(['v1', 'v2'] as const)('default: transactions of owners, %s', async (version) => {
    const list = at('/multisig-transactions/?trusted=false').replace('v1', version)
    const rows = await readAll(list)
    expect(rows.filter(({ isExecuted }) => isExecuted)).toHaveLength(5)
    expect(rows.filter(({ isSuccessful }) => isSuccessful === false)).toHaveLength(1)
    expect(rows.some(({ trusted }) => !trusted)).toBe(release !== '1.0.0')
    for (const { safeTxHash } of rows) {
      await readOne(`/${version}/multisig-transactions/${safeTxHash}/`)
      await readOne(`/v1/multisig-transactions/${safeTxHash}/confirmations/`)
    }
  })

  test.each(['v1', 'v2'] as const)('default: the history, %s', async (version) => {
    const list = at('/all-transactions/').replace('v1', version)
    const rows = await readAll(list)
    const types = new Set(rows.map(({ txType }) => txType))
    expect(types).toContain('MULTISIG_TRANSACTION')
    expect(types).toContain('ETHEREUM_TRANSACTION')
  })

  test('default: transfers, and none of ERC-1155', async () => {
    const rows = await readAll(at('/transfers/'))
    expect(new Set(rows.map(({ type }) => type))).toEqual(
      new Set(['ETHER_TRANSFER', 'ERC20_TRANSFER', 'ERC721_TRANSFER']),
    )
    for (const { transferId, tokenInfo } of rows) {
      await readOne(`/v1/transfer/${transferId}/`)
      if (tokenInfo) await readOne(`/v1/tokens/${tokenInfo.address}/`)
    }
    await readAll(at('/incoming-transfers/'))
    await readAll(at('/export/?'))
  })

  test('default: what modules executed', async () => {
    const rows = await readAll(at('/module-transactions/'))
    // The contracts of 1.0.0 tell of none.
    expect(rows.map(({ to, value, isSuccessful }) => [to, value, isSuccessful])).toEqual(
      release === '1.0.0'
        ? []
        : [
            [devnet.tokens.erc20, '0', false],
            [devnet.tokens.erc20, '0', true],
            [bob.address, '3', true],
          ],
    )
    for (const { moduleTransactionId } of rows) await readOne(`/v1/module-transaction/${moduleTransactionId}/`)
  })

  test('default: the Safe itself, what it has, its messages and delegates', async () => {
    await readOne(at('/'))
    await readOne(at('/creation/'))
    await readOne(at('/balances/'))
    await readAll(at('/balances/').replace('v1', 'v2'))
    expect(await readAll(at('/collectibles/').replace('v1', 'v2'))).toHaveLength(1)
    for (const { messageHash } of await readAll(at('/messages/'))) await readOne(`/v1/messages/${messageHash}/`)
    for (const version of ['v1', 'v2'] as const)
      expect(await readAll(`/${version}/delegates/?safe=${safes.get(release)}`)).toHaveLength(
        release === '1.0.0' ? 0 : 1,
      )
    await post(at('/multisig-transactions/estimations/'), { to: bob.address, value: '0', data: null, operation: 0 })
  })
})

describe('the service itself', () => {
  test('default: about, tokens, contracts, owners, modules', async () => {
    await readOne('/v1/about/')
    await readOne('/v1/about/singletons/')
    await readOne('/v1/about/indexing/')
    await readAll('/v1/tokens/')
    await readAll('/v1/tokens/lists/')
    for (const { address } of (await readAll('/v1/contracts/')).slice(0, 2)) await readOne(`/v1/contracts/${address}/`)
    await readOne('/v1/about/ethereum-rpc/')
    await readOne('/v1/about/deployments/')
    await post('/v1/data-decoder/', { data: token('TestErc20', 'transfer', [bob.address, 5n]) })
    for (const path of [`owners/${alice.address}`, `modules/${carol.address}`]) {
      expect((await readOne(`/v1/${path}/safes/`)).safes).toHaveLength(releases.length)
      expect(await readAll(`/v2/${path}/safes/`)).toHaveLength(releases.length)
    }
  })

  test('default: the picture of a token is there, for a browser without a token of ours', async () => {
    const { body } = await client.ask(`/v1/tokens/${devnet.tokens.erc20}/`)
    expect(new URL(body.logoUri).origin).toBe(server.origin)
  })

  test('behavior: a token of ERC-1155 is none of this wire; one of ERC-721 says so', async () => {
    expect(await client.ask(`/v1/tokens/${devnet.tokens.erc1155}/`)).toMatchObject({ status: 404 })
    expect((await client.ask(`/v1/tokens/${devnet.tokens.erc721}/`)).body).toMatchObject({ type: 'ERC721' })
    expect((await client.ask(`/v1/tokens/${bob.address}/`)).status).toBe(404)
  })

  test('behavior: our own API keeps what came of ERC-1155', async () => {
    const safeAddress = safes.get('1.4.1+L2')
    if (!safeAddress) throw new Error('no Safe')
    const { entries } = await call(asAlice, listHistory, { chainId, safeAddress })
    expect(entries.some((entry) => 'tokenKind' in entry && entry.tokenKind === 'erc1155')).toBe(true)
  })
})

test('behavior: these are all answers that the document describes', () => {
  const described = Object.entries(paths).flatMap(([template, route]) =>
    (['get', 'post'] as const).filter((method) => schemaOf(route[method])).map((method) => `${method} ${template}`),
  )
  expect([...read].sort()).toEqual(described.sort())
})
