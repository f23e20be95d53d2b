import { deploymentAt, isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, size } from 'viem'
import type { ReviewInput, SubjectInput } from '../../input.ts'
import { recipientsOf } from '../../targets.ts'
import type { Finding } from '../../types.ts'
import { isOpenToAll } from '../addresses/open-callers.ts'
import { callFinding, codeAt, finding } from '../make-finding.ts'

/** Owners whose account runs code of somebody else, and owners that depend on each other. */
export function reviewOwners({ state, safeAddress, ownerAccounts = {} }: SubjectInput): Finding[] {
  if (state === null) return []
  const findings = state.owners.flatMap((owner) => {
    const delegatesTo = ownerAccounts[owner.toLowerCase()]?.code.delegatesTo
    return delegatesTo === undefined ? [] : [finding('OWNER-7702', 'high', { owner, delegatesTo })]
  })
  const cycle = findCycle([safeAddress], state.owners, ownerAccounts)
  return cycle === null ? findings : [...findings, finding('NESTED-CYCLE', 'high', { owners: cycle })]
}

/**
 * A way from a Safe through its owners back to itself.
 *
 * @param deadEnds by lower-case address: no way through them comes back. Each account is followed once, as strangers choose
 * who owns what, and the ways through sixty accounts are more than anybody can walk.
 */
function findCycle(
  way: readonly Address[],
  owners: readonly Address[],
  accounts: NonNullable<SubjectInput['ownerAccounts']>,
  deadEnds: Set<string> = new Set(),
): Address[] | null {
  for (const owner of owners) {
    if (way.some((earlier) => isSameAddress(earlier, owner))) return [...way, owner]
    const key = owner.toLowerCase()
    if (deadEnds.has(key)) continue
    const cycle = findCycle([...way, owner], accounts[key]?.owners ?? [], accounts, deadEnds)
    if (cycle !== null) return cycle
    deadEnds.add(key)
  }
  return null
}

/** A customary place to burn tokens; nobody has its key. */
const BURN_ADDRESS: Address = '0x000000000000000000000000000000000000dEaD'

/** Addresses up to here are of the protocol: precompiled contracts and what chains keep beside them. */
const LAST_RESERVED = 0xffffn

/**
 * Whether what is sent there is lost: nobody has the key, a release has no way to take it out, or anybody can take it by a
 * call that the contract makes for whoever asks.
 */
export function isLostAt(address: Address): boolean {
  const release = deploymentAt(address)
  const isLibrary = release !== null && release.kind !== 'module'
  return isLibrary || isOpenToAll(address) || BigInt(address) <= LAST_RESERVED || isSameAddress(address, BURN_ADDRESS)
}

/** Whether whoever comes first takes what a contract holds: a router, which holds nothing for anybody. */
export function isForAnybody(address: Address, { codes }: Pick<ReviewInput, 'codes'>): boolean {
  return codeAt(codes, address)?.givesOut === true
}

/** Native coin that is lost where a call leaves it. */
export function reviewLostCoin(call: Call, input: Pick<ReviewInput, 'codes'>): Finding[] {
  const isPlain = size(call.data) === 0
  const isLost = isLostAt(call.to) || (isPlain && isForAnybody(call.to, input))
  if (!isLost || valueLeftAt(call) <= 0n) return []
  return [callFinding(call, 'TOKEN-TO-ITSELF', 'high', { recipient: call.to })]
}

/** Native coin in base units that stays at the contract: what makes calls for anybody passes on what they pay. */
function valueLeftAt(call: Call): bigint {
  if (size(call.data) === 0) return call.value
  if (!isOpenToAll(call.to)) return 0n
  return (call.calls ?? []).reduce((left, { value }) => left - value, call.value)
}

/** Recipients whose account runs code of somebody else: that code may pass everything on at once. */
export function reviewRecipients(calls: readonly Call[], input: ReviewInput): Finding[] {
  const reported = new Set<string>()
  return recipientsOf(calls).flatMap(({ call, recipient }) => {
    const delegatesTo = codeAt(input.codes, recipient)?.delegatesTo
    if (delegatesTo === undefined || reported.has(recipient.toLowerCase())) return []
    reported.add(recipient.toLowerCase())
    return [callFinding(call, 'RECIPIENT-7702', 'high', { recipient, delegatesTo })]
  })
}
