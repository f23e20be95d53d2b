import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { accountsNamed, addressesWhere, functionName } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken, NATIVE_PLACEHOLDER } from '../../tokens/listed-tokens.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'
import { instructionsOf } from './crossings.ts'
import { reviewDecidingCode } from './deciding-code.ts'
import { reviewGivenArguments } from './given-arguments.ts'
import { isOwnAccount, isZero } from './receivers.ts'
import {
  accountsIn,
  boughtBy,
  boughtDescribed,
  EVERYTHING,
  leastDescribedBy,
  membersOf,
  mostStated,
  NOTHING,
} from './swaps.ts'

/** A function of the registry, or of an ABI that was given: its names are those of whoever wrote the contract. */
export function reviewDescribed(call: Call, input: ReviewInput): Finding[] {
  const told = [
    ...reviewDescribedReceivers(call, input),
    ...reviewDescribedCrossing(call),
    ...reviewDescribedValidators(call),
    ...reviewDecidingCode(call, input),
    ...reviewDescribedOrder(call),
    ...reviewDescribedSwap(call, input),
    ...reviewDescribedProxy(call, input),
  ]
  return call.described === undefined ? [...told, ...reviewGivenArguments(call, told, input)] : told
}

/** A contract whose code can be replaced: the registry describes its address, whatever runs there today. */
function reviewDescribedProxy(call: Call, { implementations }: ReviewInput): Finding[] {
  const behind = implementations?.[call.to.toLowerCase()]
  if (!behind || (!behind.isMixed && (behind.kind === 'minimal' || behind.kind === 'safe'))) return []
  const evidence = { function: call.name, behind: behind.address, codeHash: behind.codeHash }
  return [callFinding(call, 'DECODE-DESCRIBED', 'low', evidence)]
}

/** Names by which contracts call whoever gets what comes of a call; bridges and stakers write them as numbers or bytes. */
const receiving =
  /^_?(?:to|mintTo|for|owner|onBehalfOf|onBehalf|destination|controller|buyer|maker|redeemer|(?:eth2)?withdrawal_?cred(?:ential)?s|(?:depositAnd)?refund(?:To|Address)|withdraw(?:al)?Addr(?:ess)?|deposit(?:or)?Address|fallbackEoA)_?$|(?:recipients?|receivers?(?:Address|ATA)?|beneficiary(?:AndApproveFlag)?|payee|depositOwner|payoutAddress|destinationAddress|solanaATA|memo|outputScript|scriptPubkey)_?$/i
/** Contracts on the way, and whoever gets a fee out of what is bounded by a minimum. */
const passing = /^_?(?:src|fee|integratorFee|dstCall|depository)Receivers?_?$/i

/** Names by which they call whoever may act, or take tokens, for the account that calls. */
const entitled =
  /^_?(?:delegatee?|operators?|spender|signer|engine|manager|positionManager|newOwner|newAddr|executors)_?$/i

/** Functions that put somebody on a list of those who may do something, whatever the argument is called. */
const admitting =
  /^_?(?:set|add|batchAdd|update|enable|register|grant|approve|authori[sz]e|allow)\w*(?:white-?list|allow(?:ed|list)|trusted|authori[sz]ed|minter|keeper|relayer|solver|admin|operator|manager|signer|guardian|executor)/i

/** Names the receivers of a function that is read by the names of its contract: from the registry, or an ABI that was given. */
export function reviewDescribedReceivers(call: Call, { safeAddress }: Pick<ReviewInput, 'safeAddress'>): Finding[] {
  const named = (meant: RegExp) => {
    const found = accountsNamed(call, (name) => meant.test(name) && !passing.test(name))
    const others = found.filter((receiver) => !isZero(receiver) && !isOwnAccount(receiver, call, safeAddress))
    return [...new Set(others)]
  }
  // Arguments that an ABI names are looked at one by one.
  const isAdmitting = call.described !== undefined && admitting.test(functionName(call))
  return [
    ...named(receiving).map((receiver) =>
      callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver }),
    ),
    ...named(isTakenBack(call) ? /^$/ : isAdmitting ? /./ : entitled).map((spender) =>
      callFinding(call, 'SPENDING-RIGHT', 'high', { function: call.name, spender: [spender] }),
    ),
  ]
}

/**
 * A deposit for validators: the beacon chain takes the withdrawal address of the first deposit for a key, and whoever made the key
 * may have made one before. What it says of them stands on no chain that is read here.
 */
function reviewDescribedValidators(call: Call): Finding[] {
  const isDeposit = accountsNamed(call, (name) => /^_?signatures?$/i.test(name)).length > 0
  if (!isDeposit || call.value === 0n) return []
  const found = accountsNamed(call, (name) => /^_?(?:validator_?)?pub(?:lic)?_?keys?$/i.test(name))
  // Kiln's contract takes all of them side by side.
  const keys = found.flatMap((bytes) => bytes.slice(2).match(/.{1,96}/g) ?? [])
  return keys.map((key) =>
    callFinding(call, 'VALIDATOR-KEY', 'high', { function: call.name, validatorKey: `0x${key}` }),
  )
}

/** Functions by which something is offered, for others to take later. */
const offering = /^(?:create|add|edit|submit)\w*(?:order|listing|offer)/i

/** An order that the registry describes: what is given for how little stands in it, and others fill it when it suits them. */
function reviewDescribedOrder(call: Call): Finding[] {
  const isOrder = call.args.some(
    ({ decoded }) => decoded.kind === 'tuple' && decoded.value.some(({ name }) => name === 'makingAmount'),
  )
  const isOffered = offering.test(functionName(call)) || (isOrder && functionName(call) === 'create')
  return isOffered ? [callFinding(call, 'SPENDING-RIGHT', 'high', { function: call.name })] : []
}

/** Whether the call says no to what it could give. */
function isTakenBack({ args }: Call): boolean {
  return args.some(({ name, value }) => /^_?(?:approved?|allowed|enabled)_?$/.test(name) && value === 'false')
}

/** As contracts call the other chain, also by the numbers that bridges have for it. */
const chainDescribed =
  /^_?(?:(?:dest(?:ination)?|dst|target|remote|recipient)_?Chain(?:Id|Selector)?s?|(?:dest(?:ination)?|dst|to|remote)_?(?:Domain|Eid))_?$/i

/** A call that is read by the names of its contract, and that names another chain. */
function reviewDescribedCrossing(call: Call): Finding[] {
  const chain = numberNamed(call, (name) => chainDescribed.test(name))
  if (chain === null) return []
  const [receiver = call.to] = accountsNamed(call, (name) => receivingDescribed.test(name))
  const evidence = { function: call.name, chain, instructions: instructionsOf(call, instructingDescribed) }
  return [callFinding(call, 'BRIDGE-RECEIVER', 'high', { ...evidence, receiver })]
}

/** As they call bytes that say what happens on the other chain. */
const instructingDescribed =
  /^_?(?:message|composeMsg|payload|memo|hookData|protocolData|encodedRoute|cfParameters|outputContext|onchainSwapData|secondSwapCalldata)_?$/i

const receivingDescribed = /^_?(?:mint)?(?:receiver|recipient)(?:Address)?_?$/i

/** The first number under a name of a kind, in lists and tuples too. */
function numberNamed({ args }: Call, isMeant: (name: string) => boolean): string | null {
  const waiting = args.map(({ decoded }) => ({ decoded, name: decoded.name })).toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { decoded, name } = next
    if (decoded.kind === 'number' && isMeant(name)) return String(decoded.value)
    if (decoded.kind === 'list') for (const member of decoded.value) waiting.push({ decoded: member, name })
    if (decoded.kind === 'tuple')
      for (const member of decoded.value) waiting.push({ decoded: member, name: member.name })
  }
  return null
}

/** As they call code of others that a swap goes through at no price of its own. */
const passedDescribed = /^_?(?:factory|clipperExchange)_?$/i
/** As they call code that gets what is sold, and does with it what it likes as long as the least comes of it. */
const handedDescribed =
  /^_?(?:executor|caller|srcReceivers?|callTarget|approveTarget|callees|exchange|mixAdapters|assetTo)_?$/i

/** A call that is read by the names of its contract, at a price that it does not state, into an unlisted token or through foreign code. */
function reviewDescribedSwap(call: Call, { tokens, safeAddress, familiar = [] }: ReviewInput): Finding[] {
  const name = functionName(call)
  const values = call.args.flatMap(({ decoded }) => membersOf(decoded))
  const least = leastDescribedBy(values)
  const isOpen = least.some((value) => value < NOTHING) || (mostStated(call)?.most ?? 0n) >= EVERYTHING
  const accounts = (meant: RegExp) => accountsIn(values, meant)
  const isListed = (token: Address) =>
    BigInt(token) === 0n || isSameAddress(token, NATIVE_PLACEHOLDER) || listedToken(tokens, token) !== undefined
  const bought = [...accounts(boughtDescribed), ...boughtBy(name, values)].filter((token) => !isListed(token))
  const isForeign = (code: Address) =>
    ![...familiar, safeAddress, call.to].some((known) => isSameAddress(known, code)) && BigInt(code) !== 0n
  const passed = accounts(passedDescribed).filter(isForeign)
  const handed = least.length === 0 ? [] : addressesWhere(call, (named) => handedDescribed.test(named))
  return [
    ...(isOpen ? [callFinding(call, 'SWAP-NO-MINIMUM', 'high', { function: name })] : []),
    ...[...new Set(bought)].map((token) => callFinding(call, 'SWAP-UNLISTED', 'high', { function: name, token })),
    ...[...new Set([...passed, ...handed.filter(isForeign)])].map((address) =>
      callFinding(call, 'CODE-UNFAMILIAR', 'high', { function: call.name, address }),
    ),
  ]
}
