import { type Hex, keccak256, stringToHex } from 'viem'
import { findingCatalogue, findingEntry, type Way } from './catalogue.ts'
import { failsEssential, unexplainedChecks } from './decide.ts'
import { type EvidenceItem, type EvidenceName, evidenceItem, written, writtenEvidence } from './evidence.ts'
import { finding } from './findings/make-finding.ts'
import type { Finding, SubjectReview } from './types.ts'

/** A finding that stands between a review and a signature, and the way to sign all the same. */
export type Demand = {
  /**
   * keccak256 of the hash that is signed, of the team's policy, and of id, severity, evidence and all places of every finding
   * that it answers.
   */
  key: Hex
  /** The first of those that it answers; its `where` is the first place. */
  finding: Finding
  /** How many findings say the same of the same thing, at different places. Of a list, all of them. */
  places: number
  /** Things of which the same is said, each once, in their order: one, unless it is a list. */
  things: readonly [Finding, ...Finding[]]
  way: Way
  /** For `typed`: what the person types. A number in decimal, or the last six characters of each address. */
  typed?: string
  /** The evidence that `typed` is of. */
  typedFrom?: EvidenceName
}

/** A person's answer to one demand. It belongs to exactly one hash and one evidence: its key is worthless elsewhere. */
export type Acknowledgement = {
  key: Hex
  id: Finding['id']
  /** The sentence that was ticked, as it stood on screen. */
  words: string
  /** For a demand whose way is `typed`: the characters that were typed. */
  typed?: string
  /** Why, in the person's own words, for a demand whose way is `typed`. */
  reason?: string
}

/** Demands are made of these; a review of any kind has them. */
export type Demanding = Pick<SubjectReview, 'hash' | 'policyHash' | 'checks' | 'findings'>

/** Things of one kind that are answered one by one. More are a list, with one answer. */
const MAX_SINGLE = 3

/**
 * One demand for each critical and each high finding, and for each essential check that did not pass, worst first.
 * Findings that say the same of the same thing, at other places, are one demand. So are many of a kind that lists of
 * payments have, as `isListed` says: one answer to exactly these things. Rights that go on, look-alikes and control over
 * anything have an answer each, and no answer covers two kinds.
 *
 * @example
 * demandsOf(review) // [{ way: 'typed', typed: '1', finding: { id: 'THRESHOLD-DOWN', … }, … }]
 */
export function demandsOf(review: Demanding): readonly Demand[] {
  const demands = listedOf.get(review) ?? listDemands(review)
  listedOf.set(review, demands)
  return demands
}

/** A batch has hundreds, whose keys are hashed, and a page asks for them at several places: they are made once for a review. */
const listedOf = new WeakMap<Demanding, readonly Demand[]>()

function listDemands({ hash, policyHash, checks, findings }: Demanding): Demand[] {
  const signed = signedUnder(hash, policyHash)
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    if (finding.severity !== 'critical' && finding.severity !== 'high' && !failsEssential(finding)) continue
    const group = groups.get(statement(finding))
    if (group === undefined) groups.set(statement(finding), [finding])
    else group.push(finding)
  }
  const demands = listed([...groups].map(([said, found]) => ({ said, found }))).map((list): Demand => {
    const [{ said, found: group }] = list
    const all = list.map(({ said: one, found }) => [one, found.map(({ where }) => sorted(where))])
    const key = keccak256(stringToHex(JSON.stringify(list.length === 1 ? [signed, said, all[0]?.[1]] : [signed, all])))
    const [, ...others] = list.map(({ found }) => found[0])
    const places = list.reduce((sum, { found }) => sum + found.length, 0)
    const base = { key, finding: group[0], places, things: [group[0], ...others] as const }
    const way = wayOf(group[0])
    if (way !== 'typed') return { ...base, way }
    const change = typedOf(group[0])
    return change === null ? { ...base, way: 'never' } : { ...base, way, ...change }
  })
  return [...demands, ...unpassed({ hash, policyHash, checks, findings })]
}

/** Answers that were given under one version of the policy are none under another. */
function signedUnder(hash: Hex, policyHash: Hex | null): string {
  return policyHash === null ? hash : `${hash} ${policyHash}`
}

type Said = { said: string; found: [Finding, ...Finding[]] }

/** Puts things of one kind together where there are many, at the place of the first. */
function listed(all: readonly Said[]): [Said, ...Said[]][] {
  const kinds = new Map<string, [Said, ...Said[]]>()
  for (const one of all) {
    const kind = kindOf(one.found[0])
    const list = kind === null ? undefined : kinds.get(kind)
    if (list !== undefined) list.push(one)
    else if (kind !== null) kinds.set(kind, [one])
  }
  return all.flatMap((one): [Said, ...Said[]][] => {
    const list = kinds.get(kindOf(one.found[0]) ?? '') ?? [one]
    if (list.length <= MAX_SINGLE) return [[one]]
    return list[0] === one ? [list] : []
  })
}

/** The kind of a finding that may be one of a list: the same by the same function, in the same Safe. Null: it stands alone. */
function kindOf(found: Finding): string | null {
  const { id, severity, evidence } = found
  if (severity !== 'high' || findingEntry(id).isListed !== true || failsEssential(found)) return null
  const name = 'function' in evidence ? evidence.function : undefined
  const { nestedSafe, nestedMessage } = evidence
  // A right that goes on, for code that nobody knows.
  if (id === 'CODE-UNFAMILIAR' && /^(?:approve|increase|setApproval)/.test(name ?? '')) return null
  return JSON.stringify([id, name, nestedSafe, nestedMessage, Object.keys(evidence).toSorted()])
}

/**
 * The demands that nothing acknowledges yet. Empty: this review may be signed. One function for the page, for the check
 * right before the wallet is asked, for executing, and for lists.
 *
 * @example
 * if (stillOpen(review, acknowledgements).length === 0) sign()
 */
export function stillOpen(review: Demanding, acknowledgements: readonly Acknowledgement[]): Demand[] {
  return demandsOf(review).filter(
    (demand) => !acknowledgements.some((acknowledgement) => meets(acknowledgement, demand)),
  )
}

/**
 * Whether nothing that a person could say opens the button.
 *
 * @example
 * isClosed(review) // true for unknown code that would run as the Safe, and where the Safe could not be read
 */
export function isClosed(review: Demanding): boolean {
  return demandsOf(review).some(({ way }) => way === 'never')
}

/**
 * Whether this acknowledgement answers this demand. Nothing answers one whose way is `never`.
 *
 * @example
 * acknowledgements.some((acknowledgement) => meets(acknowledgement, demand))
 */
export function meets(acknowledgement: Acknowledgement, demand: Demand): boolean {
  if (acknowledgement.key !== demand.key || acknowledgement.id !== demand.finding.id) return false
  if (demand.way === 'never') return false
  return demand.way === 'tick' || (isTypedRight(demand, acknowledgement.typed) && isReason(acknowledgement.reason))
}

/**
 * Whether this is what the demand asks to type. Letter case and spaces around do not matter.
 *
 * @example
 * isTypedRight({ typed: '1 of 2' }, ' 1 OF 2 ') // true
 */
export function isTypedRight({ typed }: Pick<Demand, 'typed'>, given: string | undefined): boolean {
  return typed !== undefined && given?.trim().replaceAll(/\s+/g, ' ').toLowerCase() === typed.toLowerCase()
}

/**
 * Whether this is a reason: any words at all.
 *
 * @example
 * isReason('…') // false
 */
export function isReason(given: string | undefined): boolean {
  // Some letters, such as the fillers of Hangul, show nothing.
  return given !== undefined && /[\p{L}\p{N}]/u.test(given.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))
}

/**
 * The way to sign although this finding is there. Where something essential is missing there is none, but for the reading
 * of an ordinary call whose outcome a run has shown: see `wayAfterRun`.
 */
function wayOf(open: Finding): Way {
  const { way = 'never', wayAfterRun } = findingEntry(open.id)
  if (open.severity === 'critical') return way
  if (!failsEssential(open)) return 'tick'
  return open.evidence.outcome === undefined ? 'never' : (wayAfterRun ?? 'never')
}

/** The statement of a finding, without its place. */
function statement({ id, severity, evidence }: Finding): string {
  const { call: _place, ...rest } = evidence
  return JSON.stringify([id, severity, sorted(writtenEvidence(rest))])
}

function sorted(values: object): [string, unknown][] {
  return Object.entries(values)
    .map(([name, value]): [string, unknown] => [
      name,
      typeof value === 'object' && value !== null && !Array.isArray(value) ? sorted(value) : value,
    ])
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** The change, as a person types it; null where the bytes do not say it, and then nobody can type it. */
function typedOf(found: Finding): Required<Pick<Demand, 'typed' | 'typedFrom'>> | null {
  const row = findingCatalogue[found.id]
  const typedFrom: EvidenceName = 'typed' in row ? row.typed : 'to'
  const typed = typedText(evidenceItem(found, typedFrom))
  if (typed !== null) return { typed, typedFrom }
  const instead: EvidenceName = 'typedElse' in row ? row.typedElse : 'to'
  const other = typedText(evidenceItem(found, instead))
  return other === null ? null : { typed: other, typedFrom: instead }
}

/** The text that is typed of a value: of an address its end, of a number its digits. */
function typedText(item: EvidenceItem | null): string | null {
  switch (item?.kind) {
    case 'address':
      return item.value.slice(-6)
    case 'addresses':
      return item.value.map((address) => address.slice(-6)).join(' ')
    case 'amount':
    case 'count':
      return written(item.value)
    default:
      return null
  }
}

/** Essential checks that did not pass and that no finding speaks for. */
function unpassed({ hash, policyHash, checks, findings }: Demanding): Demand[] {
  return unexplainedChecks({ checks, findings }).map(({ id, status }) => {
    const missing =
      findings.find((known) => known.id === 'INPUT-MISSING' && known.evidence.check === id) ??
      finding('INPUT-MISSING', 'medium', { check: id, input: id })
    return {
      key: keccak256(stringToHex(JSON.stringify([signedUnder(hash, policyHash), id, status]))),
      finding: missing,
      places: 1,
      things: [missing],
      way: 'never',
    }
  })
}
