import { pad } from 'viem'
import { expect, test } from 'vitest'
import { teamAbi } from '../../db/team-schema.ts'
import { addedSafe, alice, asAlice, chainId, openScene, server } from '../../test/scene.ts'
import { newTxClient } from '../../test/tx-client.ts'

openScene([alice])

test('behavior: a page ends after a megabyte of ABIs, whatever their characters', async () => {
  const safeAddress = await addedSafe()
  const common = { chainId, safeAddress, author: alice.address, signature: null, updatedAt: new Date() }
  // Three bytes for each character of the name.
  const abi = JSON.stringify([{ type: 'function', name: '€'.repeat(150_000) }])
  const contracts = (['0x1', '0x2', '0x3', '0x4', '0x5'] as const).map((address) => pad(address, { size: 20 }))
  await server.db.insert(teamAbi).values(contracts.map((contract) => ({ ...common, contract, name: 'A', abi })))
  const client = await newTxClient(server, asAlice)
  const { body: page } = await client.ask('/v1/contracts/?limit=4')
  expect(page.results.map(({ address }: { address: string }) => address)).toEqual(contracts.slice(0, 3))
  const { body: rest } = await client.ask('/v1/contracts/?limit=4&offset=3')
  expect(new URL(page.next).searchParams.get('offset')).toBe('3')
  expect(rest.results.slice(0, 2)).toMatchObject(contracts.slice(3).map((address) => ({ address, contractAbi: {} })))
})
