import { type Address, getAddress, type Hex, size, slice } from 'viem'
import type { DecodedValue } from '../../abi-decode.ts'
import type { Call } from '../../calldata.ts'
import { deploymentAt } from '../../deployments.ts'
import { isCallLike } from '../../inner-calls.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { callFinding } from './evidence.ts'
import { isTrustedToken, knownAccounts } from './familiarity.ts'

/** A list can name hundreds; each says how many there are. */
const MAX_NAMED = 500

/**
 * Arguments of a call that is read by an ABI which a person gave. Whoever wrote it chose the names, or left them out: any
 * account may be one that gets something, and bytes may be a call that the contract passes on.
 *
 * @param told - what was found by the names alone
 */
export function reviewGivenArguments(call: Call, told: readonly Finding[], input: ReviewInput): Finding[] {
  const { accounts, bytes } = valuesOf(call)
  // A payment of the past is the server's word.
  const isKnown = knownAccounts(input, [])
  for (const { evidence } of told) for (const value of Object.values(evidence)) isKnown.add(value.toLowerCase())
  const unknown = accounts.filter(
    (account) =>
      !isKnown.has(account.toLowerCase()) && !isTrustedToken(account, input) && deploymentAt(account) === null,
  )
  const read = new Set((call.calls ?? []).map(({ data }) => data))
  const unread = bytes.filter((data) => isCallLike(data) && !read.has(data))
  return [
    ...unknown.slice(0, MAX_NAMED).map((address) =>
      callFinding(call, 'ARGUMENT-UNFAMILIAR', 'high', {
        function: call.name,
        address,
        newAddresses: unknown.length > 1 ? String(unknown.length) : null,
      }),
    ),
    ...unread.slice(0, 1).map((data) =>
      callFinding(call, 'DECODE-NONE', call.value > 0n ? 'high' : 'medium', {
        selector: slice(data, 0, 4),
        bytes: String(unread.reduce((sum, one) => sum + size(one), 0)),
      }),
    ),
  ]
}

/** The accounts in the arguments, also those written as words, and all bytes of any length. */
function valuesOf({ args }: Call): { accounts: Address[]; bytes: Hex[] } {
  const accounts = new Set<Address>()
  const bytes: Hex[] = []
  const collect = (decoded: DecodedValue): void => {
    if (decoded.kind === 'list' || decoded.kind === 'tuple') decoded.value.forEach(collect)
    else if (decoded.kind === 'address') accounts.add(decoded.value)
    else if (decoded.kind === 'bytes' && decoded.type === 'bytes') bytes.push(decoded.value)
    else if (decoded.kind === 'bytes' && isPadded(decoded.value)) accounts.add(getAddress(slice(decoded.value, 12)))
  }
  for (const { decoded } of args) collect(decoded)
  return { accounts: [...accounts].filter((account) => BigInt(account) > 1n), bytes }
}

/** An account as bridges write it: twelve empty bytes before its twenty. */
function isPadded(word: Hex): boolean {
  return size(word) === 32 && /^0x0{24}(?!0{16})/.test(word)
}
