import { type Address, zeroAddress } from 'viem'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { finding } from './evidence.ts'

const HIGH_BASE_GAS = 1_000_000n

function isKnownReceiver(receiver: Address, input: ReviewInput): boolean {
  const known = [input.safeAddress, ...(input.state?.owners ?? [])]
  return known.some((one) => isSameAddress(one, receiver))
}

/**
 * Who is paid for executing, and how much that can be at most: (safeTxGas + baseGas) · gasPrice. Without safeTxGas the
 * gas is whatever was used. Only refunds in native coin are capped by the Safe (at `tx.gasprice`, from 1.1.0).
 */
export function reviewRefund(input: ReviewInput): Finding[] {
  const { safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = input.safeTx
  const findings: Finding[] = []
  const hasToken = !isSameAddress(gasToken, zeroAddress)
  if (gasPrice > 0n) {
    const maximum = (safeTxGas + baseGas) * gasPrice
    const isBounded = isKnownReceiver(refundReceiver, input) && !hasToken
    const evidence = {
      maximum: safeTxGas > 0n ? String(maximum) : null,
      gasPrice: String(gasPrice),
      baseGas: String(baseGas),
      safeTxGas: String(safeTxGas),
      gasToken,
      refundReceiver,
    }
    findings.push(finding('GAS-REFUND', isBounded ? 'medium' : 'critical', evidence, { field: 'gasPrice' }))
    if (baseGas > HIGH_BASE_GAS) {
      findings.push(finding('GAS-BASEGAS-HIGH', 'high', { baseGas: String(baseGas) }, { field: 'baseGas' }))
    }
  } else if (hasToken || !isSameAddress(refundReceiver, zeroAddress)) {
    const where = { field: hasToken ? 'gasToken' : 'refundReceiver' } as const
    findings.push(finding('GAS-RECEIVER-SET', 'medium', { gasToken, refundReceiver }, where))
  }
  if (safeTxGas > 0n) {
    findings.push(finding('SAFETXGAS-SET', 'low', { safeTxGas: String(safeTxGas) }, { field: 'safeTxGas' }))
  }
  return findings
}
