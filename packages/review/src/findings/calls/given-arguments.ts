import { type DecodedValue, deploymentAt } from '@countersign/safe'
import { type Call, isCallLike } from '@countersign/safe/calls'
import { type Address, getAddress, type Hex, numberToHex, size, slice } from 'viem'
import { writtenEvidence } from '../../evidence.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { isTrustedToken, knownAccounts } from '../addresses/familiarity.ts'
import { callFinding } from '../make-finding.ts'

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
  // Payments of the past and unsigned names are the server's word.
  const isKnown = knownAccounts(input, [])
  for (const { evidence } of told)
    for (const value of Object.values(writtenEvidence(evidence))) isKnown.add(value.toLowerCase())
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
        newAddresses: unknown.length > 1 ? unknown.length : null,
      }),
    ),
    ...unread.slice(0, 1).map((data) =>
      callFinding(call, 'DECODE-NONE', call.value > 0n ? 'high' : 'medium', {
        selector: slice(data, 0, 4),
        bytes: unread.reduce((sum, one) => sum + size(one), 0),
      }),
    ),
  ]
}

/** The accounts in the arguments, however they are written, and all bytes of any length. */
function valuesOf({ args }: Call): { accounts: Address[]; bytes: Hex[] } {
  const accounts = new Set<Address>()
  const bytes: Hex[] = []
  const collect = (decoded: DecodedValue): void => {
    if (decoded.kind === 'list' || decoded.kind === 'tuple') decoded.value.forEach(collect)
    else for (const account of accountsOf(decoded)) accounts.add(account)
    if (decoded.kind === 'bytes' && decoded.type === 'bytes') bytes.push(decoded.value)
  }
  for (const { decoded } of args) collect(decoded)
  return { accounts: [...accounts].filter((account) => BigInt(account) > 1n), bytes }
}

/** A number from here up is an account in most uses; an amount so large is of a token that has more than anybody counts. */
const LEAST_ACCOUNT = 1n << 96n

/** The accounts that one value says: as such, as a number, in a text, or in bytes. */
function accountsOf(decoded: DecodedValue): Address[] {
  switch (decoded.kind) {
    case 'address':
      return [decoded.value]
    case 'number': {
      const isAccount = decoded.value >= LEAST_ACCOUNT && decoded.value < 1n << 160n
      return isAccount ? [getAddress(numberToHex(decoded.value, { size: 20 }))] : []
    }
    case 'text':
      return [...(decoded.value ?? '').matchAll(/(?<![0-9a-f])(?:0x)?([0-9a-f]{40})(?![0-9a-f])/gi)].map(([, digits]) =>
        getAddress(`0x${digits?.toLowerCase()}`),
      )
    case 'bytes':
      return accountsInBytes(decoded.value)
    default:
      return []
  }
}

/** Twenty bytes alone, or words as the ABI and bridges write accounts: twelve empty bytes before them, or behind. */
function accountsInBytes(value: Hex): Address[] {
  const digits = value.slice(2)
  if (digits.length === 40) return [getAddress(value)]
  // Bytes that may be a call are read as one, or told as one that nobody read.
  if (digits.length % 64 !== 0) return []
  return (digits.match(/.{64}/g) ?? []).flatMap((word) => {
    const [, account] = /^0{24}((?!0{16}).{40})$/.exec(word) ?? /^((?!0{16}).{40})0{24}$/.exec(word) ?? []
    return account === undefined ? [] : [getAddress(`0x${account}`)]
  })
}
