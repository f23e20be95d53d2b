import { type Address, size, slice } from 'viem'
import { addressesNamed } from '../../call-argument.ts'
import type { Call } from '../../calldata.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { argument, callFinding } from './evidence.ts'

/** An order that others fill later, when it suits them: a right to spend what is sold. */
export function reviewOrder(call: Call, input: ReviewInput): Finding[] {
  if (argument(call, 'signed') === 'false') return []
  const uid = argument(call, 'orderUid')
  const order = call.commands?.[0]
  const named = order ?? call
  const token = addressesNamed(named, 'sellToken')[0]
  const amount = order === undefined ? undefined : soldBy(order)
  const findings = [callFinding(call, 'SPENDING-RIGHT', 'high', { function: call.name, token, amount })]
  // Digest, owner and end of validity in one: what is sold for what, and who gets it, stands in the digest alone.
  if (uid !== null) findings.push(callFinding(call, 'MSG-RAW-HASH', 'critical', { message: digestOf(uid) }))
  if (call.name?.startsWith('setRoot') === true)
    findings.push(callFinding(call, 'MSG-RAW-HASH', 'critical', { message: argument(call, 'root') }))
  const others = addressesNamed(named, 'receiver').filter((receiver) => !isOwn(receiver, input.safeAddress))
  return [
    ...findings,
    ...others.map((receiver) => callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver })),
  ]
}

/** All parts of an order over time, in base units. */
function soldBy({ args }: Pick<Call, 'args'>): string {
  const numberOf = (name: string) => BigInt(args.find((argument) => argument.name === name)?.value ?? 0)
  return String(numberOf('partSellAmount') * numberOf('parts'))
}

/** CoW Protocol takes the zero address for the owner of the order. */
function isOwn(receiver: Address, safeAddress: Address): boolean {
  return BigInt(receiver) === 0n || isSameAddress(receiver, safeAddress)
}

function digestOf(uid: string): string {
  const bytes = uid as `0x${string}`
  return size(bytes) < 32 ? uid : slice(bytes, 0, 32)
}
