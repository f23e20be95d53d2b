import { demoAccounts, testContractAbi, testContracts } from '@countersign/devnet'
import { countedBalances, type SafeTxRun } from '@countersign/review'
import { readSafeState } from '@countersign/safe'
import { composeCalls, composeSafeTx, type Intent, libraryCandidates } from '@countersign/safe/compose'
import { type Address, encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'
import { readerOfLatest } from './test/chain.ts'
import { useTokenWorld } from './test/token-world.ts'

// Items of a collection (ERC-721) that a batch sends: each once, and a count only where items move that nothing names.

const [, , , { address: payee }] = demoAccounts
const collection = testContracts.erc721.address
const world = useTokenWorld()
const { chainId, token } = world

const mintData = (to: Address, tokenId: bigint) =>
  encodeFunctionData({ abi: testContractAbi('TestErc721'), functionName: 'mint', args: [to, tokenId] })

async function movesOf(safeAddress: Address, intents: readonly Intent[]) {
  const state = await readSafeState(world.node.request, safeAddress, chainId)
  const { calls } = composeCalls(intents, state)
  const [library] = libraryCandidates('multi-send-call-only', state)
  const safeTx = composeSafeTx(calls, { nonce: state.nonce, multiSend: library?.address ?? null })
  if (safeTx === null) throw new Error('The batch has no transaction.')
  const what: SafeTxRun = {
    kind: 'safe-transaction',
    safeAddress,
    version: '1.4.1',
    threshold: 2,
    confirmations: [],
    owners: world.owners.map(({ address }) => address),
    safeTx,
    executor: demoAccounts[8].address,
  }
  const run = await simulate(await readerOfLatest(world.node, chainId), what)
  if (run.status === 'unfinished') throw new Error(JSON.stringify(run.reason))
  return countedBalances(run, safeAddress).map(({ account, token: asset, tokenId, before, after }) => ({
    isOwn: account === safeAddress,
    asset,
    tokenId,
    delta: before === null || after === null ? 'unread' : after - before,
  }))
}

test.each([
  [[1_001n], 91n],
  [[1_002n, 1_003n, 1_004n], 92n],
])('items %s of a batch move once for each account', async (tokenIds, saltNonce) => {
  const sides = [
    [true, -1n],
    [false, 1n],
  ] as const
  const expected = sides.flatMap(([isOwn, sign]) => [
    { isOwn, asset: token, tokenId: null, delta: 7n * sign },
    ...tokenIds.map((tokenId) => ({ isOwn, asset: collection, tokenId, delta: sign })),
  ])
  const safeAddress = await world.deployFunded('1.4.1', saltNonce, 500n)
  for (const tokenId of tokenIds) await world.send(collection, mintData(safeAddress, tokenId))
  const items = tokenIds.map((tokenId) => ({ kind: 'send-erc721', collection, to: payee, tokenId }) as const)
  const moves = await movesOf(safeAddress, [{ kind: 'send-erc20', token, to: payee, amount: 7n }, ...items])
  expect(moves).toHaveLength(expected.length)
  expect(moves).toEqual(expect.arrayContaining(expected))
})

test("an item that comes into being was nobody's before", async () => {
  const safeAddress = await world.deployFunded('1.4.1', 93n)
  const data = mintData(safeAddress, 1_005n)
  expect(await movesOf(safeAddress, [{ kind: 'call', to: collection, value: 0n, data }])).toEqual([
    { isOwn: true, asset: collection, tokenId: 1_005n, delta: 1n },
  ])
})
