import { addSafe, call, confirmTransaction, proposeTransaction } from '@countersign/contract'
import { canonicalContract, demoAccounts, testContractAbi } from '@countersign/devnet'
import { encodeCreateProxy, hashSafeMessage } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, getAddress, type Hex, padHex, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { delegate, messageConfirmation, safeMessage } from '../db/team-schema.ts'
import { lowerCase } from '../rpc/logs.ts'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { devnetChain, eventually, newSafe, signedTx, signInAs } from '../test/test-server.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'
import { wireSchemas } from './wire/answer-schemas.ts'

const [alice, bob, carol, dave] = demoAccounts
const sender = demoAccounts[8].address
const chainId = 31337
const created = z.object({
  from: z.string(),
  blockNumber: z.string(),
  logs: z.array(z.object({ topics: z.array(z.string()) })),
})
const nobody = getAddress('0x5afe000000000000000000000000000000005afe')

let byAlice: TxClient
let byDave: TxClient
/** Safe of alice alone, with a past. */
let own: Address
/** Safe of three, with a queue. */
let shared: Address
let pending: Hex[]

openScene([alice], () => {
  const tokens = [{ address: devnet.tokens.erc20, symbol: 'TUSD', name: 'Test Dollar', decimals: 6 }]
  return { chains: [{ ...devnetChain(devnet.rpcUrl), tokens }] }
})

beforeAll(async () => {
  const { erc20, erc721 } = devnet.tokens
  byAlice = await newTxClient(server, asAlice)
  byDave = await newTxClient(server, await signInAs(server, dave))
  own = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true })
  shared = await newSafe(devnet.rpcUrl)
  await actor.send({ to: own, value: 3n * 10n ** 18n })
  await actor.send({ to: erc20, data: encode('TestErc20', 'mint', [own, 5_000_000n]) })
  await actor.send({ to: erc721, data: encode('TestErc721', 'mint', [own, 77n]) })
  await actor.execute(own, { to: bob.address, value: 10n ** 18n })
  const enable = (module: Address) =>
    encodeFunctionData({ abi: settingsAbi, functionName: 'enableModule', args: [module] })
  const disable = encodeFunctionData({
    abi: settingsAbi,
    functionName: 'disableModule',
    args: ['0x0000000000000000000000000000000000000001', dave.address],
  })
  for (const data of [enable(dave.address), disable, enable(carol.address)]) await actor.execute(own, { to: own, data })
  for (const address of [own, shared]) await call(asAlice, addSafe, { chainId, address })
  pending = []
  for (const nonce of [0n, 1n, 1n]) {
    const proposal = await signedTx(shared, alice, { nonce, value: BigInt(pending.length) })
    await call(asAlice, proposeTransaction, { chainId, safeAddress: shared, ...proposal })
    pending.push(proposal.safeTxHash)
  }
  await eventually(async () => (await byAlice.kit.getAllTransactions(own)).count === 7)
})

function encode(name: 'TestErc20' | 'TestErc721', functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi(name), functionName, args })
}

/** Gives the error that api-kit throws. */
function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

describe('about', () => {
  test('default: the service, its singletons, its node', async () => {
    const about = await byAlice.kit.getServiceInfo()
    expect(about).toMatchObject({ name: 'Safe Transaction Service', api_version: 'v1', secure: false })
    expect(about.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(JSON.stringify(about)).not.toContain(devnet.rpcUrl)
    const singletons = await byAlice.kit.getServiceSingletonsInfo()
    expect(singletons.length).toBeGreaterThan(1)
    expect(singletons).toContainEqual({
      address: canonicalContract('1.4.1', 'safe_l2').address,
      version: '1.4.1+L2',
      deployer: 'Safe',
      deployedBlockNumber: 0,
      lastIndexedBlockNumber: expect.any(Number),
      l2: true,
    })
    const { settings } = (await byAlice.ask('/v1/about/')).body
    expect(Object.entries(settings).filter(([, value]) => value === true)).toEqual([['ETH_L2_NETWORK', true]])
    expect((await byAlice.ask('/v1/about/ethereum-rpc')).body).toEqual({
      version: expect.stringContaining('anvil'),
      block_number: expect.any(Number),
      chain_id: 31337,
      chain: 'Devnet',
      syncing: false,
    })
    expect(await byAlice.ask('/v1/about/ethereum-tracing-rpc/')).toMatchObject({ status: 404, body: '' })
  })

  test('behavior: how far it is, and which contracts the chain has', async () => {
    const head = Number(await actor.rpc('eth_blockNumber'))
    expect((await byAlice.ask('/v1/about/indexing/')).body).toMatchObject({
      currentBlockNumber: head,
      currentBlockTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      erc20BlockNumber: expect.any(Number),
      erc20Synced: true,
      masterCopiesSynced: true,
      synced: true,
    })
    const { body } = await byAlice.ask('/v1/about/deployments/?version=1.4.1&contract=SafeL2')
    expect(body).toEqual([
      {
        version: '1.4.1',
        contracts: [{ contractName: 'SafeL2', address: canonicalContract('1.4.1', 'safe_l2').address }],
      },
    ])
    expect(await byAlice.ask('/v1/about/deployments/?version=9.9.9')).toMatchObject({ status: 404, body: '' })
  })
})

describe('Safes', () => {
  test('getSafeInfo: live, with its singleton', async () => {
    expect(await byAlice.kit.getSafeInfo(own)).toEqual({
      address: own,
      nonce: '4',
      threshold: 1,
      owners: [alice.address],
      singleton: canonicalContract('1.4.1', 'safe_l2').address,
      modules: [carol.address],
      fallbackHandler: expect.stringMatching(/^0x/),
      guard: zeroAddress,
      moduleGuard: zeroAddress,
      version: '1.4.1+L2',
    })
    expect(await failure(byAlice.kit.getSafeInfo(own.toLowerCase()))).toBe('Checksum address validation failed')
    expect(await failure(byAlice.kit.getSafeInfo(nobody))).toBe('Not Found')
    expect(await failure(byDave.kit.getSafeInfo(own))).toBe('Not Found')
  })

  test('getSafeCreationInfo', async () => {
    const creation = await byAlice.kit.getSafeCreationInfo(own)
    expect(creation).toMatchObject({
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      creator: expect.stringMatching(/^0x/),
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      factoryAddress: canonicalContract('1.4.1', 'safe_proxy_factory').address,
      singleton: canonicalContract('1.4.1', 'safe_l2').address,
      setupData: expect.stringMatching(/^0xb63e800d/),
      saltNonce: expect.stringMatching(/^\d+$/),
      dataDecoded: { method: 'setup' },
      userOperation: null,
    })
    // As the chain has it.
    const receipt = created.parse(await actor.rpc('eth_getTransactionReceipt', creation.transactionHash))
    expect(receipt.logs.map(({ topics }) => topics[1])).toContain(padHex(lowerCase(own)))
    const block = z.object({ timestamp: z.string() })
    const { timestamp } = block.parse(await actor.rpc('eth_getBlockByNumber', receipt.blockNumber, false))
    expect(Date.parse(creation.created)).toBe(Number(timestamp) * 1000)
    expect(creation.creator).toBe(getAddress(receipt.from))
    expect(creation.dataDecoded?.parameters?.[0]).toEqual({
      name: '_owners',
      type: 'address[]',
      value: [alice.address],
    })
    expect(await failure(byAlice.kit.getSafeCreationInfo(nobody))).toBe('Not Found')
  })

  test('getSafeCreationInfo: without an official factory, returns the called contract and its calldata', async () => {
    const official = canonicalContract('1.4.1', 'safe_proxy_factory').address
    const copy = getAddress(padHex('0xfac7', { size: 20 }))
    await actor.rpc('anvil_setCode', copy, await actor.rpc('eth_getCode', official, 'latest'))
    const made = {
      version: '1.4.1',
      isL2: true,
      owners: [demoAccounts[6].address],
      threshold: 1,
      saltNonce: 7n,
    } as const
    const transactionHash = await actor.send({ to: copy, data: encodeCreateProxy(made).data })
    const { logs } = z
      .object({ logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()) })) })
      .parse(await actor.rpc('eth_getTransactionReceipt', transactionHash))
    const safe = getAddress(logs.find(({ address }) => address !== lowerCase(copy))?.address ?? '')
    await call(asAlice, addSafe, { chainId, address: safe })
    const creation = await eventually(() => byAlice.kit.getSafeCreationInfo(safe).catch(() => null))
    expect(creation).toMatchObject({ factoryAddress: copy, transactionHash, saltNonce: '7' })
    expect(creation?.setupData).toMatch(/^0xb63e800d/)
    expect(
      wireSchemas.Creation.safeParse((await byAlice.ask(`/v1/safes/${safe}/creation/`)).body).error,
    ).toBeUndefined()
  })

  test('getSafesByOwner, getSafesByModule: those that who asks may see', async () => {
    expect(await byAlice.kit.getSafesByOwner(alice.address)).toEqual({ safes: [own, shared] })
    expect(await byAlice.kit.getSafesByOwner(bob.address)).toEqual({ safes: [shared] })
    expect(await byDave.kit.getSafesByOwner(alice.address)).toEqual({ safes: [] })
    expect(await failure(byAlice.kit.getSafesByOwner(alice.address.toLowerCase()))).toBe(
      'Checksum address validation failed',
    )
    expect(await byAlice.kit.getSafesByModule(carol.address)).toEqual({ safes: [own] })
    // Enabled and disabled again.
    expect(await byAlice.kit.getSafesByModule(dave.address)).toEqual({ safes: [] })
    expect(await byAlice.kit.getSafesByModule(bob.address)).toEqual({ safes: [] })
    expect((await byAlice.ask(`/v2/owners/${bob.address}/safes/`)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          address: shared,
          owners: [alice.address, bob.address, carol.address],
          threshold: 2,
          nonce: 0,
          masterCopy: canonicalContract('1.4.1', 'safe_l2').address,
          fallbackHandler: expect.stringMatching(/^0x/),
          guard: null,
          moduleGuard: null,
          enabledModules: [],
        },
      ],
    })
    const modules = await byAlice.ask(`/v2/modules/${carol.address}/safes/`)
    expect(modules.body).toMatchObject({ count: 1, results: [{ address: own, enabledModules: [carol.address] }] })
  })

  test('estimateSafeTransaction: 0 since 1.3.0, which needs none', async () => {
    const transaction = { to: bob.address, value: '1', data: '0x', operation: 0 }
    expect(await byAlice.kit.estimateSafeTransaction(own, transaction)).toEqual({ safeTxGas: '0' })
    expect(await failure(byAlice.kit.estimateSafeTransaction(nobody, transaction))).toBe('Not Found')
  })
})

describe('multisig transactions', () => {
  test('getMultisigTransactions, getTransaction, getTransactionConfirmations', async () => {
    const { count, results } = await byAlice.kit.getMultisigTransactions(own)
    expect(count).toBe(4)
    expect(results[0]).toMatchObject({ nonce: '3', isExecuted: true, dataDecoded: { method: 'enableModule' } })
    expect(results[3]).toMatchObject({
      nonce: '0',
      isExecuted: true,
      isSuccessful: true,
      executor: sender,
      value: (10n ** 18n).toString(),
      data: null,
    })
    expect(await byAlice.kit.getTransaction(results[3]?.safeTxHash ?? '')).toEqual(results[3])
    expect(await failure(byAlice.kit.getTransaction('0x'))).toBe('Not found.')
    const asBob = await signInAs(server, bob)
    const { signature } = await signedTx(shared, bob, { nonce: 0n, value: 0n })
    const [first = '0x'] = pending
    await call(asBob, confirmTransaction, { chainId, safeTxHash: first, signature })
    const confirmations = await byAlice.kit.getTransactionConfirmations(first)
    expect(confirmations.count).toBe(2)
    expect(confirmations.results.map(({ owner, signatureType }) => [owner, signatureType])).toEqual([
      [alice.address, 'EOA'],
      [bob.address, 'EOA'],
    ])
    expect(confirmations.results[1]?.signature).toBe(signature)
    expect(await byAlice.kit.getTransactionConfirmations(`0x${'ab'.repeat(32)}`)).toMatchObject({
      count: 0,
      results: [],
    })
    expect(await byDave.kit.getMultisigTransactions(own)).toMatchObject({ count: 0, results: [] })
  })

  test('getPendingTransactions, getNextNonce', async () => {
    const all = await byAlice.kit.getPendingTransactions(shared)
    expect(all.count).toBe(3)
    expect(all.results.map(({ nonce }) => nonce)).toEqual(['1', '1', '0'])
    expect((await byAlice.kit.getPendingTransactions(shared, { currentNonce: 1 })).count).toBe(2)
    const page = await byAlice.kit.getPendingTransactions(shared, { limit: 2, offset: 1, ordering: 'nonce' })
    expect(page).toMatchObject({ count: 3, next: null, previous: expect.stringContaining('limit=2') })
    expect(page.results.map(({ nonce }) => nonce)).toEqual(['1', '1'])
    expect((await byAlice.kit.getPendingTransactions(shared, { hasConfirmations: true })).count).toBe(3)
    expect(await byAlice.kit.getNextNonce(shared)).toBe('2')
    expect(await byAlice.kit.getNextNonce(own)).toBe('4')
    expect(await failure(byAlice.kit.getPendingTransactions(shared.toLowerCase(), { currentNonce: 1 }))).toBe(
      'Checksum address validation failed',
    )
  })

  test('behavior: what runs as the Safe is decoded where a release of Safe runs it, and nowhere else', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl)
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const data = encodeMultiSend([{ to: bob.address, value: 1n, data: '0x' }])
    const library = canonicalContract('1.4.1', 'multi_send_call_only').address
    for (const [to, method] of [
      [library, 'multiSend'],
      [nobody, undefined],
    ] as const) {
      const proposal = await signedTx(safeAddress, alice, { to, data, operation: 1 })
      await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
      expect((await byAlice.kit.getTransaction(proposal.safeTxHash)).dataDecoded?.method).toBe(method)
    }
    const { results } = await byAlice.kit.getMultisigTransactions(safeAddress)
    expect(results.find(({ to }) => to === library)?.dataDecoded?.parameters?.[0]?.valueDecoded).toEqual([
      { operation: 0, to: bob.address, value: '1', data: null, dataDecoded: null },
    ])
  })

  test('behavior: every filter and order of the list', async () => {
    const nonces = async (query: string, safeAddress = shared): Promise<string[]> =>
      (await byAlice.ask(`/v2/safes/${safeAddress}/multisig-transactions/?${query}`)).body.results.map(
        ({ nonce }: { nonce: string }) => nonce,
      )
    expect(await nonces('ordering=nonce')).toEqual(['0', '1', '1'])
    expect(await nonces('ordering=created')).toEqual(['0', '1', '1'])
    expect(await nonces('ordering=-modified')).toHaveLength(3)
    expect(await nonces('ordering=nothing')).toEqual(['1', '1', '0'])
    // As the backend of Safe{Wallet} asks for the queue: no list has the second name.
    expect(await nonces('ordering=nonce,submissionDate')).toEqual(['0', '1', '1'])
    expect(await nonces('ordering=submissionDate, -nonce')).toEqual(['1', '1', '0'])
    expect(await nonces('ordering=submissionDate,%20nonce')).toEqual(['0', '1', '1'])
    expect(await nonces('nonce=1&value=1')).toEqual(['1'])
    expect(await nonces('nonce__lt=1')).toEqual(['0'])
    expect(await nonces('nonce__gt=0&value__gt=1')).toEqual(['1'])
    expect(await nonces('nonce__lte=0')).toEqual(['0'])
    expect(await nonces('executed=true')).toEqual([])
    expect(await nonces('has_confirmations=False')).toEqual([])
    expect(await nonces('has_confirmations=true')).toHaveLength(3)
    expect(await nonces('has_confirmations=true', own)).toEqual(['3', '2', '1', '0'])
    expect(await nonces('has_confirmations=false', own)).toEqual([])
    expect(await nonces(`safe_tx_hash=${pending[0]}`)).toEqual(['0'])
    expect(await nonces(`to=${nobody}`)).toEqual([])
    expect(await nonces('submission_date__gte=2100-01-01T00:00:00Z')).toEqual([])
    expect(await nonces('modified__lt=2100-01-01')).toHaveLength(3)
    expect(await nonces('execution_date__lte=2100-01-01', own)).toEqual(['3', '2', '1', '0'])
    expect(await nonces('executed=1&failed=0', own)).toEqual(['3', '2', '1', '0'])
    expect(await nonces('failed=true', own)).toEqual([])
    expect(await nonces('executed=perhaps', own)).toEqual(['3', '2', '1', '0'])
    const first = await byAlice.ask(`/v2/safes/${shared}/multisig-transactions/?limit=1&nonce__gte=0`)
    expect(first.body).toMatchObject({
      count: 3,
      countUniqueNonce: 2,
      next: `${server.origin}/tx-service/31337/api/v2/safes/${shared}/multisig-transactions/?limit=1&nonce__gte=0&offset=1`,
      previous: null,
    })
    const clamped = await byAlice.ask(`/v2/safes/${shared}/multisig-transactions/?limit=1000&offset=2`)
    expect(clamped.body.previous).toMatch(/limit=200$/)
    const behind = await byAlice.ask(`/v2/safes/${shared}/multisig-transactions/?offset=50`)
    expect(behind.body).toMatchObject({ count: 3, countUniqueNonce: 2, results: [] })
  })
})

describe('what a Safe has and moved', () => {
  test('getIncomingTransactions, getModuleTransactions, getAllTransactions', async () => {
    const incoming = await byAlice.kit.getIncomingTransactions(own)
    expect(incoming.count).toBe(3)
    expect(incoming.results.map(({ type, value, tokenId }) => [type, value, tokenId])).toEqual([
      ['ERC721_TRANSFER', null, '77'],
      ['ERC20_TRANSFER', '5000000', null],
      ['ETHER_TRANSFER', (3n * 10n ** 18n).toString(), null],
    ])
    expect(incoming.results[0]?.tokenInfo).toEqual({
      type: 'ERC721',
      address: devnet.tokens.erc721,
      name: 'Test Art',
      symbol: 'TART',
      decimals: null,
      logoUri: `${server.origin}/token.svg`,
      trusted: false,
    })
    expect((await byAlice.kit.getIncomingTransactions(own, { from: sender, limit: 1 })).results).toHaveLength(1)
    expect(await byAlice.kit.getIncomingTransactions(shared)).toMatchObject({ count: 0, results: [] })
    expect(await failure(byAlice.kit.getIncomingTransactions(own.toLowerCase()))).toBe(
      'Checksum address validation failed',
    )
    expect((await byAlice.kit.getModuleTransactions(own)).results).toEqual([])
    const all = await byAlice.kit.getAllTransactions(own, { limit: 2 })
    expect(all.results.map((entry) => 'txType' in entry && entry.txType)).toEqual([
      'MULTISIG_TRANSACTION',
      'MULTISIG_TRANSACTION',
    ])
    expect(all.next).toContain('offset=2')
    expect(await byDave.kit.getAllTransactions(own)).toMatchObject({ count: 0, results: [] })
  })

  test('getModuleTransactions, getAllTransactions: what a module executed, and what it moved', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.send({ to: safeAddress, value: 10n })
    const enable = encodeFunctionData({ abi: settingsAbi, functionName: 'enableModule', args: [carol.address] })
    const { safeTxHash } = await actor.execute(safeAddress, { to: safeAddress, data: enable })
    const move = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'execTransactionFromModule',
      args: [dave.address, 7n, '0x', 0],
    })
    const transactionHash = await actor.send({ from: carol.address, to: safeAddress, data: move })
    const { count, results } = await eventually(async () => {
      const found = await byAlice.kit.getModuleTransactions(safeAddress)
      return found.count > 0 && found
    })
    const [transaction] = results
    const place = { safe: safeAddress, module: carol.address, to: dave.address, value: '7', data: null, operation: 0 }
    expect([count, transaction]).toMatchObject([
      1,
      { ...place, isSuccessful: true, transactionHash, dataDecoded: null },
    ])
    const all = (await byAlice.kit.getAllTransactions(safeAddress)).results
    const transfer = { type: 'ETHER_TRANSFER', from: safeAddress, to: dave.address, value: '7', transactionHash }
    expect(all).toMatchObject([
      { ...transaction, txType: 'MODULE_TRANSACTION', transfers: [transfer] },
      { txType: 'MULTISIG_TRANSACTION', safeTxHash, nonce: '0', isSuccessful: true, transfers: [] },
      { txType: 'ETHEREUM_TRANSACTION', from: sender, to: safeAddress, transfers: [{ value: '10', to: safeAddress }] },
    ])
  })

  test('balances: the coin first, then tokens; v2 in pages', async () => {
    const coin = { tokenAddress: null, token: null, balance: (2n * 10n ** 18n).toString() }
    const dollars = {
      tokenAddress: devnet.tokens.erc20,
      token: { name: 'Test Dollar', symbol: 'TUSD', decimals: 6, logoUri: `${server.origin}/token.svg` },
      balance: '5000000',
    }
    expect((await byAlice.ask(`/v1/safes/${own}/balances/`)).body).toEqual([coin, dollars])
    expect((await byAlice.ask(`/v2/safes/${own}/balances/`)).body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [coin, dollars],
    })
    const first = await byAlice.ask(`/v2/safes/${own}/balances/?limit=1`)
    expect(first.body).toMatchObject({ count: 2, next: expect.stringContaining('offset=1'), results: [coin] })
    const second = await byAlice.ask(`/v2/safes/${own}/balances/?limit=1&offset=1`)
    expect(second.body).toMatchObject({ count: 2, next: null, results: [dollars] })
    expect((await byAlice.ask(`/v1/safes/${shared}/balances/`)).body).toEqual([{ ...coin, balance: '0' }])
    expect(await byAlice.ask(`/v1/safes/${nobody}/balances/`)).toMatchObject({ status: 404, body: '' })
    expect(await byDave.ask(`/v2/safes/${own}/balances/`)).toMatchObject({ status: 404, body: '' })
  })

  test('collectibles', async () => {
    expect((await byAlice.ask(`/v2/safes/${own}/collectibles/`)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [
        {
          address: devnet.tokens.erc721,
          tokenName: 'Test Art',
          tokenSymbol: 'TART',
          logoUri: `${server.origin}/token.svg`,
          id: '77',
          uri: null,
          name: null,
          description: null,
          imageUri: null,
          metadata: {},
        },
      ],
    })
  })

  test('getToken, getTokenList, contracts', async () => {
    const dollar = {
      type: 'ERC20',
      address: devnet.tokens.erc20,
      name: 'Test Dollar',
      symbol: 'TUSD',
      decimals: 6,
      logoUri: `${server.origin}/token.svg`,
      trusted: true,
    }
    expect(await byAlice.kit.getToken(devnet.tokens.erc20)).toEqual(dollar)
    expect(await byAlice.kit.getTokenList()).toEqual({ count: 1, next: null, previous: null, results: [dollar] })
    expect((await byAlice.ask('/v1/tokens/?search=dollar&decimals__gt=5')).body.count).toBe(1)
    expect((await byAlice.ask('/v1/tokens/?symbol=USD')).body.count).toBe(0)
    expect((await byAlice.ask('/v1/tokens/lists/')).body).toMatchObject({ count: 0, results: [] })
    expect(await failure(byAlice.kit.getToken(devnet.tokens.erc20.toLowerCase()))).toBe('Invalid ethereum address')
    expect(await failure(byAlice.kit.getToken(nobody))).toBe('No Token matches the given query.')
    const trusted = (await byAlice.ask('/v1/contracts/?trusted_for_delegate_call=true')).body
    const multiSend = canonicalContract('1.4.1', 'multi_send').address
    const contract = {
      address: multiSend,
      name: 'MultiSend',
      displayName: 'Safe: MultiSend 1.4.1',
      logoUri: null,
      contractAbi: null,
      trustedForDelegateCall: true,
    }
    expect(trusted.results).toContainEqual(contract)
    expect((await byAlice.ask(`/v1/contracts/${multiSend}/`)).body).toEqual(contract)
    expect((await byAlice.ask(`/v1/contracts/${nobody}/`)).body).toEqual({
      detail: 'No Contract matches the given query.',
    })
  })

  test('export: a row for each transfer', async () => {
    const { body } = await byAlice.ask(`/v1/safes/${own}/export/?limit=2`)
    expect(body).toMatchObject({ count: 4, next: expect.stringContaining('offset=2') })
    expect(body.results[0]).toEqual({
      safe: own,
      from: own,
      to: bob.address,
      amount: (10n ** 18n).toString(),
      assetType: 'native',
      assetAddress: null,
      assetSymbol: 'ETH',
      assetDecimals: 18,
      proposerAddress: null,
      proposedAt: expect.any(String),
      executorAddress: sender,
      executedAt: expect.any(String),
      note: null,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      contractAddress: null,
      nonce: '0',
      gasToken: zeroAddress,
      payment: '0',
      gasTokenSymbol: null,
      gasTokenDecimals: null,
    })
    expect(body.results[1]).toMatchObject({ assetType: 'erc721', amount: '1', assetSymbol: 'TART', nonce: null })
    expect((await byAlice.ask(`/v1/safes/${own}/export/?execution_date__gte=2100-01-01`)).body.count).toBe(0)
    expect(await byDave.ask(`/v1/safes/${own}/export/`)).toMatchObject({ status: 404, body: '' })
  })
})

describe('what the team keeps', () => {
  test('getMessages, getMessage: keys of the content stay as they are', async () => {
    const content = { types: {}, primaryType: 'A', domain: { chain_id: 1 }, message: { snake_case: '1', camelCase: 2 } }
    const at = new Date('2026-08-21T10:00:20.123Z')
    const signed = { encoding: 'EIP191_TEXT', text: 'Hello Safe' } as const
    const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress: own, version: '1.4.1', content: signed })
    const signature = await privateKeyToAccount(alice.privateKey).sign({ hash: safeMessageHash })
    const row = { chainId, safeAddress: own, proposer: alice.address, submissionDate: at, modifiedDate: at }
    await server.db.insert(safeMessage).values([
      { ...row, safeMessageHash, content: '"Hello Safe"', origin: '{"url":"https://x"}' },
      {
        ...row,
        safeMessageHash: `0x${'ab'.repeat(32)}`,
        content: JSON.stringify(content),
        submissionDate: new Date(0),
      },
    ])
    await server.db.insert(messageConfirmation).values({
      chainId,
      safeMessageHash,
      owner: alice.address,
      signature,
      signatureType: 'EOA',
      submissionDate: at,
      verifiedBlock: 1,
    })
    const { count, results } = await byAlice.kit.getMessages(own)
    expect(count).toBe(2)
    expect(results[0]).toEqual({
      created: '2026-08-21T10:00:20.123000Z',
      modified: '2026-08-21T10:00:20.123000Z',
      safe: own,
      messageHash: safeMessageHash,
      message: 'Hello Safe',
      proposedBy: alice.address,
      safeAppId: null,
      confirmations: [
        {
          created: '2026-08-21T10:00:20.123000Z',
          modified: '2026-08-21T10:00:20.123000Z',
          owner: alice.address,
          signature,
          signatureType: 'EOA',
        },
      ],
      preparedSignature: signature,
      preparedSignatureEip1271: expect.stringMatching(new RegExp(`^0x0{24}${own.slice(2).toLowerCase()}`)),
      origin: '{"url": "https://x"}',
    })
    expect(results[1]).toMatchObject({ message: content, confirmations: [], preparedSignature: null, origin: '{}' })
    expect(await byAlice.kit.getMessage(safeMessageHash)).toEqual(results[0])
    for (const ordering of ['created', 'submissionDate,created'])
      expect((await byAlice.kit.getMessages(own, { ordering, limit: 1 })).results).toEqual([results[1]])
    expect((await byAlice.kit.getMessages(own, { offset: 1 })).results).toEqual([results[1]])
    expect(await failure(byDave.kit.getMessage(safeMessageHash))).toBe('No SafeMessage matches the given query.')
    expect(await byDave.kit.getMessages(own)).toMatchObject({ count: 0, results: [] })
  })

  test('getSafeDelegates: in the order of their creation, for the team and for themselves', async () => {
    const row = { chainId, safeAddress: own, delegator: alice.address, signature: null }
    await server.db.insert(delegate).values([
      { ...row, delegate: carol.address, label: 'second', createdAt: new Date(2), expiryDate: new Date('2100-01-01') },
      { ...row, delegate: bob.address, label: 'first', createdAt: new Date(1) },
      { ...row, delegate: nobody, label: 'over', createdAt: new Date(3), expiryDate: new Date('2020-01-01') },
    ])
    const { count, results } = await byAlice.kit.getSafeDelegates({ safeAddress: own })
    expect(count).toBe(2)
    expect(results).toEqual([
      { safe: own, delegate: bob.address, delegator: alice.address, label: 'first', expiryDate: null },
      {
        safe: own,
        delegate: carol.address,
        delegator: alice.address,
        label: 'second',
        expiryDate: '2100-01-01T00:00:00Z',
      },
    ])
    expect((await byAlice.kit.getSafeDelegates({ safeAddress: own, limit: 1, offset: 1 })).results).toEqual([
      results[1],
    ])
    expect((await byAlice.kit.getSafeDelegates({ delegateAddress: bob.address, label: 'first' })).count).toBe(1)
    const byBob = await newTxClient(server, await signInAs(server, bob))
    expect((await byBob.kit.getSafeDelegates({ delegatorAddress: alice.address })).count).toBe(2)
    expect((await byDave.kit.getSafeDelegates({ safeAddress: own })).results).toEqual([])
    expect(await failure(byAlice.kit.getSafeDelegates({}))).toBe('Bad Request')
    expect((await byAlice.ask('/v2/delegates')).body).toEqual(['At least one query param must be provided'])
    expect((await byAlice.ask(`/v2/delegates?safe=${own.toLowerCase()}`)).body).toEqual({
      safe: ['Enter a valid checksummed Ethereum Address.'],
    })
  })

  test('ERC-4337 is not spoken, and says so', async () => {
    const said = 'ERC-4337 operations are not supported here.'
    const hash = `0x${'ab'.repeat(32)}`
    expect(await failure(byAlice.kit.getSafeOperationsByAddress(own))).toContain(said)
    expect(await failure(byAlice.kit.getPendingSafeOperations(own))).toContain(said)
    expect(await failure(byAlice.kit.getSafeOperation(hash))).toContain(said)
    expect(await failure(byAlice.kit.getSafeOperationConfirmations(hash))).toContain(said)
    expect(await failure(byAlice.kit.confirmSafeOperation(hash, '0x12'))).toContain(said)
    const fees = { callGasLimit: 1n, verificationGasLimit: 1n, preVerificationGas: 1n }
    const userOperation = {
      sender: own,
      nonce: '0',
      initCode: '0x',
      callData: '0x',
      ...fees,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: '0x',
      signature: `0x${'ab'.repeat(65)}`,
    }
    const operation = { entryPoint: nobody, moduleAddress: nobody, safeAddress: own, userOperation }
    expect(await failure(byAlice.kit.addSafeOperation(operation))).toContain(said)
    expect((await byAlice.ask(`/v1/user-operations/${hash}/`)).status).toBe(501)
  })
})

describe('decodeData', () => {
  test('default: as api-kit compares it', async () => {
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'enableModule', args: [carol.address] })
    expect(JSON.stringify(await byAlice.kit.decodeData(data))).toBe(
      JSON.stringify({
        method: 'enableModule',
        parameters: [{ name: 'module', type: 'address', value: carol.address }],
      }),
    )
    expect(await byAlice.kit.decodeData(data, own)).toEqual(await byAlice.kit.decodeData(data))
    expect(await failure(byAlice.kit.decodeData('0x12121212'))).toBe('Not Found')
    expect(await failure(byAlice.kit.decodeData('0x1'))).toContain('Ensure this field has at least 4 hexadecimal chars')
  })
})
