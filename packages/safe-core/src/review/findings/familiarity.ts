import type { Address } from 'viem'
import type { Call } from '../../calldata.ts'
import { deploymentAt } from '../../deployments.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import { listedToken } from '../listed-tokens.ts'
import { recipientsOf } from '../targets.ts'
import type { Finding } from '../types.ts'
import { addressArgument, argument, callFinding, codeAt, finding } from './evidence.ts'

/** A batch can pay hundreds; each says how many there are. */
const MAX_NEW = 20

/** Accounts that get something here and never did before, contracts that are new, lists that show other amounts. */
export function reviewFamiliarity(calls: readonly Call[], input: ReviewInput): Finding[] {
  return [
    ...reviewNewAccounts(calls, input),
    ...reviewNewCode(calls, input),
    ...reviewAges(input),
    ...reviewDecimals(input),
  ]
}

/** A name that counts lowers unfamiliarity, and so does a payment of the past: both say that somebody knew the address. */
function reviewNewAccounts(calls: readonly Call[], input: ReviewInput): Finding[] {
  const { paid, tokens } = input
  if (!Array.isArray(paid)) return []
  const isKnown = knownAccounts(input, paid)
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

/** The Safe, its owners, whoever has a name that counts, and whoever was paid. */
export function knownAccounts(
  { familiar = [], safeAddress, state }: ReviewInput,
  paid: readonly Address[],
): Set<string> {
  return new Set([safeAddress, ...(state?.owners ?? []), ...familiar, ...paid].map((address) => address.toLowerCase()))
}

/** Families whose own findings say what is not known of the contract, or that change nothing in it. */
const toldElsewhere = new Set<Call['family']>([
  'erc20-transfer',
  'erc20-approve',
  'erc721-transfer',
  'erc1155-transfer',
  'approve-all',
  'safe-settings',
  'read',
])

/**
 * Contracts that are called by a function which Countersign knows. It reads the call by the function alone: the code that
 * answers may be anybody's, and do something else under that name. Serious where the transaction lets it have assets.
 */
function reviewNewCode(calls: readonly Call[], input: ReviewInput): Finding[] {
  const { paid, tokens, codes } = input
  if (!Array.isArray(paid)) return []
  const isKnown = knownAccounts(input, paid)
  const found = new Map<string, Call>()
  const getting = contractsGetting(calls)
  for (const call of calls) {
    const key = call.to.toLowerCase()
    const isTold = toldElsewhere.has(call.family) && call.value === 0n
    const isRead = call.operation === 0 && call.source === 'built-in' && !isTold
    if (!isRead || found.has(key) || isKnown.has(key) || codeAt(codes, call.to)?.size === 0) continue
    if (deploymentAt(call.to) === null && listedToken(tokens, call.to) === undefined) found.set(key, call)
  }
  const ofCalls = [...found.values()].slice(0, MAX_NEW).map((call) => {
    const severity = getting.has(call.to.toLowerCase()) ? 'high' : 'medium'
    return callFinding(call, 'CODE-UNFAMILIAR', severity, { address: call.to, function: call.name })
  })
  return [...ofCalls, ...reviewNewSpenders(calls, new Set([...found.keys(), ...isKnown]), input)]
}

/** Contracts that may take assets from then on, whenever they like, and are not called here. Keys have a finding of their own. */
function reviewNewSpenders(
  calls: readonly Call[],
  isTold: ReadonlySet<string>,
  { tokens, codes }: ReviewInput,
): Finding[] {
  const found = new Map<string, Finding>()
  for (const call of calls) {
    const isApproval = call.family === 'erc20-approve' || call.family === 'approve-all'
    const spender = isApproval && call.operation === 0 && !isTakenBack(call) ? spenderOf(call) : null
    const key = spender?.toLowerCase() ?? ''
    if (spender === null || isTold.has(key) || found.has(key) || BigInt(spender) === 0n) continue
    const isPublic = deploymentAt(spender) !== null || listedToken(tokens, spender) !== undefined
    if (isPublic || codeAt(codes, spender)?.size === 0) continue
    found.set(key, callFinding(call, 'CODE-UNFAMILIAR', 'high', { address: spender, function: call.name }))
  }
  return [...found.values()]
}

/** Contracts that get native coin with a call, or an allowance, in lower case. */
function contractsGetting(calls: readonly Call[]): Set<string> {
  const paid = calls.filter(({ operation, value }) => operation === 0 && value > 0n).map(({ to }) => to)
  const allowed = calls.flatMap((call) => {
    const isApproval = call.family === 'erc20-approve' || call.family === 'approve-all'
    return (isApproval && !isTakenBack(call) ? spenderOf(call) : null) ?? []
  })
  return new Set([...paid, ...allowed].map((address) => address.toLowerCase()))
}

function isTakenBack(call: Call): boolean {
  return argument(call, 'approved') === 'false' || argument(call, 'amount') === '0' || /^decrease/.test(call.name ?? '')
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
