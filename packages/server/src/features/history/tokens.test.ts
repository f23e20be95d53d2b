import { addSafe, call, listTokens } from '@countersign/contract'
import { demoAccounts, deployHostileToken, testContractAbi } from '@countersign/devnet'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createActor } from '../../test/safe-actor.ts'
import { asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { codeOf, eventually, newSafe, signInAs } from '../../test/test-server.ts'

const [alice, , carol, stranger] = demoAccounts
const chainId = 31337

let safeAddress: Address
let fake: Address

openScene([alice])

beforeAll(async () => {
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  fake = await deployHostileToken(devnet.rpcUrl, carol.address, 'burns all gas')
  const { erc20, erc721, erc1155 } = devnet.tokens
  const { send, execute } = createActor(devnet.rpcUrl)
  await send({ to: safeAddress, value: 1n })
  await send({ to: erc721, data: encode('TestErc721', 'mint', [safeAddress, 77n]) })
  await send({ to: erc721, data: encode('TestErc721', 'mint', [safeAddress, 78n]) })
  await send({ to: erc20, data: encode('TestErc20', 'mint', [safeAddress, 5n]) })
  await send({ to: erc20, data: encode('TestErc20', 'mint', [safeAddress, 5n]) })
  await send({ to: erc1155, data: encode('TestErc1155', 'mint', [safeAddress, 9n, 3n]) })
  await send({ to: fake, data: encode('HostileToken', 'pretend', [safeAddress, 1n]) })
  // One item goes and comes back, one goes for good, and of three pieces one goes.
  const sendItem = (id: bigint) => encode('TestErc721', 'transferFrom', [safeAddress, carol.address, id])
  await execute(safeAddress, { to: erc721, data: sendItem(77n) })
  await execute(safeAddress, { to: erc721, data: sendItem(78n) })
  const sendBack = encode('TestErc721', 'transferFrom', [carol.address, safeAddress, 78n])
  await send({ from: carol.address, to: erc721, data: sendBack })
  const sendPiece = encode('TestErc1155', 'safeTransferFrom', [safeAddress, carol.address, 9n, 1n, '0x'])
  await execute(safeAddress, { to: erc1155, data: sendPiece })
  // All ERC-20 goes: it stays, since whether there is any is for the chain to say.
  await execute(safeAddress, { to: erc20, data: encode('TestErc20', 'transfer', [carol.address, 10n]) })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  await eventually(async () => (await list()).tokens.length === 4)
})

function encode(name: Parameters<typeof testContractAbi>[0], functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi(name), functionName, args })
}

function list(page: { cursor?: string; limit?: number } = {}) {
  return call(asAlice, listTokens, { chainId, safeAddress, ...page })
}

describe('listTokens', () => {
  test('default: tokens that ever moved and items that are still there, in the order in which they came', async () => {
    const { erc20, erc721, erc1155 } = devnet.tokens
    expect(await list()).toEqual({
      tokens: [
        { address: erc721, kind: 'erc721', tokenId: 78n },
        { address: erc20, kind: 'erc20', tokenId: null },
        { address: erc1155, kind: 'erc1155', tokenId: 9n },
        { address: fake, kind: 'erc20', tokenId: null },
      ],
      nextCursor: null,
    })
  })

  test('behavior: pages of any size make the same whole', async () => {
    const whole = (await list()).tokens
    for (const limit of [1, 2, 3, 4]) {
      const found: unknown[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await list({ limit, ...(cursor ? { cursor } : {}) })
        found.push(...page.tokens)
        if (!page.nextCursor) break
        cursor = page.nextCursor
      }
      expect(found).toEqual(whole)
    }
  })

  test('error: SAFE_NOT_FOUND for who has not added the Safe', async () => {
    const asStranger = await signInAs(server, stranger)
    expect(await codeOf(call(asStranger, listTokens, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
  })

  test('error: INVALID_REQUEST for a cursor that no page ended with', async () => {
    expect(await codeOf(list({ cursor: 'AAAA' }))).toBe('INVALID_REQUEST')
  })
})
