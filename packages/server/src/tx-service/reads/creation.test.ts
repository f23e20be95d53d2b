import { addSafe, call } from '@countersign/contract'
import { type deployOldSafe as deploy, deployOldSafe, oldContract } from '@countersign/devnet'
import { type Address, getAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { chainOf, createChains } from '../../rpc/clients.ts'
import { alice, asAlice, bob, chainId, dave, devnet, openScene, server } from '../../test/scene.ts'
import { refusing, startScriptedNode } from '../../test/scripted-node.ts'
import { devnetChain } from '../../test/test-server.ts'
import { newTxClient, type TxClient } from '../../test/tx-client.ts'
import { wireSchemas } from '../wire/answer-schemas.ts'
import { findCreationOnChain } from './creation-on-chain.ts'

openScene([alice], () => ({ hasRateLimits: false }))

let client: TxClient
beforeAll(async () => {
  client = await newTxClient(server, asAlice)
})

type Version = Parameters<typeof deploy>[0]['version']

async function oldSafe(version: Version, saltNonce: bigint): Promise<Address> {
  const owners = [alice.address, bob.address]
  const rest = { rpcUrl: devnet.rpcUrl, sender: dave.address, saltNonce }
  const address = await deployOldSafe({ ...rest, version, owners, threshold: 2 })
  await call(asAlice, addSafe, { chainId, address })
  return address
}

describe('creation of releases before 1.3.0', () => {
  test.each<[Version]>([['0.1.0'], ['1.0.0'], ['1.1.1'], ['1.2.0']])(
    'default: %s, by what the chain says',
    async (version) => {
      const safe = await oldSafe(version, BigInt(Date.now()))
      const { status, body } = await client.ask(`/v1/safes/${safe}/creation/`)
      expect([status, wireSchemas.Creation.parse(body)]).toMatchObject([
        200,
        {
          creator: dave.address,
          factoryAddress: oldContract(version, 'proxy_factory').address,
          masterCopy: oldContract(version, 'gnosis_safe').address,
          dataDecoded: { method: 'setup' },
        },
      ])
      expect(body.dataDecoded.parameters[0]).toMatchObject({ name: '_owners', value: [alice.address, bob.address] })
      expect(body.saltNonce).toEqual(version === '0.1.0' ? null : expect.stringMatching(/^\d+$/))
    },
  )

  test('behavior: does not repeat a failed search, and charges for each search', async () => {
    const node = await startScriptedNode(
      devnet.rpcUrl,
      refusing(({ method, params }) => method === 'eth_getCode' && params[1] !== 'latest'),
    )
    const chain = chainOf(createChains([devnetChain(node.url)]), chainId)
    const safe = await oldSafe('1.2.0', 3n)
    const paid: number[] = []
    const find = () => findCreationOnChain(chain, safe, (cost) => paid.push(cost))
    expect(await find()).toBeNull()
    const asked = node.exchanges.length
    expect(await find()).toBeNull()
    expect([node.exchanges.length, paid.length]).toEqual([asked, 1])
    await node.close()
  })

  test('behavior: distinguishes two Safes of one block; returns nothing for an account that is not a Safe or is unknown here', async () => {
    const [one, other] = [await oldSafe('1.1.1', 1n), await oldSafe('1.1.1', 2n)]
    const hashes = []
    for (const safe of [one, other]) hashes.push((await client.ask(`/v1/safes/${safe}/creation/`)).body.transactionHash)
    expect(new Set(hashes).size).toBe(2)
    for (const none of [getAddress(devnet.tokens.erc20), dave.address])
      expect((await client.ask(`/v1/safes/${none}/creation/`)).status).toBe(404)
    const stranger = await newTxClient(server, null)
    expect((await stranger.ask(`/v1/safes/${one}/creation/`)).status).toBe(401)
  })
})
