import { isSameAddress } from '@countersign/safe'
import { type Address, type Hex, zeroAddress } from 'viem'
import type { ReviewInput } from '../../input.ts'
import type { SimulatedLog } from '../../simulation/simulation-result.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { executedRun, heldAddress } from './finished.ts'
import { logsOf } from './transfers.ts'

/** Slots in which proxies keep where their code is: ERC-1967 (implementation, beacon) and ERC-1822. */
const implementationSlots: readonly Hex[] = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
  '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
]
/** The slot in which ERC-1967 keeps who may replace it. */
const ADMIN_SLOT: Hex = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
/** keccak256 of `OwnershipTransferred(address,address)`. */
const OWNERSHIP_TRANSFERRED: Hex = '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0'

/**
 * Contracts whose code or owner another call replaces than the one that says so: by their slots, at any depth. `told`:
 * what the calls say already.
 */
export function reviewControl(told: readonly Finding[], input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null) return []
  const isNew = (address: Address) => run.created.some((created) => isSameAddress(created, address))
  const ofSlots = run.slots.flatMap(({ account, slot, before, after }) => {
    if (isSameAddress(account, input.safeAddress) || isNew(account) || before === after) return []
    const held = heldAddress(after)
    if (isOneOf(implementationSlots, slot)) {
      if (isTold(told, 'PROXY-UPGRADE', account, held)) return []
      const evidence = { to: account, proxy: account, before: heldAddress(before), implementation: held }
      return [finding('PROXY-UPGRADE', 'critical', evidence)]
    }
    if (!isOneOf([ADMIN_SLOT], slot) || isTold(told, 'OWNERSHIP-TRANSFER', account, held)) return []
    return [finding('OWNERSHIP-TRANSFER', 'critical', { to: account, newOwner: held })]
  })
  const ofLogs = logsOf(run.call).flatMap((log) => {
    const [from, to] = transferOf(log)
    // A log of somebody else's ownership is no business of this Safe, and anybody can write one.
    if (from === null || !isSameAddress(from, input.safeAddress) || isNew(log.address)) return []
    if (isTold(told, 'OWNERSHIP-TRANSFER', log.address, to) || isTold(told, 'RENOUNCE', log.address, null)) return []
    const isEnd = to === null || isSameAddress(to, zeroAddress)
    return [
      isEnd
        ? finding('RENOUNCE', 'critical', { to: log.address })
        : finding('OWNERSHIP-TRANSFER', 'critical', { to: log.address, newOwner: to }),
    ]
  })
  return [...ofSlots, ...ofLogs]
}

/** Whether a call says it: on this contract, to this account. */
function isTold(told: readonly Finding[], id: Finding['id'], contract: Address, value: Address | null): boolean {
  return told.some((known) => {
    if (known.id !== id) return false
    const { to } = known.evidence
    const proxy = known.id === 'PROXY-UPGRADE' ? known.evidence.proxy : to
    const said = saidIn(known)
    const isThere = [proxy, to].some((at) => at !== undefined && isSameAddress(at, contract))
    return isThere && (value === null || said === undefined || isSameAddress(said, value))
  })
}

/** The new code or the new owner that a finding names. */
function saidIn({ id, evidence }: Finding): Address | undefined {
  if (id === 'PROXY-UPGRADE') return evidence.implementation
  return id === 'OWNERSHIP-TRANSFER' ? evidence.newOwner : undefined
}

function transferOf({ topics }: SimulatedLog): [Address | null, Address | null] {
  if (topics[0]?.toLowerCase() !== OWNERSHIP_TRANSFERRED) return [null, null]
  return [heldAddress(topics[1] ?? '0x0'), heldAddress(topics[2] ?? '0x0')]
}

function isOneOf(slots: readonly Hex[], slot: Hex): boolean {
  return slots.includes(slot.toLowerCase() as Hex)
}
