import { type FindingId, type findingCatalogue, findingEntry } from './catalogue.ts'
import {
  commonEvidence,
  type EvidenceKind,
  type EvidenceSpec,
  type EvidenceTypes,
  type KindOf,
} from './evidence-kinds.ts'

type Catalogue = typeof findingCatalogue

type Declared<Id extends FindingId> = Catalogue[Id] extends { evidence: infer Evidence } ? Evidence : unknown
type Cases<Id extends FindingId> = Catalogue[Id] extends { cases: readonly (infer Case)[] } ? Case : never

/** Values by their declaration, as `finding` takes them: those that may be missing may be null. */
type Given<Specs> = {
  readonly [Name in keyof Specs as Specs[Name] extends `${string}?` ? never : Name]: EvidenceTypes[KindOf<Specs[Name]>]
} & {
  readonly [Name in keyof Specs as Specs[Name] extends `${string}?` ? Name : never]?:
    | EvidenceTypes[KindOf<Specs[Name]>]
    | null
    | undefined
}

/** Values by their declaration, without those that are missing. */
type Known<Specs> = {
  readonly [Name in keyof Given<Specs>]: Exclude<Given<Specs>[Name], null>
}

/** Evidence that any finding may have. */
export type CommonEvidence = Known<Omit<typeof commonEvidence, 'case'>>

/** The evidence that a finding of this id has. */
export type EvidenceOf<Id extends FindingId> = CommonEvidence & Known<Declared<Id>> & { readonly case?: Cases<Id> }

/** The evidence from which a finding of this id is made. */
export type GivenEvidence<Id extends FindingId> = Given<Omit<typeof commonEvidence, 'case'>> &
  Given<Declared<Id>> & { readonly case?: Cases<Id> | null | undefined }

type NamesIn<Id extends FindingId> = Id extends FindingId ? keyof Declared<Id> : never

/** Names of the values that findings of these ids may have. */
export type GivenName<Id extends FindingId> = NamesIn<Id> | keyof typeof commonEvidence

type ShownIn<Specs> = { [Name in keyof Specs]: KindOf<Specs[Name]> extends 'unshown' ? never : Name }[keyof Specs]
type ShownOf<Id extends FindingId> = Id extends FindingId ? ShownIn<Declared<Id>> : never

/** Names of the values that are shown of findings of these ids. */
export type EvidenceName<Id extends FindingId = FindingId> = ShownOf<Id> | ShownIn<typeof commonEvidence>

type ShownKind = Exclude<EvidenceKind, 'unshown'>

/** One value that is shown, with its name and kind. */
export type EvidenceItem = {
  [Kind in ShownKind]: { name: EvidenceName; kind: Kind; value: EvidenceTypes[Kind] }
}[ShownKind]

type Values = Readonly<{ [name: string]: EvidenceTypes[EvidenceKind] | undefined }>

/**
 * Lists the values of a finding that are shown, in their order.
 *
 * @example
 * evidenceItems(finding) // [{ name: 'owner', kind: 'address', value: '0x…' }]
 */
export function evidenceItems({ id, evidence }: { id: FindingId; evidence: Values }): EvidenceItem[] {
  return Object.entries(evidence).flatMap(([name, value]) => {
    const kind = kindOf(id, name)
    return kind === null || kind === 'unshown' ? [] : [{ name, kind, value } as EvidenceItem]
  })
}

/**
 * Finds one value of a finding; null when the finding lacks it.
 *
 * @example
 * evidenceItem(finding, 'owner') // { name: 'owner', kind: 'address', value: '0x…' }
 */
export function evidenceItem(finding: { id: FindingId; evidence: Values }, name: string): EvidenceItem | null {
  return evidenceItems(finding).find((item) => item.name === name) ?? null
}

/** Returns the kind that the catalogue declares; null for a name that it does not have. */
function kindOf(id: FindingId, name: string): EvidenceKind | null {
  const common: Readonly<Record<string, EvidenceSpec | undefined>> = commonEvidence
  const spec = findingEntry(id).evidence?.[name] ?? common[name]
  return (spec?.replace('?', '') as EvidenceKind | undefined) ?? null
}

/**
 * Writes the evidence as text. Keys of acknowledgements are hashes of it, and reports quote it: what it writes never changes.
 *
 * @example
 * writtenEvidence({ newOwners: ['0x1…', '0x2…'], threshold: 2 }) // { newOwners: '0x1…, 0x2…', threshold: '2' }
 */
export function writtenEvidence(evidence: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(evidence).flatMap(([name, value]) => (value === undefined ? [] : [[name, written(value)]])),
  )
}

/**
 * Writes one value of the evidence as text.
 *
 * @example
 * written({ value: 5n, asset: 'native' }) // '5'
 */
export function written(value: EvidenceTypes[EvidenceKind]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  if ('text' in value) return value.text
  if ('value' in value) return String(value.value)
  return isPath(value) ? value.join('.') : value.join(', ')
}

function isPath(list: readonly string[] | readonly number[]): list is readonly number[] {
  return typeof list[0] === 'number'
}
