import { describeUndeployedSafe, encodeCreateProxy } from '@countersign/safe'
import { keccak256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { configurationSlots } from './effects/safe-slots.ts'
import type { ReviewInput } from './input.ts'
import { reviewSafeTx } from './review.ts'
import { account, ids, inputOf, otherOwner, safeAddress, state, stranger } from './scene.ts'

const { to: factory, data } = encodeCreateProxy({
  version: '1.4.1',
  isL2: true,
  owners: [account.address, otherOwner],
  threshold: 2,
  saltNonce: 7n,
})
const creation = { factory, data }
const made = describeUndeployedSafe(creation, 1)
const code = '0x6001' as const

/** A review of a payment by a Safe that its creation leaves with these slots and this code. */
function reviewLeft(slots: [slot: `0x${string}`, word: `0x${string}`][] | null) {
  const { owners, threshold, singleton, fallbackHandler } = made
  const undeployed = { ...state, owners, threshold, singleton, fallbackHandler, creation, nonce: 0n }
  const input = inputOf({ nonce: 0n, value: 1n }, { state: { ...undeployed, proxyCodeHash: keccak256(code) } })
  const { simulation } = input
  if (simulation?.result.status !== 'finished') throw new Error('Nothing was run.')
  const expected = configurationSlots(undeployed, 0n).filter(({ word }) => BigInt(word) !== 0n)
  const left = slots ?? expected.map(({ slot, word }): [typeof slot, typeof word] => [slot, word])
  const result = { ...simulation.result, activated: { slots: left, code } }
  return reviewSafeTx({ ...input, simulation: { ...simulation, result } } as ReviewInput)
}

describe('a Safe that is still to be created', () => {
  it('is told, and is what its creation leaves', async () => {
    const found = ids(await reviewLeft(null))
    expect(found).toContain('NOT-DEPLOYED')
    expect(found).not.toContain('STATE-DIFFERS')
  })

  it('is never green where the creation leaves anything else', async () => {
    const { owners, threshold, singleton, fallbackHandler } = made
    const plain = { ...state, owners, threshold, singleton, fallbackHandler }
    const slotsOf = (change: Partial<typeof state>) =>
      configurationSlots({ ...plain, ...change }, 0n)
        .filter(({ word }) => BigInt(word) !== 0n)
        .map(({ slot, word }): [typeof slot, typeof word] => [slot, word])
    for (const hidden of [
      { modules: [stranger] },
      { fallbackHandler: stranger },
      { guard: stranger },
      { threshold: 1 },
    ]) {
      const review = await reviewLeft(slotsOf(hidden))
      expect(review.findings, Object.keys(hidden).join()).toContainEqual(
        expect.objectContaining({ id: 'STATE-DIFFERS' }),
      )
      expect(review.verdict).toBe('cannot-verify')
    }
    const foreign = await reviewLeft([...slotsOf({}), [keccak256(safeAddress), keccak256('0x01')]])
    expect(foreign.findings).toContainEqual(expect.objectContaining({ evidence: { parts: 'storage' } }))
  })
})
