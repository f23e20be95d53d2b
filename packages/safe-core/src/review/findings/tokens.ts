import { zeroAddress } from 'viem'
import type { Call } from '../../calldata.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import { imitatedToken, listedToken } from '../listed-tokens.ts'
import type { Finding } from '../types.ts'
import { addressArgument, argument, callFinding, codeAt } from './evidence.ts'

const MAX_UINT160 = (1n << 160n) - 1n
/** Nothing real has so many; several tokens treat the greatest number as "for ever". */
const UNLIMITED = 1n << 255n

/** What every call to a token shows: whether it is one, whether it is listed, whether it imitates one that is. */
function reviewToken(call: Call, input: ReviewInput): Finding[] {
  const findings: Finding[] = []
  if (codeAt(input.codes, call.to)?.size === 0 || input.balances?.[call.to.toLowerCase()] === null) {
    findings.push(callFinding(call, 'SELECTOR-MASQUERADE', 'high', { function: call.name }))
  }
  if (listedToken(input.tokens, call.to) !== undefined) return findings
  findings.push(callFinding(call, 'TOKEN-UNLISTED', 'medium', { token: call.to }))
  const claim = input.tokenClaims?.[call.to.toLowerCase()]
  for (const symbol of claim === undefined ? [] : [claim.symbol, claim.name]) {
    const imitated = imitatedToken(input.tokens, symbol)
    if (imitated === undefined) continue
    const evidence = { token: call.to, symbol, resembles: imitated.address, listed: imitated.symbol }
    return [...findings, callFinding(call, 'TOKEN-HOMOGLYPH', 'high', evidence)]
  }
  return findings
}

/** A token or an item is sent. */
export function reviewTransfer(call: Call, input: ReviewInput): Finding[] {
  const findings = reviewToken(call, input)
  const recipient = addressArgument(call, 'to')
  if (recipient !== null && (isSameAddress(recipient, call.to) || isSameAddress(recipient, zeroAddress))) {
    findings.push(callFinding(call, 'TOKEN-TO-ITSELF', 'high', { recipient }))
  }
  // Listed tokens are ERC-20: their last figure is an amount.
  const isUnlisted = findings.some(({ id }) => id === 'TOKEN-UNLISTED')
  if (isUnlisted && call.name === 'transferFrom(address,address,uint256)') {
    findings.push(callFinding(call, 'SELECTOR-AMBIGUOUS', 'medium', { function: call.name }))
  }
  return findings
}

/** A right to spend that is given in other ways than an allowance: by a signature, to an operator, through a module. */
export function reviewSpendingRight(call: Call, input: ReviewInput): Finding[] {
  // A permit is passed on for whoever signed it: it is the Safe's own only where the Safe is named as its owner.
  const giver = addressArgument(call, 'owner', 'holder')
  if (giver !== null && !isSameAddress(giver, input.safeAddress)) return []
  const spender = addressArgument(call, 'spender', 'operator', 'delegate')
  const amount = argument(call, 'allowanceAmount') ?? argument(call, 'value')
  const token = addressArgument(call, 'token') ?? call.to
  return [callFinding(call, 'SPENDING-RIGHT', 'high', { function: call.name, spender, amount, token })]
}

/** Assets in a vault, and who gets them. */
export function reviewVault(call: Call, input: ReviewInput): Finding[] {
  const receiver = addressArgument(call, 'receiver')
  if (receiver === null || isSameAddress(receiver, input.safeAddress)) return []
  const amount = argument(call, 'assets') ?? argument(call, 'shares')
  return [callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver, amount })]
}

/** Somebody is allowed to take tokens, now and later. */
export function reviewApproval(call: Call, input: ReviewInput): Finding[] {
  const spender = addressArgument(call, 'spender')
  const amount = BigInt(argument(call, 'amount') ?? 0)
  if (call.name?.startsWith('decreaseAllowance') === true || amount === 0n) return []
  // Permit2 keeps allowances for every token, in 160 bits.
  const token = addressArgument(call, 'token')
  const findings = token === null ? reviewToken(call, input) : []
  const evidence = { spender, amount: String(amount), token: token ?? call.to }
  const balance = input.balances?.[(token ?? call.to).toLowerCase()]
  if (amount >= UNLIMITED || (token !== null && amount >= MAX_UINT160)) {
    findings.push(callFinding(call, 'APPROVE-UNLIMITED', 'high', evidence))
  } else if (typeof balance === 'bigint' && amount > balance) {
    findings.push(callFinding(call, 'APPROVE-OVER-BALANCE', 'medium', { ...evidence, held: String(balance) }))
  }
  const code = spender === null ? undefined : codeAt(input.codes, spender)
  if (code?.size === 0 || code?.delegatesTo !== undefined) {
    findings.push(callFinding(call, 'APPROVE-EOA', 'high', { spender, delegatesTo: code.delegatesTo }))
  }
  return findings
}
