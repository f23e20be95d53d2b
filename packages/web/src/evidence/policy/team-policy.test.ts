import {
  type AllowEntry,
  hashAllowEntry,
  hashPolicy,
  nextPolicy,
  type PolicyState,
  type TeamPolicy,
} from '@countersign/review'
import { type Address, keccak256 } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { VerifiedPolicy } from './served-policy.ts'
import { policyState, seenPolicy } from './team-policy.ts'

const owners: Address[] = [
  '0x00000000000000000000000000000000000000A1',
  '0x00000000000000000000000000000000000000A2',
].map((address) => address.toLowerCase() as Address)
const safe = { owners, threshold: 2 }
let safes = 0

/** A Safe that no test before has seen. */
function newPlace() {
  safes += 1
  return { chainId: 1, safeAddress: `0x${safes.toString(16).padStart(40, '0')}` as Address }
}

/** A storage that is full from some moment on. */
function newStorage(items: Map<string, string>) {
  const storage = {
    isFull: false,
    getItem: (key: string) => items.get(key) ?? null,
    setItem(key: string, value: string) {
      if (storage.isFull) throw new DOMException('full', 'QuotaExceededError')
      items.set(key, value)
    },
  }
  return storage
}

function served(policy: TeamPolicy, withdrawnHashes: readonly `0x${string}`[] = []): VerifiedPolicy {
  const owner = owners[0] as Address
  const withdrawals = withdrawnHashes.map((entryHash) => ({ entryHash, owner, isProved: true }))
  const version = {
    policy: '',
    hash: hashPolicy(policy),
    number: policy.number,
    proposer: owner,
    proposedAt: '',
    inForceSince: '',
    approvals: [],
    withdrawals: [],
  }
  return { inForce: { version, policy, signers: owners, withdrawals }, proposed: null }
}

function statusOf(state: PolicyState): string {
  return state.status === 'rolled-back' ? `rolled-back: ${state.why}` : state.status
}

let storage: ReturnType<typeof newStorage>
beforeEach(() => {
  storage = newStorage(new Map())
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

describe('policyState', () => {
  test('default: remembers the highest version, and takes nothing older', () => {
    const place = newPlace()
    const first = nextPolicy(place, null)
    const second = nextPolicy(place, { policy: first, hash: hashPolicy(first) })
    expect(statusOf(policyState(place, served(first), safe))).toBe('in-force')
    expect(statusOf(policyState(place, served(second), safe))).toBe('in-force')
    expect(statusOf(policyState(place, served(first), safe))).toBe('rolled-back: older')
    expect(statusOf(policyState(place, { inForce: null, proposed: null }, safe))).toBe('rolled-back: missing')
    expect(statusOf(policyState(place, null, safe))).toBe('unread')
  })

  test('behavior: takes nothing older when the storage became full', () => {
    const place = newPlace()
    const first = nextPolicy(place, null)
    const second = nextPolicy(place, { policy: first, hash: hashPolicy(first) })
    policyState(place, served(first), safe)
    storage.isFull = true
    expect(statusOf(policyState(place, served(second), safe))).toBe('in-force')
    expect(statusOf(policyState(place, served(first), safe))).toBe('rolled-back: older')
  })

  test('behavior: an entry that was taken back stays so when the storage became full', () => {
    const place = newPlace()
    const entry: AllowEntry = {
      kind: 'module',
      address: owners[0] as Address,
      codeHash: keccak256('0x01'),
      selector: null,
      implementation: null,
      implementationCodeHash: null,
      name: 'Payroll',
    }
    const policy = { ...nextPolicy(place, null), allowed: [entry] }
    policyState(place, served(policy), safe)
    storage.isFull = true
    policyState(place, served(policy, [hashAllowEntry(entry)]), safe)
    expect(policyState(place, served(policy), safe)).toMatchObject({ status: 'in-force', allowed: [] })
  })

  test('behavior: what another tab has seen counts for this page', () => {
    const place = newPlace()
    const first = nextPolicy(place, null)
    policyState(place, served(first), safe)
    const seen = { number: 2, hash: keccak256('0x02'), withdrawn: [], signers: [] }
    storage.setItem(`policy 1 ${place.safeAddress}`, JSON.stringify(seen))
    expect(seenPolicy(place)).toEqual(seen)
    expect(statusOf(policyState(place, served(first), safe))).toBe('rolled-back: older')
  })
})
