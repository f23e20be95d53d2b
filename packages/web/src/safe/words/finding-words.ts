import { type EvidenceItem, type EvidenceName, evidenceItems, type Finding, written } from '@countersign/review'
import type { TextKey } from '../../text/text.ts'
import type { Names } from '../names/names.ts'
import { evidenceWords } from './evidence-words.ts'
import { isTextKey, text } from './finding-text.ts'

/** Text of a finding: its title, its meaning, the remedy. */
export type FindingWords = { title: string; meaning: string; action: string }

/** The words of a finding. A newer core can have ids that this catalogue does not know: they are never silent. */
export function findingWords(id: string): FindingWords {
  const [title, meaning, action] = [`finding.${id}`, `finding.${id}.meaning`, `finding.${id}.action`]
  if (isTextKey(title) && isTextKey(meaning) && isTextKey(action)) {
    return { title: text(title), meaning: text(meaning), action: text(action) }
  }
  return {
    title: text('finding.unknown', { id }),
    meaning: text('finding.unknown.meaning'),
    action: text('finding.unknown.action'),
  }
}

/** The title of a finding; of one in what is approved, or in a message, it says so. */
export function findingTitle({ id, evidence }: Finding): string {
  const { title } = findingWords(id)
  if (evidence.nestedSafe === undefined) return title
  return text(evidence.nestedMessage === undefined ? 'nested.finding' : 'nested.finding.message', { title })
}

export type EvidenceLine = { name: string; label: string; value: string }

/** The values at fault, each with its name, and where in the transaction they stand. */
export function evidenceLines(finding: Finding, names: Names): EvidenceLine[] {
  const { where } = finding
  const lines: EvidenceLine[] = evidenceItems(finding)
    .filter(({ value }) => written(value) !== '')
    .map((item) => ({ ...lineOf(labelOf(item), evidenceWords(item, names).line), name: item.name }))
  if (where.field !== undefined) lines.push(lineOf('field', where.field))
  if (where.slot !== undefined) lines.push(lineOf('slot', where.slot))
  if (where.bytes !== undefined) lines.push(lineOf('range', text('evidence.range.value', where.bytes)))
  return lines
}

function lineOf(name: EvidenceName | 'field' | 'slot' | 'range', value: string): EvidenceLine {
  return { name, label: evidenceLabel(name), value }
}

/** Other chains are called as chains are, whichever hash has the same name elsewhere. */
function labelOf({ kind, name }: EvidenceItem): EvidenceName {
  return kind === 'chain' ? 'chainId' : name
}

/** How many things findings of one kind are about: of those that are too many to be named one by one, each says so. */
export function countInAll(findings: readonly Finding[]): number {
  const totals = findings.flatMap(evidenceItems).flatMap((item) => (item.kind === 'total' ? [item.value] : []))
  return Math.max(findings.length, ...totals)
}

/** The label of a value. */
export function evidenceLabel(name: EvidenceName | 'field' | 'slot' | 'range'): string {
  const key: TextKey = `evidence.${name}`
  return text(key)
}
