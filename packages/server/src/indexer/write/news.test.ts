import { addSafe, call, listActivity } from '@countersign/contract'
import { encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { settingsAbi } from '../../test/safe-actor.ts'
import { actor, alice, asAlice, bob, carol, chainId, devnet, openTeam, server } from '../../test/scene.ts'
import { eventually, newSafe } from '../../test/test-server.ts'

openTeam()

const addOwner = (owner: string) =>
  encodeFunctionData({ abi: settingsAbi, functionName: 'addOwnerWithThreshold', args: [owner as `0x${string}`, 1n] })

async function verbsWithDetail(safeAddress: `0x${string}`) {
  const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
  return entries.toReversed().map(({ verb, detail }) => ({ verb, detail }))
}

describe('what the follower writes into the activity log', () => {
  test('default: what happens once a Safe is here, and not what it did before; what a reorganisation takes back', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    await actor.execute(safeAddress, { to: safeAddress, data: addOwner(bob.address) })
    // It is added two minutes later.
    server.pass(120_000)
    await actor.rpc('evm_increaseTime', 130)
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const before = await actor.rpc('evm_snapshot')
    const { safeTxHash, transactionHash } = await actor.execute(safeAddress, {
      to: safeAddress,
      data: addOwner(carol.address),
    })
    const log = await eventually(async () => {
      const all = await verbsWithDetail(safeAddress)
      return all.length === 3 && all
    })
    expect(log[0]).toMatchObject({ verb: 'added-safe' })
    expect(log).toContainEqual({ verb: 'changed-settings', detail: { 'owner-added': carol.address, transactionHash } })
    expect(log.map(({ verb }) => verb)).toContain('executed')

    await actor.rpc('evm_revert', before)
    await actor.send({ to: safeAddress, value: 1n })
    await actor.send({ to: safeAddress, value: 1n })
    const after = await eventually(async () => {
      const all = await verbsWithDetail(safeAddress)
      return all.length === 5 && all
    })
    expect(
      after
        .slice(3)
        .map(({ verb }) => verb)
        .sort(),
    ).toEqual(['reverted', 'reverted-settings'])
    const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
    expect(entries.filter(({ verb }) => verb === 'reverted')).toMatchObject([{ safeTxHash }])
  })
})
