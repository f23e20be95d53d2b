import { type Demand, type EvidenceItem, evidenceItem, type Finding, written } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { type SentencePart, sentenceText } from '../../safe/words/effect-sentence.ts'
import { evidenceWords, unitOf } from '../../safe/words/evidence-words.ts'
import { type TextPiece, text, textPieces } from '../../safe/words/finding-text.ts'
import { countInAll, evidenceLines, findingTitle, findingWords } from '../../safe/words/finding-words.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'

/** Returns the sentence above a long list: the kind, the total number and the number listed. */
export function listTitle({ finding, things }: Pick<Demand, 'finding' | 'things'>): string {
  const [count, title] = [countInAll(things), findingTitle(finding)]
  return count === things.length
    ? text('acknowledge.list', { count, title })
    : text('acknowledge.list.some', { count, named: things.length, title })
}

/** The sentence about one of them, as it would be if it stood alone. */
export function thingSentence(finding: Finding, names: Names): SentencePart[] {
  return demandSentence({ finding, places: 1 }, names)
}

/** The sentence that a person ticks or answers: it names accounts, amounts and units as the bytes have them. */
export function demandSentence({ finding, places }: Pick<Demand, 'finding' | 'places'>, names: Names): SentencePart[] {
  const pieces = sentencePieces(finding)
  const sentence =
    pieces?.flatMap((piece) => (piece.kind === 'words' ? [piece] : valueParts(piece.name, finding, names))) ??
    plainSentence(finding, names)
  const said = places === 1 ? sentence : [...sentence, words(` ${text('acknowledge.places', { count: places })}`)]
  return [...placeOf(finding, pieces ?? [], names), ...said]
}

/** Endings of sentences that need fewer values, in order. */
const lesser = ['', '.less', '.least', '.receiver', '.bare']

/**
 * Returns the first sentence of a finding whose values are all known, so that no sentence is shown with a missing value.
 * `evidence.case` selects the best one. If a value is the zero address, it is the sentence with the ending `nobody`. Null if no
 * sentence fits.
 */
function sentencePieces(finding: Finding): TextPiece[] | null {
  const base = `acknowledge.${finding.id}`
  const ofCase = finding.evidence.case
  const cases = [isNobodyIn(base, finding) ? '.nobody' : '', ofCase === undefined ? '' : `.${ofCase}`]
  for (const ending of [...cases.filter((ending) => ending !== ''), ...lesser]) {
    const pieces = textPieces(base + ending)
    if (pieces?.every((piece) => piece.kind === 'words' || isSaid(finding, piece.name))) return pieces
  }
  return null
}

/** Sentences that are also true for the zero address. */
const trueOfNobody = new Set(['GAS-REFUND', 'NESTED-REFUND', 'TOKEN-TO-ITSELF', 'MULTISEND-ZERO-TO'])

function isNobodyIn(base: string, finding: Finding): boolean {
  return (textPieces(base) ?? []).some((piece) => piece.kind === 'value' && isNobody(evidenceItem(finding, piece.name)))
}

/** The zero address does nothing and has nothing: a sentence about whoever gets or decides something must not name it. */
function isNobody(item: EvidenceItem | null): boolean {
  switch (item?.kind) {
    case 'address':
    case 'account':
    case 'asset':
    case 'addresses':
    case 'accounts':
    case 'assets':
      return /^0x0+$/.test(written(item.value))
    default:
      return false
  }
}

function isSaid(finding: Finding, name: string): boolean {
  const item = evidenceItem(finding, name)
  return item !== null && written(item.value) !== '' && (trueOfNobody.has(finding.id) || !isNobody(item))
}

/** Returns the Safe that a sentence is about, if it is not the signing Safe and the sentence does not name it. */
function placeOf({ evidence }: Finding, pieces: readonly TextPiece[], names: Names): SentencePart[] {
  const { nestedSafe, nestedMessage, actor } = evidence
  const safe = 'safe' in evidence ? evidence.safe : undefined
  const isNamed = pieces.some((piece) => piece.kind === 'value' && piece.name === 'safe')
  const known = [names.safeAddress, nestedSafe, actor, zeroAddress]
  const isOther = safe !== undefined && !isNamed && !known.some((one) => one !== undefined && isSameAddress(one, safe))
  const places = [
    { key: nestedMessage === undefined ? 'acknowledge.nested' : 'acknowledge.nested.message', address: nestedSafe },
    { key: 'acknowledge.actor', address: actor },
    { key: 'acknowledge.other', address: isOther ? safe : undefined },
  ]
  return places.flatMap(({ key, address }) =>
    address === undefined
      ? []
      : (textPieces(key) ?? []).map(
          (piece): SentencePart => (piece.kind === 'words' ? piece : { kind: 'address', address }),
        ),
  )
}

/** The sentence in plain text, addresses in full with their names: it is kept with the acknowledgement. */
export function demandWords(demand: Demand, names: Names): string {
  if (demand.things.length === 1) return plainWords(demandSentence(demand, names), names)
  // The answer is bound to all of them by its key; as words it names as many as the log takes.
  const first = demand.things.slice(0, MAX_IN_WORDS).map((thing) => plainWords(thingSentence(thing, names), names))
  return [listTitle(demand), ...first].join(' ')
}

const MAX_IN_WORDS = 5

function plainWords(parts: readonly SentencePart[], names: Names): string {
  const named = parts.map((part): SentencePart => {
    const name = part.kind === 'address' ? nameOf(part.address, names) : undefined
    return part.kind === 'address' && name !== undefined ? words(`${name} ${part.address}`) : part
  })
  return sentenceText(named, formatAmount)
}

/** A finding without a sentence of its own: its title, and everything that it names. */
function plainSentence(finding: Demand['finding'], names: Names): SentencePart[] {
  const lines = evidenceLines(finding, names)
  return [words([findingWords(finding.id).title, ...lines.map(({ label, value }) => `${label}: ${value}`)].join(' · '))]
}

function valueParts(name: string, finding: Finding, names: Names): SentencePart[] {
  const item = evidenceItem(finding, name)
  return item === null ? [] : evidenceWords(item, names).parts
}

/** The unit in which a person types what changes; null where it is no amount. */
export function typedUnit({ finding, typedFrom = 'to' }: Demand, names: Names): ReturnType<typeof unitOf> | null {
  const item = evidenceItem(finding, typedFrom)
  return item?.kind === 'amount' ? unitOf(item.value.asset, names) : null
}

function words(said: string): SentencePart {
  return { kind: 'words', words: said }
}
