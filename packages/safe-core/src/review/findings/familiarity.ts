import type { Address } from 'viem'
import type { Call } from '../../calldata.ts'
import { deploymentAt } from '../../deployments.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import { listedToken } from '../listed-tokens.ts'
import { recipientsOf } from '../targets.ts'
import type { Finding } from '../types.ts'
import { addressArgument, callFinding, codeAt, finding } from './evidence.ts'

/** A batch can pay hundreds; each says how many there are. */
const MAX_NEW = 20

/** Accounts that get something here and never did before, contracts that are new, lists that show other amounts. */
export function reviewFamiliarity(calls: readonly Call[], input: ReviewInput): Finding[] {
  return [...reviewNewAccounts(calls, input), ...reviewAges(input), ...reviewDecimals(input)]
}

/** A name lowers unfamiliarity, and so does a payment of the past: both only say that somebody knew the address. */
function reviewNewAccounts(calls: readonly Call[], input: ReviewInput): Finding[] {
  const { paid, named = [], tokens, safeAddress, state } = input
  if (!Array.isArray(paid)) return []
  const known = [safeAddress, ...(state?.owners ?? []), ...named, ...paid].map((address) => address.toLowerCase())
  const isKnown = new Set(known)
  const spenders = calls.flatMap((call) => {
    const spender = call.family === 'erc20-approve' || call.family === 'approve-all' ? spenderOf(call) : null
    return spender === null ? [] : [{ call, recipient: spender }]
  })
  const found = new Map<string, { call: Call; recipient: Address }>()
  for (const counterparty of [...recipientsOf(calls), ...spenders]) {
    const { recipient } = counterparty
    const isPublic = deploymentAt(recipient) !== null || listedToken(tokens, recipient) !== undefined
    if (!isPublic && BigInt(recipient) !== 0n && !isKnown.has(recipient.toLowerCase()))
      found.set(recipient.toLowerCase(), found.get(recipient.toLowerCase()) ?? counterparty)
  }
  const count = String(found.size)
  return [...found.values()]
    .slice(0, MAX_NEW)
    .map(({ call, recipient }) => callFinding(call, 'ADDR-NEW', 'medium', { address: recipient, newAddresses: count }))
}

function spenderOf(call: Call): Address | null {
  return addressArgument(call, 'spender', 'operator')
}

function reviewAges({ codeAges = {}, codes, safeAddress }: ReviewInput): Finding[] {
  return Object.entries(codeAges).flatMap(([address, age]) => {
    const code = codeAt(codes, address as Address)
    const isContract = code !== undefined && code.size > 0 && code.delegatesTo === undefined
    if (age !== 'young' || !isContract || isSameAddress(address as Address, safeAddress)) return []
    return [finding('ADDR-YOUNG-CODE', 'high', { address, codeHash: code.codeHash })]
  })
}

/** By its decimals a list decides how large an amount looks. */
function reviewDecimals({ tokenDecimals = {}, tokens }: ReviewInput): Finding[] {
  return Object.entries(tokenDecimals).flatMap(([address, actual]) => {
    const listed = listedToken(tokens, address)
    if (listed === undefined || actual === undefined || actual === listed.decimals) return []
    const evidence = { token: listed.address, listed: listed.symbol, expected: String(listed.decimals) }
    return [finding('TOKEN-DECIMALS', 'critical', { ...evidence, actual: String(actual) })]
  })
}
