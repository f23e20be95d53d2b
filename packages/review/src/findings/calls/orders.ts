import { isSameAddress } from '@countersign/safe'
import { type Call, type CowOrder, cowSettlement, orderOf } from '@countersign/safe/calls'
import { type Address, isHex, size, slice } from 'viem'
import { addressesNamed, argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken, NATIVE_PLACEHOLDER } from '../../tokens/listed-tokens.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'

/** An order that others fill later, when it suits them: a right to spend what is sold. */
export function reviewOrder(call: Call, input: ReviewInput): Finding[] {
  if (argument(call, 'signed') === 'false') return []
  const uid = argument(call, 'orderUid')
  const order = call.commands?.[0]
  const named = order ?? call
  const token = addressesNamed(named, 'sellToken')[0]
  const amount = order === undefined ? undefined : soldBy(order)
  const signed = uid === null ? null : signedOrder(call, input)
  if (signed !== null) return reviewSignedOrder(call, signed, input)
  const right = {
    function: call.name,
    spender: [call.to],
    token: token && [token],
    amount: amount === undefined ? null : { value: amount, asset: token ?? null },
  }
  const findings = [callFinding(call, 'SPENDING-RIGHT', 'high', right)]
  // Digest, owner and end of validity in one: what is sold for what, and who gets it, stands in the digest alone.
  if (uid !== null)
    findings.push(callFinding(call, 'MSG-RAW-HASH', 'critical', { function: call.name, message: digestOf(uid) }))
  if (call.name?.startsWith('setRoot') === true)
    findings.push(
      callFinding(call, 'MSG-RAW-HASH', 'critical', { function: call.name, message: argument(call, 'root') }),
    )
  const others = addressesNamed(named, 'receiver').filter((receiver) => !isOwn(receiver, input.safeAddress))
  return [
    ...findings,
    ...others.map((receiver) => callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver })),
  ]
}

/** The order that is signed by its digest, where somebody gave it. */
function signedOrder(call: Call, { chainId, orders = [] }: ReviewInput): CowOrder | null {
  const uid = argument(call, 'orderUid')
  if (!isHex(uid) || !isSameAddress(call.to, cowSettlement)) return null
  return orderOf(uid, orders, { chainId, owner: call.from })
}

/** Fewer base units than these are nothing in any token. */
const NOTHING = 1_000n

/** An order whose terms are known: anybody may fill it until it ends, for no more than it asks. */
function reviewSignedOrder(call: Call, order: CowOrder, input: ReviewInput): Finding[] {
  const { sellToken, buyToken, sellAmount, feeAmount, buyAmount, validTo } = order
  const receiver = BigInt(order.receiver) === 0n ? call.from : order.receiver
  const name = call.name
  const terms = {
    function: name,
    token: sellToken,
    amount: { value: sellAmount + feeAmount, asset: sellToken },
    bought: buyToken,
    least: { value: buyAmount, asset: isSameAddress(buyToken, NATIVE_PLACEHOLDER) ? 'native' : buyToken },
    receiver,
    deadline: validTo,
  }
  const isListed = isSameAddress(buyToken, NATIVE_PLACEHOLDER) || listedToken(input.tokens, buyToken) !== undefined
  const isTaken = !isSameAddress(receiver, input.safeAddress)
  return [
    callFinding(call, 'ORDER-SIGN', 'high', terms),
    ...(isTaken ? [callFinding(call, 'RECEIVER-OTHER', 'high', { function: name, receiver })] : []),
    ...(buyAmount < NOTHING ? [callFinding(call, 'SWAP-NO-MINIMUM', 'high', { function: name })] : []),
    ...(isListed ? [] : [callFinding(call, 'SWAP-UNLISTED', 'high', { function: name, token: buyToken })]),
  ]
}

/** All parts of an order over time, in base units. */
export function soldBy({ args }: Pick<Call, 'args'>): bigint {
  const numberOf = (name: string) => BigInt(args.find((argument) => argument.name === name)?.value ?? 0)
  return numberOf('partSellAmount') * numberOf('parts')
}

/** CoW Protocol takes the zero address for the owner of the order. */
function isOwn(receiver: Address, safeAddress: Address): boolean {
  return BigInt(receiver) === 0n || isSameAddress(receiver, safeAddress)
}

function digestOf(uid: string): string {
  const bytes = uid as `0x${string}`
  return size(bytes) < 32 ? uid : slice(bytes, 0, 32)
}
