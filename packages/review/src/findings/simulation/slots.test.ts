import { safeAbi } from '@countersign/safe'
import { type Address, encodeAbiParameters, encodeFunctionData, keccak256, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { isClosed } from '../../acknowledgements.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, otherOwner, outsider, safeAddress, stranger } from '../../scene.ts'
import type { FinishedSimulation } from '../../simulation/simulation-result.ts'
import type { SafeConfiguration } from '../../types.ts'
import { before, paid, simulationOf, slotsAfter } from './scene.ts'

const review = async (
  slots: FinishedSimulation['slots'],
  fields: Parameters<typeof inputOf>[0] = { value: 1n },
  outcome: FinishedSimulation['outcome'] = { kind: 'success', output: '0x' },
) => reviewSafeTx(inputOf(fields, simulationOf({ slots, outcome, balances: paid(fields.value ?? 0n) })))
const ids = async (...args: Parameters<typeof review>) => (await review(...args)).findings.map(({ id }) => id)
const slotOf = (key: Address, place: bigint) =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, place]))

describe('the slots of the Safe before and after a run', () => {
  test('default: nothing but the nonce changes, and the review says so', async () => {
    const { verdict, configuration } = await review(slotsAfter())
    expect([verdict, configuration?.changed]).toEqual(['matches', false])
  })

  test.each<[string, Partial<SafeConfiguration>, string]>([
    ['singleton', { singleton: stranger }, 'SLOT0-CHANGE'],
    ['owners', { owners: [outsider.address, otherOwner] }, 'OWNER-ADD'],
    ['threshold', { threshold: 1 }, 'THRESHOLD-DOWN'],
    ['modules', { modules: [stranger] }, 'MODULE-ENABLE'],
    ['guard', { guard: stranger }, 'GUARD-SET'],
    ['moduleGuard', { moduleGuard: stranger }, 'MODGUARD-CHANGE'],
    ['fallbackHandler', { fallbackHandler: stranger }, 'HANDLER-UNKNOWN'],
  ])('behavior: a payment that changes %s as well is refused, and the slot is named', async (holds, changed, id) => {
    const { verdict, findings, configuration, ...rest } = await review(slotsAfter(changed))
    expect(findings.map((known) => known.id)).toEqual(expect.arrayContaining(['CRIT-SLOT-UNEXPLAINED', id]))
    expect(findings.some((known) => known.evidence.holds === holds)).toBe(true)
    expect([verdict, isClosed({ findings, ...rest })]).toEqual(['do-not-sign', true])
    expect(configuration?.after).toMatchObject(changed)
  })

  test('behavior: an entry that makes somebody an owner without standing in the list is found', async () => {
    const hidden = { account: safeAddress, slot: slotOf(stranger, 2n), before: pad('0x'), after: pad('0x01') }
    const { findings } = await review([...slotsAfter(), hidden])
    expect(findings).toContainEqual(
      expect.objectContaining({ id: 'CRIT-SLOT-UNEXPLAINED', where: { slot: hidden.slot } }),
    )
  })

  test('behavior: what the calls say is no news', async () => {
    const data = encodeFunctionData({
      abi: safeAbi,
      functionName: 'addOwnerWithThreshold',
      args: [outsider.address, 2n],
    })
    const owners = [outsider.address, ...before.owners]
    const found = await ids(slotsAfter({ owners }), { to: safeAddress, data })
    expect(found).toContain('OWNER-ADD')
    expect(found).not.toContain('CRIT-SLOT-UNEXPLAINED')
    expect(await ids(slotsAfter(), { to: safeAddress, data })).toContain('SETTINGS-NOT-CHANGED')
    const lower = await ids(slotsAfter({ owners, threshold: 1 }), { to: safeAddress, data })
    expect(lower).toEqual(expect.arrayContaining(['CRIT-SLOT-UNEXPLAINED', 'THRESHOLD-DOWN']))
  })

  test('behavior: of what failed inside only the nonce remains', async () => {
    const failure = { kind: 'halt', reason: 'out of gas' } as const
    const outcome = { kind: 'inner-failure', failure, began: [] } as const
    expect(await ids(slotsAfter(), { value: 1n }, outcome)).not.toContain('CRIT-SLOT-UNEXPLAINED')
    expect(await ids(slotsAfter({ threshold: 1 }), { value: 1n }, outcome)).toContain('CRIT-SLOT-UNEXPLAINED')
  })
})
