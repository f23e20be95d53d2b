import { demoAccounts, testContractAbi, testContracts } from '@countersign/devnet'
import type { SafeTxRun } from '@countersign/review'
import { CountersignError, newSafeTx, type RpcRequest, readSafeState, type SafeTx } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { composeCalls, composeSafeTx, type Intent, libraryCandidates } from '@countersign/safe/compose'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  isHex,
  numberToHex,
  size,
  slice,
  zeroAddress,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { crossCheck } from './cross-check.ts'
import { compareMoves } from './node-moves.ts'
import { simulate } from './simulate.ts'
import { readerOfLatest } from './test/chain.ts'
import { useTokenWorld } from './test/token-world.ts'

// A node is asked what moves, in the block and at the price of the run in the page, whose word is compared with it.

const [, , , { address: payee }] = demoAccounts
const executor = demoAccounts[8].address
const [collection, items] = [testContracts.erc721.address, testContracts.erc1155.address]
const world = useTokenWorld()
const { chainId, token } = world

let safeAddress: Address

beforeAll(async () => {
  safeAddress = await world.deployFunded('1.4.1', 301n, 500n)
  await world.ask('anvil_setBalance', safeAddress, numberToHex(10n ** 18n))
  const data = encodeFunctionData({
    abi: testContractAbi('TestErc721'),
    functionName: 'mint',
    args: [safeAddress, 301n],
  })
  await world.send(collection, data)
  const args = [safeAddress, 7n, 9n]
  await world.send(items, encodeFunctionData({ abi: testContractAbi('TestErc1155'), functionName: 'mint', args }))
})

const approve = encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName: 'approve', args: [payee, 77n] })
const everything: readonly Intent[] = [
  { kind: 'send-native', to: payee, amount: 5n },
  { kind: 'send-erc20', token: testContracts.erc20.address, to: payee, amount: 6n },
  // The executor receives as an account without code does.
  { kind: 'send-erc721', collection, to: executor, tokenId: 301n },
  { kind: 'send-erc1155', collection: items, to: payee, tokenId: 7n, amount: 2n },
  { kind: 'call', to: testContracts.erc20.address, value: 0n, data: approve },
]

/** Values that are asked for it. */
const ASKED = 10

async function safeTxOf(intents: readonly Intent[]): Promise<SafeTx> {
  const state = await readSafeState(world.node.request, safeAddress, chainId)
  const [library] = libraryCandidates('multi-send-call-only', state)
  const { calls } = composeCalls(intents, state)
  const safeTx = composeSafeTx(calls, { nonce: state.nonce, multiSend: library?.address ?? null })
  if (safeTx === null) throw new Error('The batch has no transaction.')
  return safeTx
}

/** The run as the page makes it, and what a node says of it. */
async function checkBy(request: RpcRequest, safeTx: SafeTx, more: Partial<SafeTxRun> = {}) {
  const reader = await readerOfLatest(world.node, chainId)
  const run: SafeTxRun = {
    kind: 'safe-transaction',
    safeAddress,
    version: '1.4.1',
    threshold: 2,
    confirmations: [],
    executor,
    safeTx,
    owners: world.owners.map(({ address }) => address),
    gasPrice: reader.header.baseFeePerGas ?? 0n,
    ...more,
  }
  const result = await simulate(reader, run)
  return { result, check: await crossCheck(request, run, result) }
}

const isAsking = ({ params: [call] = [] }: { params?: unknown[] }) =>
  typeof call === 'object' && call !== null && 'to' in call && call.to === executor

/** A node that changes what the code at the executor's address answers. */
function nodeThat(change: (answer: Hex) => unknown): RpcRequest {
  return async (call) => {
    const answer = await world.node.request(call)
    return isAsking(call) && isHex(answer) ? change(answer) : answer
  }
}

function withWord(answer: Hex, index: number, change: (old: bigint) => bigint): Hex {
  const word = numberToHex(change(hexToBigInt(slice(answer, index * 32, index * 32 + 32))), { size: 32 })
  const rest = (index + 1) * 32 < size(answer) ? slice(answer, (index + 1) * 32).slice(2) : ''
  return `${index === 0 ? '0x' : slice(answer, 0, index * 32)}${word.slice(2)}${rest}`
}

describe('what moves, by the node', () => {
  test('is the same for coin, tokens, items and approvals', async () => {
    const { check } = await checkBy(world.node.request, await safeTxOf(everything))
    // Both sides of four assets, a count of the collection, and one approval.
    expect(check).toMatchObject({ status: 'agrees', outcome: 'success', compared: ASKED, moved: null })
  })

  test('diverges by each single value that is another', async () => {
    const safeTx = await safeTxOf(everything)
    const found = new Set<string>()
    for (let index = 0; index < ASKED; index += 1) {
      // One more; or the Safe as the owner of what it gives away.
      for (const lie of [1n, null]) {
        const lying = nodeThat((answer) =>
          withWord(answer, 2 + index * 2 + 1, (old) => (lie === null ? hexToBigInt(safeAddress) : old + lie)),
        )
        const { check } = await checkBy(lying, safeTx)
        if (check.status !== 'diverges' || check.moved === null) continue
        expect(check.outcome).toBe('success')
        expect(check.moved.here).not.toBe(check.moved.node)
        found.add(`${index} ${check.moved.account} ${check.moved.token}`)
      }
    }
    expect(found.size).toBe(ASKED)
    const places = [...found].map((entry) => entry.replace(/^\d+ /, ''))
    for (const asset of [zeroAddress, token, collection, items]) expect(places).toContain(`${safeAddress} ${asset}`)
    for (const asset of [zeroAddress, token, items]) expect(places).toContain(`${payee} ${asset}`)
    expect(places).toContain(`${executor} ${collection}`)
  })

  test('is not compared where the node runs no code in the place of an account, or runs that to another end', async () => {
    const safeTx = await safeTxOf(everything)
    const answers = [
      () => {
        throw new Error('no code')
      },
      () => '0x',
      (answer: Hex) => `${answer}00`,
      (answer: Hex) => slice(answer, 0, 64),
      (answer: Hex) => withWord(answer, 0, (old) => old - 1n),
      (answer: Hex) => withWord(answer, 1, (old) => old + 1n),
    ]
    for (const change of answers)
      expect((await checkBy(nodeThat(change), safeTx)).check).toMatchObject({ status: 'agrees', compared: null })
  })

  test('leaves out what a contract does not answer there, and compares the rest', async () => {
    const safeTx = await safeTxOf(everything)
    const silent = nodeThat((answer) => withWord(answer, 2, (old) => old - 1n))
    expect((await checkBy(silent, safeTx)).check).toMatchObject({ status: 'agrees', compared: ASKED - 1, moved: null })
  })

  test('is asked by no code where nothing moves, the Safe sends it, or gas is short', async () => {
    const asked: unknown[] = []
    const noting: RpcRequest = (call) => {
      if (isAsking(call)) asked.push(call)
      return world.node.request(call)
    }
    await checkBy(noting, newSafeTx({ to: payee, nonce: (await safeTxOf(everything)).nonce }))
    await checkBy(noting, await safeTxOf(everything), { gas: 400_000n })
    expect(asked).toEqual([])
  })

  test('leaves out the coin of the executor, who pays for the gas', async () => {
    const { nonce } = await safeTxOf(everything)
    const { check } = await checkBy(world.node.request, newSafeTx({ to: executor, value: 5n, nonce }))
    expect(check).toMatchObject({ status: 'agrees', compared: 1, moved: null })
  })

  test('takes a refusal to name an owner for nobody, and for nobody alone', () => {
    const word = (value: bigint) => numberToHex(value, { size: 32 })
    const compared = (after: bigint, isOfOwner?: true) => {
      const question = { to: collection, data: '0x', read: hexToBigInt, ...(isOfOwner && { isOfOwner }) } as const
      const asking = {
        code: '0x',
        input: '0x',
        moved: [{ account: safeAddress, token: collection, after, question }],
      } as const
      return compareMoves(asking, concatHex([word(1n), word(1n), word(0n), word(0n)]), word(1n))?.compared
    }
    expect([compared(0n, true), compared(1n, true), compared(0n)]).toEqual([1, 0, 0])
  })

  test('is the refund alone where the transaction itself fails', async () => {
    const safeTx = newSafeTx({
      to: token,
      data: world.transferOf(payee, 10n ** 9n),
      nonce: (await safeTxOf(everything)).nonce,
      safeTxGas: 100_000n,
      baseGas: 50_000n,
      gasPrice: 1n,
      refundReceiver: payee,
    })
    const { check } = await checkBy(world.node.request, safeTx)
    expect(check).toMatchObject({ status: 'agrees', outcome: 'inner-failure' })
    const { check: lied } = await checkBy(
      nodeThat((answer) => withWord(answer, 3, (old) => old + 1n)),
      safeTx,
    )
    expect(lied).toMatchObject({ status: 'diverges' })
  })

  test('diverges by the reason of a revert, unless the node gives none', async () => {
    const safeTx = newSafeTx({ to: token, data: world.transferOf(payee, 10n ** 9n), nonce: 0n })
    const reverting =
      (data: Hex): RpcRequest =>
      async (call) => {
        if (call.method !== 'eth_call') return world.node.request(call)
        throw new CountersignError('RPC_ERROR', 'reverted', { data: { rpcCode: 3, rpcData: data } })
      }
    const { check } = await checkBy(world.node.request, safeTx)
    if (check.status === 'unasked') throw new Error('The node was not asked.')
    expect(check).toMatchObject({ status: 'agrees', outcome: 'reverted' })
    expect(size(check.data)).toBeGreaterThan(0)
    expect((await checkBy(reverting(check.data), safeTx)).check).toMatchObject({ status: 'agrees' })
    expect((await checkBy(reverting('0x'), safeTx)).check).toMatchObject({ status: 'agrees' })
    expect((await checkBy(reverting('0x08c379a0'), safeTx)).check).toMatchObject({ status: 'diverges' })
  })

  test('is asked of all payments of a large batch, each diverging by itself, after several executions', async () => {
    const calls = Array.from({ length: 100 }, (_, index) => ({
      to: numberToHex(2n ** 159n + BigInt(index), { size: 20 }),
      value: 1n,
      data: '0x',
      operation: 0,
    }))
    const state = await readSafeState(world.node.request, safeAddress, chainId)
    const [library] = libraryCandidates('multi-send-call-only', state)
    if (library === undefined) throw new Error('There is no library.')
    const batch = { to: library.address, data: encodeMultiSend(calls), operation: 1, nonce: state.nonce } as const
    let asked = 0
    const counting: RpcRequest = (call) => {
      if (isAsking(call)) asked += 1
      return world.node.request(call)
    }
    const { check } = await checkBy(counting, newSafeTx(batch))
    // The Safe's own coin, too.
    expect([check, asked]).toMatchObject([{ status: 'agrees', compared: 101, moved: null }, 2])
    const answering = (change: (answer: Hex) => Hex) => {
      let at = 0
      return checkBy(
        nodeThat((answer) => {
          at += 1
          return at === 2 ? change(answer) : answer
        }),
        newSafeTx(batch),
      )
    }
    const { check: lied } = await answering((answer) => withWord(answer, size(answer) / 32 - 1, (old) => old + 1n))
    expect(lied).toMatchObject({
      status: 'diverges',
      moved: { account: getAddress(calls.at(-1)?.to ?? '0x'), here: 1n },
    })
    // An answer to a part of it is none.
    const { check: half } = await answering(() => '0x')
    expect(half).toMatchObject({ status: 'agrees', compared: null })
    // With less gas each execution is followed by fewer questions.
    asked = 0
    const { check: short } = await checkBy(counting, newSafeTx(batch), { gas: 6_000_000n })
    expect(short).toMatchObject({ status: 'agrees', compared: 101 })
    expect(asked).toBeGreaterThan(2)
  })
})
