import { size } from 'viem'
import type { Call } from '../../calldata.ts'
import type { Finding } from '../types.ts'
import { callFinding } from './evidence.ts'

/** Bytes that cannot be taken at face value. */
export function reviewEncoding(call: Call): Finding[] {
  const findings: Finding[] = []
  const bytes = String(size(call.data))
  if (call.problem === 'BUDGET') findings.push(callFinding(call, 'DECODE-BUDGET', 'critical', { bytes }))
  if (call.problem === 'MULTISEND_MALFORMED') {
    findings.push(callFinding(call, 'MULTISEND-MALFORMED', 'critical', { bytes }))
  }
  if (call.problem === 'NONCANONICAL') {
    const evidence = { function: call.name, bytes: String(call.undecodedBytes) }
    findings.push(callFinding(call, 'DECODE-NONCANONICAL', 'high', evidence))
  }
  if (call.isZeroTarget) findings.push(callFinding(call, 'MULTISEND-ZERO-TO', 'high', { means: call.to }))
  return findings
}
