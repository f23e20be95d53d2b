import { deploymentAt, isSameAddress, type SafeCreation } from '@countersign/safe'
import { describeCall, MAX_TRANSACTION_GAS } from '@countersign/safe/calls'
import type { Address } from 'viem'
import type { Elsewhere } from '../../facts/safe/elsewhere.ts'
import type { CreationInput } from '../../input.ts'
import { addressOfCreation } from '../../new-safe.ts'
import type { Finding } from '../../types.ts'
import { reviewSafeCreation } from '../calls/creation.ts'
import { codeAt, finding } from '../make-finding.ts'

/** A Safe that is to be created: by which code, for whom, and whether it will be where the page says. */
export function reviewNewSafe(creation: SafeCreation | null, input: CreationInput): Finding[] {
  const { factory, data } = input
  if (creation === null) return [finding('DEPLOY-SETUP-DELEGATE', 'critical', { to: factory })]
  const call = describeCall({ safeAddress: input.safeAddress, to: factory, value: 0n, data, operation: 0 })
  return [
    ...reviewFactory(input),
    ...reviewSafeCreation(call, { ...input, own: null }),
    ...reviewAddress(input),
    ...reviewElsewhere(creation, input),
    ...reviewThreshold(creation),
    ...reviewOwnerCount(creation),
    ...reviewNewOwners(creation, input),
  ]
}

/** The factory decides what code the Safe itself has. */
function reviewFactory({ factory, codes }: CreationInput): Finding[] {
  const release = deploymentAt(factory)
  const code = codeAt(codes, factory)
  if (release?.kind === 'factory' && (code === undefined || code.codeHash === release.codeHash)) return []
  return [finding('CREATION-FACTORY', 'critical', { factory, codeHash: code?.codeHash })]
}

/** Nothing may be at the address, and the factory must agree that the Safe comes there. */
function reviewAddress(input: CreationInput): Finding[] {
  const { safeAddress: safe, codes, createdAddress } = input
  const computed = addressOfCreation(input)
  if (computed === null || !isSameAddress(computed, safe))
    return [finding('CREATION-ADDRESS', 'critical', { safe, computed })]
  const code = codeAt(codes, safe)
  if (code !== undefined && code.size > 0)
    return [finding('CREATION-ADDRESS', 'critical', { safe, codeHash: code.codeHash })]
  if (typeof createdAddress !== 'string' || isSameAddress(createdAddress, safe)) return []
  return [finding('CREATION-ADDRESS', 'critical', { safe, actual: createdAddress })]
}

/** One address on several chains is taken for one Safe. */
function reviewElsewhere({ setup }: SafeCreation, { elsewhere, safeAddress: safe }: CreationInput): Finding[] {
  return (elsewhere ?? []).flatMap(({ chainId, found }) => {
    if (found === 'nothing' || found === 'unanswered' || isSameSafe(setup, found)) return []
    const there = found === 'other-code' ? {} : { owners: found.owners, threshold: found.threshold }
    return [finding('CREATION-ELSEWHERE', 'high', { safe, chainId, ...there })]
  })
}

function isSameSafe(setup: SafeCreation['setup'], found: Exclude<Elsewhere['found'], 'nothing' | 'unanswered'>) {
  if (setup === null || found === 'other-code' || setup.threshold !== found.threshold) return false
  const { owners } = found
  return owners.length === setup.owners.length && owners.every((owner) => includes(setup.owners, owner))
}

function reviewThreshold({ setup }: SafeCreation): Finding[] {
  if (setup === null) return []
  const evidence = { threshold: setup.threshold, owners: setup.owners.length }
  if (setup.threshold === 1) return [finding('CREATION-ONE-SIGNATURE', 'high', evidence)]
  return setup.threshold === setup.owners.length ? [finding('CREATION-ALL-OWNERS', 'medium', evidence)] : []
}

/** Gas of a creation by the factories of 1.3.0 to 1.5.0, at most, and what each owner adds: a slot that was empty, and a word. */
const GAS_OF_CREATION = 250_000
const GAS_PER_OWNER = 24_200
const GAS_STEP = 100_000

/** Hundreds of owners take more gas than a transaction may have: what the Safe receives before could never be used. */
function reviewOwnerCount({ setup }: SafeCreation): Finding[] {
  const owners = setup?.owners.length ?? 0
  const gas = GAS_OF_CREATION + owners * GAS_PER_OWNER
  if (gas <= MAX_TRANSACTION_GAS) return []
  const gasNeeded = Math.ceil(gas / GAS_STEP) * GAS_STEP
  return [finding('CREATION-TOO-LARGE', 'high', { owners, gasNeeded, gasLimit: MAX_TRANSACTION_GAS })]
}

/** Owners whom nobody named, and owners whose account runs code of somebody else. */
function reviewNewOwners({ setup }: SafeCreation, { account, familiar = [], codes }: CreationInput): Finding[] {
  if (setup === null) return []
  const known = account === null ? familiar : [account, ...familiar]
  const unnamed = setup.owners.filter((owner) => !includes(known, owner))
  const delegated = setup.owners.flatMap((owner) => {
    const delegatesTo = codeAt(codes, owner)?.delegatesTo
    return delegatesTo === undefined ? [] : [finding('OWNER-7702', 'high', { owner, delegatesTo })]
  })
  if (unnamed.length === 0) return delegated
  return [finding('CREATION-UNNAMED', 'high', { newOwners: unnamed }), ...delegated]
}

function includes(addresses: readonly Address[], address: Address): boolean {
  return addresses.some((other) => isSameAddress(other, address))
}
