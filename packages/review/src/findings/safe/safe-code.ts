import {
  deploymentAt,
  domainVersion,
  hashSafeDomain,
  isBoundToChain,
  isSameAddress,
  listsTaken,
  type SafeState,
} from '@countersign/safe'
import { keccak256 } from 'viem'
import { configurationSlots } from '../../effects/safe-slots.ts'
import type { OtherChain } from '../../facts/safe/other-chains.ts'
import type { SubjectInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'

const STALE_MS = 90 * 86_400_000
const SINGLETON_SLOT = `0x${'00'.repeat(32)}` as const
/** `domainSeparator` of Safe 0.1.0 to 1.2.0: written at setup, and any delegatecall can write it again. */
const DOMAIN_SLOT = `0x${'06'.padStart(64, '0')}` as const

/** Whether the node is on the right chain, the Safe runs official code and says so, and a signature holds here alone. */
export function reviewSafeCode(input: SubjectInput): Finding[] {
  const { state } = input
  const ofSafe =
    state === null ? [] : [...reviewRelease(state), ...reviewDomain(state, input), ...reviewUndeployed(state, input)]
  return [...reviewNode(input), ...ofSafe, ...reviewLists(input)]
}

/** Lists of releases know nothing of what came after them. */
function reviewLists({ now }: SubjectInput): Finding[] {
  if (now === undefined || now === null || now - listsTaken.time <= STALE_MS) return []
  return [finding('LIST-STALE', 'low', { taken: listsTaken.day })]
}

function reviewNode({ nodeChainId, chainId }: SubjectInput): Finding[] {
  if (nodeChainId === undefined || nodeChainId === null || nodeChainId === chainId) return []
  const evidence = { expected: chainId, actual: nodeChainId }
  return [finding('RPC-CHAINID', 'critical', evidence, { field: 'chainId' })]
}

function reviewRelease(state: SafeState): Finding[] {
  const { singleton, singletonCodeHash: codeHash, version, reportedVersion } = state
  const findings: Finding[] = []
  const deployment = deploymentAt(singleton)
  if (version === null) {
    const isKnownAddress = deployment !== null && deployment.codeHash !== codeHash
    const evidence = { singleton, codeHash, reported: reportedVersion }
    findings.push(
      isKnownAddress
        ? finding('SINGLETON-CODEHASH', 'critical', evidence, { slot: SINGLETON_SLOT })
        : finding('SINGLETON-UNKNOWN', 'high', evidence, { slot: SINGLETON_SLOT }),
    )
  } else if (reportedVersion !== null && reportedVersion !== version.replace('+L2', '')) {
    findings.push(finding('VERSION-LIES', 'critical', { version, reported: reportedVersion }, { slot: SINGLETON_SLOT }))
  }
  if (!state.isOfficialProxy) {
    findings.push(finding('PROXY-UNKNOWN', 'high', { codeHash: state.proxyCodeHash }))
  }
  if (version !== null && !isBoundToChain(state))
    findings.push(finding('VERSION-OLD', 'medium', { version }, { slot: SINGLETON_SLOT }))
  return findings
}

/** A Safe whose creation is still to be sent: what a run of it leaves must be what was read from its bytes. */
function reviewUndeployed(state: SafeState, { simulation }: SubjectInput): Finding[] {
  if (state.creation === undefined) return []
  const told = finding('NOT-DEPLOYED', 'info', { safe: state.address })
  const { activated } = simulation?.result.status === 'finished' ? simulation.result : {}
  if (activated === undefined) return [told]
  const left = new Map<string, string>(activated.slots)
  const expected = configurationSlots(state, 0n).filter(({ word }) => BigInt(word) !== 0n)
  const parts: string[] = expected.flatMap(({ slot, word, part }) => (left.get(slot) === word ? [] : [part]))
  if (left.size !== expected.length) parts.push('storage')
  if (keccak256(activated.code) !== state.proxyCodeHash) parts.push('code')
  if (parts.length === 0) return [told]
  return [told, finding('STATE-DIFFERS', 'high', { parts: [...new Set(parts)].join(', ') })]
}

/** Before 1.3.0 the chain is not part of what is signed, and the domain separator is a value that can be altered. */
function reviewDomain(state: SafeState, input: SubjectInput): Finding[] {
  if (isBoundToChain(state)) return []
  const { chainId, safeAddress, storedDomainHash, otherChains = [] } = input
  const version = domainVersion(state)
  const findings: Finding[] = []
  const computed = hashSafeDomain({ chainId, safeAddress, version })
  if (typeof storedDomainHash === 'string' && storedDomainHash.toLowerCase() !== computed) {
    const evidence = { computed, chain: storedDomainHash }
    findings.push(finding('DOMAIN-SLOT', 'critical', evidence, { slot: DOMAIN_SLOT }))
  }
  for (const other of otherChains) {
    const replay = replayOn(other, state, input)
    if (replay !== null) findings.push(finding('REPLAY-CHAIN', 'high', { version, ...replay }, { field: 'chainId' }))
  }
  return findings
}

/**
 * Whether what owners sign here holds in the Safe at the same address on another chain too: it does not bind signatures
 * to its chain either, somebody is an owner of both, and the nonce of a transaction is not used up there.
 */
function replayOn({ chainId, safe }: OtherChain, state: SafeState, input: SubjectInput) {
  if (chainId === input.chainId || safe === null || safe === 'unanswered') return null
  // Nobody can tell how code of no release treats a signature.
  if (safe.version !== null && isBoundToChain(safe)) return null
  if (input.kind === 'transaction' && input.safeTx.nonce < safe.nonce) return null
  const owners = state.owners.filter((owner) => safe.owners.some((other) => isSameAddress(owner, other)))
  if (owners.length === 0) return null
  return { chainId, owners, threshold: safe.threshold }
}
