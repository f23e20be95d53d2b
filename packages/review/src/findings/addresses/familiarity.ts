import { deploymentAt, isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { addressArgument, argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { recipientsOf } from '../../targets.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { wrappedCoins } from '../../tokens/wrapped-coins.data.ts'
import type { Finding } from '../../types.ts'
import { reviewForwarded } from '../calls/receivers.ts'
import { callFinding, codeAt, finding } from '../make-finding.ts'
import { isOpenToAll } from './open-callers.ts'

/** A batch can pay hundreds; each says how many there are. */
const MAX_NEW = 20

/** Accounts that get something here and never did before, contracts that are new, lists that show other amounts. */
export function reviewFamiliarity(calls: readonly Call[], input: ReviewInput): Finding[] {
  return [
    ...reviewNewAccounts(calls, input),
    ...reviewNewCode(calls, input),
    ...reviewPaidByOthers(calls, input),
    ...reviewAges(input),
    ...reviewDecimals(input),
  ]
}

/** Finds accounts without a known name and without an earlier payment that owners signed. Unproved payments do not count. */
function reviewNewAccounts(calls: readonly Call[], input: ReviewInput): Finding[] {
  const { provedPayees = [], tokens, recognized = [] } = input
  const isKnown = knownAccounts(input, [...provedPayees, ...recognized])
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
  const count = found.size
  return [...found.values()]
    .slice(0, MAX_NEW)
    .map(({ call, recipient }) => callFinding(call, 'ADDR-NEW', 'medium', { address: recipient, newAddresses: count }))
}

/**
 * The Safe, its owners, and whoever has a name that owners signed, in lower case.
 *
 * @param told - further accounts for medium findings only: named according to the server, or with earlier payments
 */
export function knownAccounts(
  { familiar = [], safeAddress, state }: ReviewInput,
  told: readonly Address[],
): Set<string> {
  return new Set([safeAddress, ...(state?.owners ?? []), ...familiar, ...told].map((address) => address.toLowerCase()))
}

/**
 * Payments that a timelock, a governor or another account makes as the Safe tells it to. The title of a payment names amount and
 * recipient; that of a call that schedules one does not. Names that owners signed make a recipient known, and nothing else does.
 */
function reviewPaidByOthers(calls: readonly Call[], input: ReviewInput): Finding[] {
  const byOthers = calls.filter(({ from }) => !isSameAddress(from, input.safeAddress))
  if (byOthers.length === 0) return []
  const isKnown = knownAccounts(input, [])
  // Coin that the Safe itself sends along is told with its recipient.
  for (const found of calls.flatMap((call) => reviewForwarded(call, input)))
    if (found.id === 'RECEIVER-OTHER') isKnown.add(found.evidence.receiver.toLowerCase())
  const found = new Map<string, Finding>()
  for (const { call, recipient } of recipientsOf(byOthers)) {
    const key = recipient.toLowerCase()
    if (
      isSameAddress(call.from, recipient) ||
      call.operation !== 0 ||
      isKnown.has(key) ||
      found.has(key) ||
      BigInt(recipient) === 0n
    )
      continue
    if (call.family === 'erc20-transfer' && argument(call, 'amount') === '0') continue
    if (isTrustedToken(recipient, input) || deploymentAt(recipient) !== null) continue
    found.set(key, callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver: recipient }))
  }
  return [...found.values()].slice(0, MAX_GIVEN)
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

/** Each is named: what is not named could hide behind harmless ones. */
const MAX_GIVEN = 1_000

/**
 * Contracts that are called by a function which Countersign knows. It reads the call by the function alone: the code that
 * answers may be anybody's, and do something else under that name. Serious where the transaction lets it have assets: then
 * no payment of the past and no unsigned name makes it known, which the server tells; a payment, a single wei would buy.
 */
function reviewNewCode(calls: readonly Call[], input: ReviewInput): Finding[] {
  const { provedPayees = [], codes, recognized = [] } = input
  const trusted = knownAccounts(input, [])
  const isKnown = knownAccounts(input, [...provedPayees, ...recognized])
  const [given, others] = [new Map<string, Call>(), new Map<string, Call>()]
  const getting = contractsGetting(calls)
  for (const call of calls) {
    const key = call.to.toLowerCase()
    if (!isReadByFunction(call) || deploymentAt(call.to) !== null || codeAt(codes, call.to)?.size === 0) continue
    if (getting.has(key)) {
      if (!given.has(key) && !trusted.has(key) && !isTrustedToken(call.to, input)) given.set(key, call)
    } else if (!others.has(key) && !isKnown.has(key) && listedToken(input.tokens, call.to) === undefined) {
      others.set(key, call)
    }
  }
  const found = [...given.values()].slice(0, MAX_GIVEN).map((call) => unfamiliar(call, call.to, 'high'))
  const rest = [...others.values()].slice(0, MAX_NEW)
  const spenders = reviewNewSpenders(calls, new Set([...given.keys(), ...trusted]), input)
  const inAll = others.size > MAX_NEW ? others.size : undefined
  return [...found, ...spenders, ...rest.map((call) => unfamiliar(call, call.to, 'medium', inAll))]
}

/** Whether a call is read by its function alone, and no other finding is about the contract. */
function isReadByFunction({ operation, source, family, value }: Call): boolean {
  return operation === 0 && source === 'built-in' && (value > 0n || !toldElsewhere.has(family))
}

/** @param inAll total number, if not all are listed */
function unfamiliar(call: Call, address: Address, severity: 'high' | 'medium', inAll?: number): Finding {
  return callFinding(call, 'CODE-UNFAMILIAR', severity, { address, function: call.name, newAddresses: inAll })
}

/** A token of the operator's configuration, of the release's own list, or the chain's wrapped coin. Lists of others vouch for nothing. */
export function isTrustedToken(
  address: Address,
  { tokens, chainId }: Pick<ReviewInput, 'tokens' | 'chainId'>,
): boolean {
  const coin = wrappedCoins[chainId]
  if (coin !== undefined && isSameAddress(coin, address)) return true
  const token = listedToken(tokens, address)
  return token !== undefined && (token.lists === undefined || token.isReleased === true)
}

/** Contracts that may take assets from then on, whenever they like, and are not called here. Keys have a finding of their own. */
function reviewNewSpenders(calls: readonly Call[], isTold: ReadonlySet<string>, input: ReviewInput): Finding[] {
  const found = new Map<string, Finding>()
  for (const call of calls) {
    const isApproval = call.family === 'erc20-approve' || call.family === 'approve-all'
    const spender = isApproval && call.operation === 0 && !isTakenBack(call) ? spenderOf(call) : null
    const key = spender?.toLowerCase() ?? ''
    if (spender === null || isTold.has(key) || found.has(key) || BigInt(spender) === 0n) continue
    // Modules alone among the contracts of a release take what is allowed to them.
    if (deploymentAt(spender)?.kind === 'module' || isTrustedToken(spender, input)) continue
    if (codeAt(input.codes, spender)?.size === 0 || isOpenToAll(spender)) continue
    found.set(key, unfamiliar(call, spender, 'high'))
  }
  return [...found.values()].slice(0, MAX_GIVEN)
}

/** Contracts that get native coin with a call, tokens, or an allowance, in lower case. */
function contractsGetting(calls: readonly Call[]): Set<string> {
  const paid = calls.filter(({ operation, value }) => operation === 0 && value > 0n).map(({ to }) => to)
  const sent = calls.flatMap((call) => {
    const isPaid = call.family === 'erc20-transfer' && call.operation === 0 && argument(call, 'amount') !== '0'
    return (isPaid ? addressArgument(call, 'to') : null) ?? []
  })
  const allowed = calls.flatMap((call) => {
    const isApproval = call.family === 'erc20-approve' || call.family === 'approve-all'
    return (isApproval && !isTakenBack(call) ? spenderOf(call) : null) ?? []
  })
  return new Set([...paid, ...sent, ...allowed].map((address) => address.toLowerCase()))
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
    return [finding('ADDR-YOUNG-CODE', 'high', { address: address as Address, codeHash: code.codeHash })]
  })
}

/** By its decimals a list decides how large an amount looks. */
function reviewDecimals({ tokenDecimals = {}, tokens }: ReviewInput): Finding[] {
  return Object.entries(tokenDecimals).flatMap(([address, actual]) => {
    const listed = listedToken(tokens, address)
    if (listed === undefined || actual === undefined || actual === listed.decimals) return []
    const evidence = { token: listed.address, listed: listed.symbol, expected: listed.decimals, actual }
    return [finding('TOKEN-DECIMALS', 'critical', evidence)]
  })
}
