import { isSameAddress, isUnlimited } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, type Hex, size, zeroAddress } from 'viem'
import { addressArgument, addressesNamed, argument, numberArgument } from '../../call-arguments.ts'
import { BEYOND_UINT8 } from '../../facts/assets/token-decimals.ts'
import type { ReviewInput } from '../../input.ts'
import { imitatedToken, listedToken } from '../../tokens/listed-tokens.ts'
import { tokenMovesOf } from '../../tokens/token-moves.ts'
import type { Finding } from '../../types.ts'
import { isTrustedToken } from '../addresses/familiarity.ts'
import { isOpenToAll } from '../addresses/open-callers.ts'
import { amountOf, callFinding, codeAt } from '../make-finding.ts'
import { isForAnybody, isLostAt } from '../safe/accounts.ts'

/** Says of every called token whether it is one, whether it is listed, and whether it imitates one that is. */
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
  // A token's contract has no way to give out other tokens that it gets; a router gives them to whoever comes first.
  const isTokens =
    call.kind === 'erc20-transfer' &&
    recipient !== null &&
    (isTrustedToken(recipient, input) || isForAnybody(recipient, input))
  if (recipient !== null && (isSameAddress(recipient, call.to) || isTokens || isLostAt(recipient))) {
    findings.push(callFinding(call, 'TOKEN-TO-ITSELF', 'high', { recipient }))
  }
  if (call.name === 'transferFrom(address,address,uint256)' && isCollection(call, input) === null) {
    findings.push(ambiguous(call, 'medium'))
  }
  return [...findings, ...reviewHandedBytes(call, recipient, input)]
}

/**
 * Bytes that a token hands on with what it sends or allows: a contract acts on them, a wrapper or a bridge by giving what comes
 * of it to whom they name, and nobody here reads them.
 */
function reviewHandedBytes(call: Call, recipient: Address | null, { codes }: ReviewInput): Finding[] {
  const bytes = size((argument(call, 'data') ?? '0x') as Hex)
  if (bytes === 0 || recipient === null || codeAt(codes, recipient)?.size === 0) return []
  return [callFinding(call, 'TOKEN-DATA', 'high', { function: call.name, recipient, bytes })]
}

/** The last figure is an amount, or the number of an item: nobody knows which. */
function ambiguous(call: Call, severity: 'high' | 'medium'): Finding {
  return callFinding(call, 'SELECTOR-AMBIGUOUS', severity, { function: call.name })
}

/**
 * Whether the contract says that it is a collection of items (ERC-721), which has some functions in common with ERC-20;
 * null where nobody knows.
 */
export function isCollection(
  { to }: Pick<Call, 'to'>,
  { collections, tokens }: Pick<ReviewInput, 'collections' | 'tokens'>,
): boolean | null {
  return collections?.[to.toLowerCase()] ?? (listedToken(tokens, to) === undefined ? null : false)
}

/** Whether the contract is known to be an ERC-20: a list has it, or it has decimals, and it does not say that it is a collection. */
export function isErc20(
  contract: Address,
  { collections, tokenDecimals, tokens }: Pick<ReviewInput, 'collections' | 'tokenDecimals' | 'tokens'>,
): boolean {
  const key = contract.toLowerCase()
  if (collections?.[key] === true) return false
  return listedToken(tokens, contract) !== undefined || (tokenDecimals?.[key] ?? BEYOND_UINT8) < BEYOND_UINT8
}

function isNobody(address: Address | null): boolean {
  return address === null || isSameAddress(address, zeroAddress)
}

/** Somebody may take one item of a collection; nobody may when it is the zero address. */
function reviewItemApproval(call: Call, operator: Address | null, item: bigint): Finding[] {
  if (operator === null || isNobody(operator)) return []
  return [callFinding(call, 'NFT-APPROVE', 'high', { operator, tokenId: item, collection: call.to })]
}

/** Tokens that move by other functions: as bad as a transfer that nobody looks for, unless the Safe gets them. */
export function reviewTokenMove(call: Call, { safeAddress }: ReviewInput): Finding[] {
  const moves = tokenMovesOf(call)
  const isOurs = (address: Address | null) => address !== null && isSameAddress(address, safeAddress)
  if (moves === null || moves.length === 0) {
    const severity = isOurs(addressArgument(call, 'to')) ? 'medium' : 'high'
    const [recipient, token] = [namedIn(call, 'to'), namedIn(call, 'token')]
    return [callFinding(call, 'TOKEN-MOVE', severity, { function: call.name, token, recipient })]
  }
  return moves.map(({ token, from, to, amount }) => {
    const evidence = {
      function: call.name,
      token: [token],
      sender: from,
      recipient: to && [to],
      amount: { value: BigInt(amount), asset: token },
    }
    return callFinding(call, 'TOKEN-MOVE', isOurs(to) ? 'medium' : 'high', evidence)
  })
}

/** The addresses of a name, those inside tuples too; null where there are none. */
function namedIn(call: Call, name: string): Address[] | null {
  const found = addressesNamed(call, name)
  return found.length === 0 ? null : found
}

/** A right to spend that is given in other ways than an allowance: by a signature, to an operator, through a module. */
export function reviewSpendingRight(call: Call, input: ReviewInput): Finding[] {
  if (argument(call, 'approved') === 'false') return []
  // A permit is passed on for whoever signed it: it is the Safe's own only where the Safe is named as its owner.
  const giver = addressArgument(call, 'owner', 'holder')
  if (giver !== null && !isSameAddress(giver, input.safeAddress)) return []
  // A permit of Permit2 has both inside tuples.
  const spender = addressArgument(call, 'spender', 'operator', 'delegate')
  const named = namedIn(call, 'token')
  // The allowance module uses the zero address for the chain's native coin.
  const isCoin = named?.length === 1 && named.every((token) => isSameAddress(token, zeroAddress))
  const token = isCoin ? ['native'] : (named ?? [call.to])
  const [asset = null, ...others] = token
  const value = numberArgument(call, 'allowanceAmount') ?? numberArgument(call, 'value')
  const evidence = {
    function: call.name,
    spender: spender === null ? namedIn(call, 'spender') : [spender],
    amount: amountOf(value, others.length === 0 ? asset : null),
    token,
  }
  return [callFinding(call, 'SPENDING-RIGHT', 'high', evidence)]
}

/** Somebody is allowed to take tokens, now and later. */
export function reviewApproval(call: Call, input: ReviewInput): Finding[] {
  const spender = addressArgument(call, 'spender')
  const amount = BigInt(argument(call, 'amount') ?? 0)
  const isItem = call.name === 'approve(address,uint256)' ? isCollection(call, input) : false
  if (isItem === true) return reviewItemApproval(call, spender, amount)
  if (/^decrease(?:Allowance|Approval)/.test(call.name ?? '')) return []
  const handed = reviewHandedBytes(call, spender, input)
  const doubt = isItem === null && !isNobody(spender) ? [ambiguous(call, 'high')] : []
  if (amount === 0n) return [...handed, ...doubt]
  // Permit2 keeps allowances for every token, in 160 bits.
  const keptBy = addressArgument(call, 'token')
  const token = keptBy ?? call.to
  return [
    ...(keptBy === null ? reviewToken(call, input) : []),
    ...reviewAllowance(call, { spender, amount, token }, input),
    ...handed,
    ...doubt,
    ...reviewSpenderKey(call, spender, input),
    ...reviewOpenSpender(call, spender, token),
  ]
}

type Allowance = { spender: Address | null; amount: bigint; token: Address }

/** Reports an allowance that is unlimited or above the Safe's balance. */
function reviewAllowance(call: Call, { spender, amount, token }: Allowance, input: ReviewInput): Finding[] {
  const allowed = { value: amount, asset: token }
  if (isUnlimited(amount)) return [callFinding(call, 'APPROVE-UNLIMITED', 'high', { spender, amount: allowed, token })]
  const balance = input.balances?.[token.toLowerCase()]
  if (typeof balance !== 'bigint' || amount <= balance) return []
  if (isSameAddress(call.from, input.safeAddress)) {
    const held = { value: balance, asset: token }
    return [callFinding(call, 'APPROVE-OVER-BALANCE', 'high', { spender, amount: allowed, token, held })]
  }
  // The balance of another acting account is unknown.
  const evidence = { function: call.name, spender: spender && [spender], amount: allowed, token: [token] }
  return [callFinding(call, 'SPENDING-RIGHT', 'high', evidence)]
}

/** A spender without code of its own is a key. */
function reviewSpenderKey(call: Call, spender: Address | null, { codes }: ReviewInput): Finding[] {
  if (spender === null) return []
  const code = codeAt(codes, spender)
  if (code === undefined || (code.size > 0 && code.delegatesTo === undefined)) return []
  const { delegatesTo } = code
  const kind = delegatesTo === undefined ? undefined : 'delegated'
  return [callFinding(call, 'APPROVE-EOA', 'high', { spender, delegatesTo, case: kind })]
}

/** A contract that does what anybody asks takes for anybody what it may take. */
export function reviewOpenSpender(call: Call, spender: Address | null, token: Address): Finding[] {
  if (spender === null || !isOpenToAll(spender)) return []
  return [callFinding(call, 'APPROVE-ANYBODY', 'high', { spender, token })]
}
