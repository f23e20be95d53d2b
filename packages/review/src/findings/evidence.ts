import type { Code } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import type { FindingId, Severity } from '../catalogue.ts'
import type { Finding, Where } from '../types.ts'

type Values = Record<string, string | null | undefined>

/** A finding; values that are not known are left out of the evidence. */
export function finding(id: FindingId, severity: Severity, evidence: Values, where: Where = {}): Finding {
  const known = Object.entries(evidence).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { id, severity, evidence: Object.fromEntries(known), where }
}

/** A finding about one call of the tree; the evidence says which. */
export function callFinding(call: Call, id: FindingId, severity: Severity, evidence: Values = {}): Finding {
  return finding(id, severity, { to: call.to, call: call.path.join('.'), ...evidence }, { call: call.path })
}

/** The code at an address, as far as it was read. */
export function codeAt(
  codes: Readonly<Record<string, Code | undefined>> | undefined,
  address: Address,
): Code | undefined {
  return codes?.[address.toLowerCase()]
}

/** An argument of a decoded call, by name; null when the call has none of that name. */
export function argument(call: Call, name: string): string | null {
  return call.args.find((argument) => argument.name === name)?.value ?? null
}

/** An address argument of a decoded call: the first of these names that it has. */
export function addressArgument(call: Call, ...names: string[]): Address | null {
  for (const name of names) {
    const value = argument(call, name)
    if (value !== null && isAddressText(value)) return value
  }
  return null
}

/** By its form alone: what is asked for each call of a batch computes no checksum. */
function isAddressText(value: string): value is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(value)
}

/** The name of the function that a call calls, without its types; empty when it is not known. */
export function functionName(call: Call): string {
  return call.name?.split('(')[0] ?? ''
}
