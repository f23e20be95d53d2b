import { type AllowEntry, hashPolicy, nextPolicy, type PolicyState, type TeamPolicy } from '@countersign/review'
import { type Address, keccak256, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { comparedWith, differencesOf, parseLimitAmount } from './policy-words.ts'

const place = { chainId: 1, safeAddress: '0x00000000000000000000000000000000000000a1' as Address }
const first = nextPolicy(place, null)

function limitedTo(period: number): TeamPolicy {
  return { ...first, amountLimits: [{ asset: zeroAddress, amount: 10n, period }] }
}

describe('parseLimitAmount', () => {
  test('default: in units of the asset, and nothing at all', () => {
    expect(parseLimitAmount(' 1250.5 ', 6)).toBe(1_250_500_000n)
    expect(parseLimitAmount('0', 6)).toBe(0n)
  })

  test.each(['', '0.0000015', '1,5', '1e3', '-1', '9'.repeat(72)])(
    'behavior: rounds and guesses nothing: %s',
    (typed) => {
      expect(parseLimitAmount(typed, 6)).toBeNull()
    },
  )
})

describe('differencesOf', () => {
  test('behavior: tells a limit of one second from one of a day', () => {
    const differences = differencesOf(limitedTo(1), limitedTo(86_400), undefined)
    expect(differences.map(({ kind }) => kind)).toEqual(['added', 'removed'])
    expect(differences[0]?.sentence).toContain('in 1 second,')
    expect(differences[1]?.sentence).toContain('in 1 day,')
    expect(differencesOf(limitedTo(129_599), limitedTo(86_400), undefined)).toHaveLength(2)
    expect(differencesOf(limitedTo(86_400), limitedTo(86_400), undefined)).toEqual([])
  })

  test('behavior: what a server only says to be in force hides no line of a proposed version', () => {
    const allowed: AllowEntry[] = [
      {
        kind: 'module',
        address: '0x00000000000000000000000000000000000000b2',
        codeHash: keccak256('0x01'),
        implementation: null,
        implementationCodeHash: null,
        selector: null,
        name: 'Theft',
      },
    ]
    const said = { ...first, allowed }
    const proposed = nextPolicy(place, { policy: said, hash: hashPolicy(said) })
    const standing = { approvers: [], formerApprovers: [], required: 2, isApproved: false, allowed: [] }
    const state: PolicyState = {
      status: 'in-force',
      policy: said,
      hash: hashPolicy(said),
      isProven: false,
      unproved: { signers: [], withdrawn: [] },
      ...standing,
      isLapsed: true,
      withdrawn: [],
      lowersCritical: true,
    }
    expect(differencesOf(proposed, comparedWith(state, proposed), undefined)).toHaveLength(1)
    const proven = { ...state, isProven: true }
    expect(differencesOf(proposed, comparedWith(proven, proposed), undefined)).toEqual([])
    // An older version, which the proposed one does not follow.
    const later = { ...proposed, previousHash: keccak256('0x02') }
    expect(differencesOf(later, comparedWith(proven, later), undefined)).toHaveLength(1)
  })
})
