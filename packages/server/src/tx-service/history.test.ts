import { addSafe, call } from '@countersign/contract'
import { canonicalContract, demoAccounts, testContractAbi } from '@countersign/devnet'
import { encodeSignatures } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { devnetChain, eventually, newSafe, signedTx } from '../test/test-server.ts'

const [alice, bob, carol] = demoAccounts
const sender = demoAccounts[8].address
const chainId = 31337
const multiSend = canonicalContract('1.4.1', 'multi_send_call_only').address

let safeAddress: Address
let funded: Hex
let minted: Hex
let paid: { safeTxHash: Hex; transactionHash: Hex }
let twice: Hex
let byModule: Hex

openScene([alice], () => ({
  chains: [
    {
      ...devnetChain(devnet.rpcUrl),
      tokens: [{ address: devnet.tokens.erc20, symbol: 'LISTED', name: 'As a list says', decimals: 6 }],
      txService: { publicReads: true },
    },
  ],
}))

beforeAll(async () => {
  const { erc20 } = devnet.tokens
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true })
  funded = await actor.send({ to: safeAddress, value: 2n * 10n ** 18n })
  minted = await actor.send({ to: erc20, data: token('mint', [safeAddress, 5_000_000n]) })
  paid = await actor.execute(safeAddress, { to: bob.address, value: 10n ** 18n })
  twice = await executeTwice()
  await actor.execute(safeAddress, { to: safeAddress, data: settings('enableModule', [carol.address]) })
  byModule = await actor.send({
    from: carol.address,
    to: safeAddress,
    data: settings('execTransactionFromModule', [erc20, 0n, token('transfer', [bob.address, 77n]), 0]),
  })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  await eventually(async () => (await ask('/module-transactions/')).count === 1)
})

function token(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName, args })
}

function settings(functionName: 'enableModule' | 'execTransactionFromModule', args: never[] | unknown[]): Hex {
  return encodeFunctionData({ abi: settingsAbi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
}

/** Two transactions of the Safe in one Ethereum transaction: 1 wei, then a tenth of a token. */
async function executeTwice(): Promise<Hex> {
  const nonce = await actor.nonceOf(safeAddress)
  const calls = [
    { to: carol.address, value: 1n, nonce },
    { to: devnet.tokens.erc20, data: token('transfer', [carol.address, 100_000n]), nonce: nonce + 1n },
  ]
  const batch = await Promise.all(
    calls.map(async (fields) => {
      const { safeTx, signature } = await signedTx(safeAddress, alice, fields)
      const data = encodeExecTransaction(safeTx, encodeSignatures([{ owner: alice.address, signature }]))
      return { to: safeAddress, value: 0n, data }
    }),
  )
  return actor.send({ to: multiSend, data: encodeMultiSend(batch) })
}

async function ask(path: string, version = 'v1') {
  const url = `${server.origin}/tx-service/${chainId}/api/${version}/safes/${safeAddress}${path}`
  return JSON.parse(await (await fetch(url)).text())
}

async function get(path: string) {
  const response = await fetch(`${server.origin}/tx-service/${chainId}/api${path}`)
  const text = await response.text()
  return { status: response.status, body: text && JSON.parse(text) }
}

type Item = { txType: string; transfers: { value: string; transferId: string }[]; [key: string]: unknown }

describe('GET all-transactions', () => {
  test('default: each execution once, also two of one Ethereum transaction, with their own transfers', async () => {
    const { count, results }: { count: number; results: Item[] } = await ask('/all-transactions/', 'v2')
    expect(results.map(({ txType }) => txType)).toEqual([
      'MODULE_TRANSACTION',
      'MULTISIG_TRANSACTION',
      'MULTISIG_TRANSACTION',
      'MULTISIG_TRANSACTION',
      'MULTISIG_TRANSACTION',
      'ETHEREUM_TRANSACTION',
      'ETHEREUM_TRANSACTION',
    ])
    expect(count).toBe(7)
    const [moved, , second, first, payment, mint, fund] = results
    expect(moved).toMatchObject({ transactionHash: byModule, module: carol.address, isSuccessful: true })
    expect(moved?.transfers).toMatchObject([{ value: '77' }])
    expect([first, second]).toMatchObject([
      { transactionHash: twice, nonce: '1', transfers: [{ value: '1', type: 'ETHER_TRANSFER' }] },
      { transactionHash: twice, nonce: '2', transfers: [{ value: '100000', type: 'ERC20_TRANSFER' }] },
    ])
    expect(payment).toMatchObject({
      safeTxHash: paid.safeTxHash,
      isExecuted: true,
      isSuccessful: true,
      transactionHash: paid.transactionHash,
      executor: sender,
      nonce: '0',
      transfers: [{ value: (10n ** 18n).toString(), from: safeAddress, to: bob.address }],
    })
    expect(mint).toMatchObject({ txHash: minted, from: sender, to: devnet.tokens.erc20 })
    expect(fund).toEqual({
      txType: 'ETHEREUM_TRANSACTION',
      executionDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      from: sender,
      to: safeAddress,
      data: null,
      txHash: funded,
      blockNumber: expect.any(Number),
      transfers: [
        {
          type: 'ETHER_TRANSFER',
          executionDate: fund?.executionDate,
          blockNumber: fund?.blockNumber,
          transactionHash: funded,
          to: safeAddress,
          from: sender,
          value: (2n * 10n ** 18n).toString(),
          tokenId: null,
          tokenAddress: null,
          transferId: expect.stringMatching(new RegExp(`^i${funded.slice(2)}\\d+,\\d+$`)),
          tokenInfo: null,
        },
      ],
    })
  })

  test('behavior: v1 has numbers, the other order is the reverse, pages of any size make the whole', async () => {
    const whole: Item[] = (await ask('/all-transactions/', 'v2')).results
    const v1: Item[] = (await ask('/all-transactions/')).results
    expect(v1.map(({ nonce }) => nonce)).toEqual([undefined, 3, 2, 1, 0, undefined, undefined])
    const reverse: Item[] = (await ask('/all-transactions/?ordering=timestamp', 'v2')).results
    expect(reverse).toEqual([...whole].reverse())
    for (const limit of [1, 2, 3, 7]) {
      const items: Item[] = []
      for (let next: string | null = `/all-transactions/?limit=${limit}`; next; ) {
        const page: { next: string | null; results: Item[] } = await ask(next, 'v2')
        items.push(...page.results)
        next = page.next && (page.next.split(safeAddress)[1] ?? null)
      }
      expect(items).toEqual(whole)
    }
  })

  test('behavior: `next` goes on at its place, in every list of the history and either order, whatever offset it names', async () => {
    for (const path of [
      '/all-transactions/?ordering=timestamp&',
      '/all-transactions/?',
      '/transfers/?',
      '/incoming-transfers/?',
      '/module-transactions/?ordering=created&',
      '/export/?',
    ]) {
      const { results: whole } = await ask(`${path}limit=100`)
      const items: unknown[] = []
      for (let next: string | null = `${path}limit=1`; next; ) {
        const page: { next: string | null; results: unknown[] } = await ask(next)
        items.push(...page.results)
        next = page.next && (page.next.split(safeAddress)[1]?.replace(/offset=\d+/, 'offset=1000000') ?? null)
      }
      expect(items).toEqual(whole)
    }
  })

  test('error: no offset of a long history is larger than 100,000 but at the end of `next`, and `after` is a place', async () => {
    const long = await newSafe(devnet.rpcUrl)
    await call(asAlice, addSafe, { chainId, address: long })
    const bytes = sql`decode(${long.slice(2)}, 'hex')`
    await server.db.execute(sql`insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time)
      select ${chainId}, ${bytes}, 1, n, 0, 'module-enabled', now() from generate_series(1, 100001) n`)
    for (const list of ['all-transactions', 'transfers', 'incoming-transfers', 'module-transactions', 'export']) {
      expect((await ask(`/${list}/?offset=100001`)).results).toEqual([])
      const far = await fetch(`${server.origin}/tx-service/${chainId}/api/v1/safes/${long}/${list}/?offset=100001`)
      expect([far.status, await far.json()]).toMatchObject([
        400,
        { detail: expect.stringContaining('Follow next instead') },
      ])
      expect(await ask(`/${list}/?after=nowhere`)).toMatchObject({ message: 'after is not valid' })
    }
  })

  test('behavior: a weak ETag, which is known again', async () => {
    const url = `${server.origin}/tx-service/${chainId}/api/v2/safes/${safeAddress}/all-transactions/`
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"/)
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('behavior: an order that is given as nothing is the usual one', async () => {
    expect(await ask('/all-transactions/?ordering=', 'v2')).toMatchObject({
      results: (await ask('/all-transactions/', 'v2')).results,
    })
  })

  test('error: another order', async () => {
    expect(await ask('/all-transactions/?ordering=foo', 'v2')).toMatchObject({
      code: 1,
      message: expect.stringMatching(/^Ordering field is not valid/),
      arguments: ['foo'],
    })
  })
})

describe('GET transfers', () => {
  async function values(query: string, path = 'transfers'): Promise<string[]> {
    return (await ask(`/${path}/${query}`)).results.map(({ value }: { value: string }) => value)
  }
  const ether = 10n ** 18n

  test('default: newest first, tokens with what is known of them', async () => {
    const { count, results } = await ask('/transfers/')
    expect(count).toBe(6)
    expect(results.map(({ value }: { value: string }) => value)).toEqual([
      '77',
      '100000',
      '1',
      ether.toString(),
      '5000000',
      (2n * ether).toString(),
    ])
    expect(results[4]).toEqual({
      type: 'ERC20_TRANSFER',
      executionDate: expect.any(String),
      blockNumber: expect.any(Number),
      transactionHash: minted,
      to: safeAddress,
      from: zeroAddress,
      value: '5000000',
      tokenId: null,
      tokenAddress: devnet.tokens.erc20,
      transferId: expect.stringMatching(new RegExp(`^e${minted.slice(2)}\\d+$`)),
      tokenInfo: {
        type: 'ERC20',
        address: devnet.tokens.erc20,
        name: 'Test Dollar',
        symbol: 'TUSD',
        decimals: 6,
        logoUri: `${server.origin}/token.svg`,
        trusted: true,
      },
    })
    for (const transfer of results)
      expect(await get(`/v1/transfer/${transfer.transferId}/`)).toEqual({ status: 200, body: transfer })
  })

  test('behavior: filters', async () => {
    expect(await values('', 'incoming-transfers')).toEqual(['5000000', (2n * ether).toString()])
    expect(await values(`?_from=${sender}`)).toEqual([(2n * ether).toString()])
    expect(await values(`?to=${bob.address}`)).toEqual(['77', ether.toString()])
    expect(await values(`?token_address=${devnet.tokens.erc20}&value__gt=77`)).toEqual(['100000', '5000000'])
    expect(await values('?ether=true&value__lt=2')).toEqual(['1'])
    expect(await values('?ether=false&value=77')).toEqual(['77'])
    expect(await values('?erc721=true')).toEqual([])
    expect(await values(`?transaction_hash=${twice}`)).toEqual(['100000', '1'])
    expect(await values('?execution_date__gte=2100-01-01')).toEqual([])
    expect(await values('?block_number__lt=1')).toEqual([])
    expect(await ask('/transfers/?to=0x12&value=x')).toEqual({
      to: ['Enter a valid checksummed Ethereum Address.'],
      value: ['Enter a number.'],
    })
  })

  test('error: ids', async () => {
    expect(await get('/v1/transfer/e12/')).toMatchObject({
      status: 400,
      body: { code: 1, message: 'transfer_id is not valid', arguments: ['e12'] },
    })
    expect(await get(`/v1/transfer/e${'0'.repeat(64)}1/`)).toEqual({ status: 404, body: '' })
  })
})

describe('GET module-transactions', () => {
  test('default: what a module executed, by value', async () => {
    const { results } = await ask('/module-transactions/')
    expect(results).toEqual([
      {
        created: results[0].executionDate,
        executionDate: expect.any(String),
        blockNumber: expect.any(Number),
        isSuccessful: true,
        transactionHash: byModule,
        safe: safeAddress,
        module: carol.address,
        to: devnet.tokens.erc20,
        value: '0',
        data: token('transfer', [bob.address, 77n]),
        operation: 0,
        dataDecoded: {
          method: 'transfer',
          parameters: [
            { name: 'to', type: 'address', value: bob.address },
            { name: 'value', type: 'uint256', value: '77' },
          ],
        },
        moduleTransactionId: expect.stringMatching(new RegExp(`^i${byModule.slice(2)}\\d+,\\d+$`)),
      },
    ])
    const [{ moduleTransactionId }] = results
    expect((await get(`/v1/module-transaction/${moduleTransactionId}`)).body).toEqual(results[0])
    expect((await ask(`/module-transactions/?module=${carol.address}&failed=false&operation=0`)).count).toBe(1)
    expect((await ask(`/module-transactions/?module=${bob.address}`)).count).toBe(0)
    expect((await ask('/module-transactions/?failed=true')).count).toBe(0)
  })

  test('error: ids', async () => {
    expect(await get('/v1/module-transaction/e12/')).toMatchObject({
      status: 400,
      body: { code: 1, message: 'module_transaction_id is not valid', arguments: ['e12'] },
    })
    expect(await get(`/v1/module-transaction/i${'0'.repeat(64)}1/`)).toEqual({ status: 404, body: '' })
  })
})
