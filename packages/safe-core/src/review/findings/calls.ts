import { size, slice } from 'viem'
import type { Call } from '../../calldata.ts'
import { knownFunction } from '../../functions.ts'
import type { Finding, ReviewInput } from '../types.ts'
import { reviewOwnership, reviewRole, reviewUpgrade } from './control.ts'
import { reviewDelegatecall } from './delegatecall.ts'
import { reviewEncoding } from './encoding.ts'
import { argument, callFinding, codeAt } from './evidence.ts'
import { reviewNested } from './nested.ts'
import { reviewApproval, reviewTransfer } from './tokens.ts'

/** What a signer must know about one call, apart from settings of the Safe. */
export function reviewCall(call: Call, input: ReviewInput): Finding[] {
  return [
    ...reviewEncoding(call),
    ...(call.operation === 0 ? reviewPlainCall(call, input) : reviewDelegatecall(call, input)),
  ]
}

function reviewPlainCall(call: Call, input: ReviewInput): Finding[] {
  if (size(call.data) === 0) return []
  const findings: Finding[] = []
  if (call.name === null && call.problem === null) {
    const selector = size(call.data) < 4 ? null : slice(call.data, 0, 4)
    const evidence = { selector, bytes: String(size(call.data)) }
    findings.push(callFinding(call, 'DECODE-NONE', call.value > 0n ? 'high' : 'medium', evidence))
  }
  if (call.value > 0n) findings.push(callFinding(call, 'VALUE-HIDDEN', 'medium', { value: String(call.value) }))
  if (codeAt(input.codes, call.to)?.size === 0) findings.push(callFinding(call, 'CALL-NO-CODE', 'medium'))
  return [...findings, ...reviewFunction(call, input)]
}

function reviewFunction(call: Call, input: ReviewInput): Finding[] {
  switch (knownFunction(call.data)?.family) {
    case 'erc20-transfer':
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return reviewTransfer(call, input)
    case 'erc20-approve':
      return reviewApproval(call, input)
    case 'approve-all':
      return argument(call, 'approved') === 'true'
        ? [callFinding(call, 'APPROVE-ALL-NFT', 'high', { operator: argument(call, 'operator') })]
        : []
    case 'ownership':
      return [reviewOwnership(call, input)]
    case 'renounce':
      return [callFinding(call, 'RENOUNCE', 'critical', { function: call.name })]
    case 'upgrade':
      return [reviewUpgrade(call, input)]
    case 'role':
      return [reviewRole(call)]
    case 'nested-safe':
      return reviewNested(call, input)
    default:
      return []
  }
}
