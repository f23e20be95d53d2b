import { addSafe, call, type EntryKind, exportHistory, getSafe, listHistory, nameAddress } from '@countersign/contract'
import { canonicalContract, demoAccounts, testContractAbi } from '@countersign/devnet'
import { encodeMultiSend } from '@countersign/safe/calls'
import { isNotNull } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { historyEntry } from '../../db/schema.ts'
import { actor, asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { codeOf, devnetChain, eventually, newSafe, signInAs } from '../../test/test-server.ts'

const [alice, bob, carol, stranger] = demoAccounts
const chainId = 31337

let safeAddress: Address
let paid: { safeTxHash: Hex; transactionHash: Hex }

openScene([alice], () => ({
  chains: [{ ...devnetChain(devnet.rpcUrl), tokens: [{ address: devnet.tokens.erc20, symbol: '=TUSD', decimals: 6 }] }],
}))

beforeAll(async () => {
  const { erc20, erc721 } = devnet.tokens
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  await actor.send({ to: safeAddress, value: 2n * 10n ** 18n })
  await actor.send({ to: erc20, data: token('TestErc20', 'mint', [safeAddress, 5_000_000n]) })
  await actor.send({ to: erc721, data: token('TestErc721', 'mint', [safeAddress, 77n]) })
  paid = await actor.execute(safeAddress, { to: bob.address, value: 10n ** 18n })
  await actor.execute(safeAddress, {
    to: canonicalContract('1.4.1', 'multi_send_call_only').address,
    operation: 1,
    data: encodeMultiSend([
      { to: carol.address, value: 1n, data: '0x' },
      { to: erc20, value: 0n, data: token('TestErc20', 'transfer', [carol.address, 1_250_000n]) },
    ]),
  })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  await eventually(async () => (await list()).length === 9)
})

function token(name: 'TestErc20' | 'TestErc721', functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi(name), functionName, args })
}

async function list(filter: Partial<Parameters<typeof call<typeof listHistory>>[2]> = {}) {
  return (await call(asAlice, listHistory, { chainId, safeAddress, ...filter })).entries
}

async function kinds(filter: Parameters<typeof list>[0]): Promise<EntryKind[]> {
  return (await list(filter)).map(({ kind }) => kind)
}

describe('listHistory', () => {
  test('default: everything, newest first, with what was executed', async () => {
    const entries = await list()
    expect(entries.map(({ kind }) => kind)).toEqual([
      'transfer-out',
      'executed',
      'transfer-out',
      'transfer-out',
      'executed',
      'transfer-in',
      'transfer-in',
      'transfer-in',
      'created',
    ])
    const executed = entries.find(({ safeTxHash, kind }) => kind === 'executed' && safeTxHash === paid.safeTxHash)
    expect(executed?.transaction).toMatchObject({ safeTxHash: paid.safeTxHash, isExecuted: true })
    expect(executed?.transaction?.safeTx?.to).toBe(bob.address)
    expect(executed?.transaction?.confirmations.map(({ owner }) => owner)).toEqual([alice.address])
  })

  test('behavior: pages of any size make the same whole', async () => {
    const whole = (await list()).map(({ id }) => id)
    expect(new Set(whole).size).toBe(whole.length)
    for (const limit of [1, 2, 4, 9, 10]) {
      const ids: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await call(asAlice, listHistory, { chainId, safeAddress, limit, ...(cursor ? { cursor } : {}) })
        ids.push(...page.entries.map(({ id }) => id))
        if (!page.nextCursor) break
        cursor = page.nextCursor
      }
      expect(ids).toEqual(whole)
    }
  })

  test('behavior: filters', async () => {
    const { erc20, erc721 } = devnet.tokens
    expect(await kinds({ kinds: ['executed'] })).toEqual(['executed', 'executed'])
    expect(await kinds({ kinds: ['transfer-in'], token: 'native' })).toEqual(['transfer-in'])
    expect(await kinds({ token: erc20 })).toEqual(['transfer-out', 'transfer-in'])
    expect((await list({ token: erc721 })).map(({ tokenId }) => tokenId)).toEqual([77n])
    expect(await kinds({ counterparty: bob.address })).toEqual(['transfer-out'])
    expect(await kinds({ counterparty: zeroAddress })).toEqual(['transfer-in', 'transfer-in'])
    expect(await kinds({ token: 'native', minAmount: 10n ** 18n })).toEqual(['transfer-out', 'transfer-in'])
    expect(await kinds({ token: 'native', maxAmount: 10n ** 18n })).toEqual(['transfer-out', 'transfer-out'])
    expect(await kinds({ token: 'native', minAmount: 2n, maxAmount: 10n ** 18n })).toEqual(['transfer-out'])
    expect(await kinds({ nonce: 0n })).toEqual(['executed'])
    expect(await kinds({ nonce: 5n })).toEqual([])
    expect(await kinds({ until: new Date(0).toISOString() })).toEqual([])
    expect(await list({ since: new Date(0).toISOString() })).toHaveLength(9)
  })

  test('behavior: who does not own the Safe learns no confirmations', async () => {
    const asStranger = await signInAs(server, stranger)
    expect(await codeOf(call(asStranger, listHistory, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    const { entries } = await call(asStranger, listHistory, { chainId, safeAddress })
    expect(entries).toHaveLength(9)
    expect(entries.flatMap(({ transaction }) => transaction?.confirmations ?? [])).toEqual([])
  })

  test('behavior: the Safe says whom it has paid, each once, and to all who have it in their list', async () => {
    const payees = [...new Set((await list({ kinds: ['transfer-out'] })).map(({ counterparty }) => counterparty))]
    expect(payees).toContain(bob.address)
    const asStranger = await signInAs(server, stranger)
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    for (const who of [asAlice, asStranger])
      expect((await call(who, getSafe, { chainId, safeAddress })).paid).toEqual(payees)
  })

  test('error: INVALID_REQUEST', async () => {
    const faults: object[] = [{ cursor: 'AAAA' }, { kinds: ['nothing'] }, { since: 'yesterday' }, { minAmount: -1n }]
    for (const filter of faults) expect(await codeOf(list(filter))).toBe('INVALID_REQUEST')
  })
})

describe('exportHistory', () => {
  async function csv(query = ''): Promise<Response> {
    const path = exportHistory.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
    return asAlice.fetch(`${server.origin}${path}${query}`)
  }

  test('default: a line each, amounts in units, nothing that a spreadsheet would run', async () => {
    const response = await csv()
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = (await response.text()).split('\r\n')
    expect(lines).toHaveLength(11)
    expect(lines[0]).toBe(
      'time (UTC),after block,block,kind,successful,amount,unit,token,token id,counterparty,counterparty name,subject,threshold,nonce,safeTxHash,transaction hash,note,proposer,proposer name,signers,signer names,executor,executor name,fee,fee unit',
    )
    expect(
      lines.some((row) => row.includes(`,transfer-out,,-1.25,'=TUSD,${devnet.tokens.erc20},,${carol.address},`)),
    ).toBe(true)
    expect(lines.some((row) => row.includes(`,transfer-out,,-1,ETH,,,${bob.address},`))).toBe(true)
    const executed = lines.find((row) => row.includes(',executed,true,')) ?? ''
    expect(executed).toMatch(/,0x[0-9a-fA-F]{40}( 0x[0-9a-fA-F]{40})*,[^,]*,0x[0-9a-fA-F]{40},[^,]*,0\.\d+,ETH$/)
    expect(lines.some((row) => row.includes(`,transfer-in,,1,pieces,${devnet.tokens.erc721},77,`))).toBe(true)
  })

  test('behavior: names of the address book; what nothing explains with its blocks and amount', async () => {
    await call(asAlice, nameAddress, { chainId, safeAddress, address: bob.address, name: 'Bob, "Ltd"' })
    const at = { chainId, safeAddress, blockTime: new Date(0), logIndex: 1, transactionHash: null }
    const rows = [
      { ...at, blockNumber: 9, afterBlock: 4, part: 0, kind: 'unexplained-nonce' as const, amount: 3n },
      {
        ...at,
        blockNumber: 9,
        afterBlock: 4,
        part: 1,
        kind: 'unexplained-in' as const,
        tokenKind: 'native' as const,
        amount: 5n,
      },
    ]
    await server.db.insert(historyEntry).values(rows)
    try {
      const lines = (await (await csv()).text()).split('\r\n')
      const has = (text: string) => lines.some((row) => row.includes(text))
      expect(has(`,transfer-out,,-1,ETH,,,${bob.address},"Bob, ""Ltd""",`)).toBe(true)
      expect(has('1970-01-01T00:00:00.000Z,4,9,unexplained-nonce,,3,transactions,')).toBe(true)
      expect(has('1970-01-01T00:00:00.000Z,4,9,unexplained-in,,0.000000000000000005,ETH,')).toBe(true)
    } finally {
      await server.db.delete(historyEntry).where(isNotNull(historyEntry.afterBlock))
    }
  })

  test('behavior: the same filters', async () => {
    expect((await (await csv('?kinds=created')).text()).split('\r\n')).toHaveLength(3)
  })
})
