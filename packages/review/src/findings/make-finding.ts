import type { Code } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address } from 'viem'
import type { FindingId, Severity } from '../catalogue.ts'
import type { CommonEvidence, GivenEvidence, GivenName } from '../evidence.ts'
import type { Amount } from '../evidence-kinds.ts'
import type { Finding, Where } from '../types.ts'

/** Refuses names that the catalogue does not declare, also where they come by a spread. */
type Declared<Id extends FindingId, Evidence> = Evidence & {
  [Name in Exclude<keyof Evidence, GivenName<Id>>]: never
}

/** A finding; values that are not known are left out of the evidence. */
export function finding<Id extends FindingId, Evidence extends GivenEvidence<Id>>(
  id: Id,
  severity: Severity,
  evidence: Declared<Id, Evidence>,
  where: Where = {},
): Finding {
  return findingOf(id, severity, evidence, where)
}

/** A finding about one call of the tree; the evidence says which. */
export function callFinding<Id extends FindingId, Evidence extends GivenEvidence<Id>>(
  call: Call,
  id: Id,
  severity: Severity,
  evidence: Declared<Id, Evidence>,
): Finding {
  return findingOf(id, severity, { to: call.to, call: call.path, ...evidence }, { call: call.path })
}

/** The parameters of the functions above hold what the union of all findings asks for. */
function findingOf(id: FindingId, severity: Severity, evidence: object, where: Where): Finding {
  const known = Object.entries(evidence).filter(([, value]) => value !== null && value !== undefined)
  return { id, severity, evidence: Object.fromEntries(known), where } as Finding
}

/** Moves a finding about an approved subject to the call that approves it. The call of the evidence was one of the subject's. */
export function withinApproval(known: Finding, approval: CommonEvidence, path: readonly number[]): Finding {
  const { call: _place, ...evidence } = known.evidence
  return { ...known, evidence: { ...approval, ...evidence }, where: path.length === 0 ? {} : { call: path } } as Finding
}

/** Adds evidence that any finding may have. */
export function withEvidence(known: Finding, added: CommonEvidence): Finding {
  return { ...known, evidence: { ...known.evidence, ...added } } as Finding
}

/** The code at an address, as far as it was read. */
export function codeAt(
  codes: Readonly<Record<string, Code | undefined>> | undefined,
  address: Address,
): Code | undefined {
  return codes?.[address.toLowerCase()]
}

/** An amount of an asset; null where it is not known how much. */
export function amountOf(value: bigint | null, asset: string | null): Amount | null {
  return value === null ? null : { value, asset }
}

/** Amounts of one asset, by their names. */
export function amountsOf<Name extends string>(asset: string, values: Record<Name, bigint>): Record<Name, Amount> {
  const amounts = Object.entries<bigint>(values).map(([name, value]) => [name, { value, asset }])
  return Object.fromEntries(amounts) as Record<Name, Amount>
}
