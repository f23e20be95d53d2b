import type { Call } from '@countersign/safe/calls'
import { type Address, getAddress, isHex, numberToHex, size, stringToHex } from 'viem'
import { accountsNamed, argument, functionName, isWrittenAs } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'

/** Names by which bridges call whoever gets it on the other chain. */
const receiving = new Set(['recipient', 'mintRecipient', 'to', 'dstNativeAddr'])
/** Names of whoever gets back what is left over, or what was not taken. */
const refunded = new Set(['refundTo', 'refundAddress', 'depositor'])
/** Instructions for code on the other chain, which runs them with what arrives. */
const instructing = /^(?:message|composeMsg|payload)$/
/** Numbers that a bridge has for the other chain: its own, or the number of the chain. */
const chainNames = ['destinationChainId', 'destinationDomain', 'dstEid', 'dstChainId', 'chainId']
/** Fees that are paid out of the amount to whoever carries it over. */
const feeNames = ['relayerFee', 'bonderFee']
/** Arbitrum adds this to the address of a contract that sends without naming a receiver. */
const ALIAS_OFFSET = 0x1111000000000000000000000000000000001111n

/**
 * Assets that leave for another chain. Whoever has an address there need not be who has it here: also where it is the
 * Safe's own, which on another chain may belong to other owners, or to nobody yet.
 */
export function reviewCrossing(call: Call, { safeAddress }: Pick<ReviewInput, 'safeAddress'>): Finding[] {
  const named = accountsNamed(call, (name) => receiving.has(name)).filter((account) => account !== '0x')
  const receivers = named.length > 0 ? named : [receiverUnnamed(call)]
  const backTo = accountsNamed(call, (name) => refunded.has(name))
  const isOwn = (account: string) => isWrittenAs(account, safeAddress)
  const carriers = accountsNamed(call, (name) => name === 'relayer').filter((account) => BigInt(account) > 0n)
  const others = [...new Set([...receivers, ...backTo, ...carriers].filter((account) => !isOwn(account)))]
  const evidence = {
    function: call.name,
    chain: firstOf(call, chainNames),
    instructions: instructionsOf(call, instructing),
  }
  return [
    ...others.map((receiver) => callFinding(call, 'RECEIVER-OTHER', 'high', { ...evidence, receiver })),
    ...(receivers.some(isOwn) || evidence.instructions !== undefined
      ? [callFinding(call, 'BRIDGE-RECEIVER', 'high', { ...evidence, receiver: receivers[0] })]
      : []),
    ...(isMostlyFee(call)
      ? [callFinding(call, 'SWAP-NO-MINIMUM', 'high', { function: functionName(call), case: 'fee' })]
      : []),
  ]
}

/** Whether more than half of the amount is a fee. */
function isMostlyFee(call: Call): boolean {
  const fee = BigInt(firstOf(call, feeNames) ?? 0)
  return fee > 0n && fee * 2n > BigInt(argument(call, 'amount') ?? 0)
}

/** A bridge that is told no receiver takes the caller, and Arbitrum an address that no key and no code stands behind. */
function receiverUnnamed({ name, from }: Call): Address {
  if (name?.startsWith('depositEth(') !== true) return from
  return getAddress(numberToHex(BigInt.asUintN(160, BigInt(from) + ALIAS_OFFSET), { size: 20 }))
}

/** How many bytes of instructions a call holds under names of a kind; undefined where it holds none. */
export function instructionsOf(call: Call, meant: RegExp): number | undefined {
  const found = accountsNamed(call, (name) => meant.test(name)).find((written) => written !== '0x' && written !== '')
  if (found === undefined) return undefined
  return size(isHex(found) ? found : stringToHex(found))
}

function firstOf(call: Call, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = argument(call, name)
    if (value !== null) return value
  }
  return undefined
}
