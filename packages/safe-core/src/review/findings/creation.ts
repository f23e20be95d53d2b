import { type Address, type Hex, isHex, size, zeroAddress } from 'viem'
import type { DecodedValue } from '../../abi-decode.ts'
import type { Call } from '../../calldata.ts'
import { deploymentAt } from '../../deployments.ts'
import { decodeCalldata } from '../../functions.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { addressArgument, argument, callFinding, codeAt } from './evidence.ts'

/** A contract is created: its code is in the call data. */
export function reviewCreation(call: Call): Finding {
  const code = argument(call, 'deploymentData')
  const bytes = code !== null && isHex(code) ? String(size(code)) : null
  return callFinding(call, 'CODE-CREATE', 'high', { function: call.name, bytes })
}

/** A Safe is created or set up: what its singleton is, and what code runs as it at once. */
export function reviewSafeCreation(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  const singleton = addressArgument(call, 'singleton')
  if (singleton !== null && !isOfficial(singleton, ['singleton', 'singleton-l2'], input)) {
    findings.push(callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { singleton }))
  }
  const initializer = argument(call, 'initializer')
  const runs = initializer !== null && isHex(initializer) ? setupTarget(initializer) : addressArgument(call, 'to')
  if (runs === 'unknown') {
    findings.push(callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { function: call.name, initializer }))
  } else if (runs !== null && !isSameAddress(runs, zeroAddress) && !isOfficial(runs, ['l2-setup'], input)) {
    findings.push(callFinding(call, 'DEPLOY-SETUP-DELEGATE', 'critical', { runs }))
  }
  return findings
}

/** The contract that `setup` runs as the new Safe; null when it runs none, or nothing is set up. */
function setupTarget(initializer: Hex): Address | 'unknown' | null {
  if (initializer === '0x') return null
  const read = decodeCalldata(initializer)
  if (read === null || read.called === null || read.called.name !== 'setup') return 'unknown'
  const to: DecodedValue | undefined = read.decoded.values.find(({ name }) => name === 'to')
  return to?.kind === 'address' ? to.value : 'unknown'
}

function isOfficial(address: Address, kinds: readonly string[], input: ReviewInput): boolean {
  const deployment = deploymentAt(address)
  if (deployment === null || !kinds.includes(deployment.kind)) return false
  const code = codeAt(input.codes, address)
  return code === undefined || code.codeHash === deployment.codeHash
}
