import { type Address, encodeFunctionData, type Hex, pad, parseAbi, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import type { FinishedSimulation } from '../../simulation/simulation-result.ts'
import { callOf } from './runs.ts'
import { simulationOf, slotsAfter } from './scene.ts'

const IMPLEMENTATION: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const ADMIN: Hex = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
const TRANSFERRED: Hex = '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0'
const slot = (of: Address, at: Hex, after: Address) => ({
  account: of,
  slot: at,
  before: pad(token),
  after: pad(after),
})
const unread = { to: stranger, data: '0xdeadbeef' } as const
const found = async (fields: Partial<FinishedSimulation>, tx: Parameters<typeof inputOf>[0] = unread) =>
  (await reviewSafeTx(inputOf(tx, simulationOf({ slots: slotsAfter(), ...fields })))).findings.flatMap(
    ({ id, severity, evidence }) =>
      /^(?:PROXY-UPGRADE|OWNERSHIP-TRANSFER|RENOUNCE)$/.test(id) ? [{ id, severity, evidence }] : [],
  )
const upgraded = { slots: [...slotsAfter(), slot(token, IMPLEMENTATION, stranger)] }

describe('contracts that a run changes', () => {
  test('default: code and admin of a proxy are replaced at any depth', async () => {
    expect(await found(upgraded)).toMatchObject([
      { id: 'PROXY-UPGRADE', severity: 'critical', evidence: { proxy: token, implementation: stranger } },
    ])
    expect(await found({ slots: [...slotsAfter(), slot(token, ADMIN, stranger)] })).toMatchObject([
      { id: 'OWNERSHIP-TRANSFER', severity: 'critical', evidence: { to: token, newOwner: stranger } },
    ])
  })

  test('behavior: one that the run creates is no news, and one that a call says is said once', async () => {
    expect(await found({ ...upgraded, created: [token] })).toEqual([])
    const data = encodeFunctionData({ abi: parseAbi(['function upgradeTo(address implementation)']), args: [stranger] })
    expect(await found(upgraded, { to: token, data })).toHaveLength(1)
  })

  test('behavior: a contract that the Safe owned says that it has another owner, as Radiant’s did', async () => {
    const log = (from: Address, to: Address) => ({
      call: callOf({ logs: [{ address: token, topics: [TRANSFERRED, pad(from), pad(to)], data: '0x' as const }] }),
    })
    expect(await found(log(safeAddress, stranger))).toMatchObject([
      { id: 'OWNERSHIP-TRANSFER', severity: 'critical', evidence: { to: token, newOwner: stranger } },
    ])
    expect(await found(log(safeAddress, zeroAddress))).toMatchObject([{ id: 'RENOUNCE' }])
    expect(await found(log(stranger, token))).toEqual([])
    const data = encodeFunctionData({
      abi: parseAbi(['function transferOwnership(address newOwner)']),
      args: [stranger],
    })
    expect(await found(log(safeAddress, stranger), { to: token, data })).toHaveLength(1)
  })
})
