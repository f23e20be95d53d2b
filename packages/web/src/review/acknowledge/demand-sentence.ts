import type { Demand, Finding } from '@countersign/review'
import { isUnlimited } from '@countersign/safe'
import { isAddress, zeroAddress } from 'viem'
import { currencyOf, isSame, type Names, nameOf, tokenAt } from '../../safe/names/names.ts'
import { type SentencePart, sentenceText } from '../../safe/words/effect-sentence.ts'
import { type TextPiece, text, textPieces } from '../../safe/words/finding-text.ts'
import { countInAll, countOf, evidenceLines, findingTitle, findingWords } from '../../safe/words/finding-words.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'

/** These are amounts of the token or the asset that the evidence names. */
const amounts = new Set([
  'amount',
  'least',
  'received',
  'needed',
  'held',
  'missing',
  'maximum',
  'said',
  'moved',
  'besideAmount',
])

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
  const { id, evidence } = finding
  const pieces = sentencePieces(id, evidence)
  const sentence =
    pieces?.flatMap((piece) => (piece.kind === 'words' ? [piece] : valueParts(piece.name, evidence, names))) ??
    plainSentence(finding, names)
  const said = places === 1 ? sentence : [...sentence, words(` ${text('acknowledge.places', { count: places })}`)]
  return [...placeOf(evidence, pieces ?? [], names), ...said]
}

/** Endings of sentences that need fewer values, in order. */
const lesser = ['', '.less', '.least', '.receiver', '.bare']

/**
 * Returns the first sentence of a finding whose values are all known, so that no sentence is shown with a missing value.
 * `evidence.case` selects the best one. If a value is the zero address, it is the sentence with the ending `nobody`. Null if no
 * sentence fits.
 */
function sentencePieces(id: string, evidence: Record<string, string>): TextPiece[] | null {
  const base = `acknowledge.${id}`
  const cases = [isNobodyIn(base, evidence) ? '.nobody' : '', evidence.case === undefined ? '' : `.${evidence.case}`]
  for (const ending of [...cases.filter((ending) => ending !== ''), ...lesser]) {
    const pieces = textPieces(base + ending)
    if (pieces?.every((piece) => piece.kind === 'words' || isSaid(id, piece.name, evidence))) return pieces
  }
  return null
}

/** The zero address. A sentence about an account that receives or decides something must not name it. */
const NOBODY = /^0x0+$/

/** Sentences that are also true for the zero address. */
const trueOfNobody = new Set(['GAS-REFUND', 'NESTED-REFUND', 'TOKEN-TO-ITSELF', 'MULTISEND-ZERO-TO'])

function isNobodyIn(base: string, evidence: Record<string, string>): boolean {
  return (textPieces(base) ?? []).some(
    (piece) => piece.kind === 'value' && piece.name !== 'role' && NOBODY.test(evidence[piece.name] ?? ''),
  )
}

function isSaid(id: string, name: string, evidence: Record<string, string>): boolean {
  const value = evidence[name] ?? ''
  return value !== '' && (name === 'role' || trueOfNobody.has(id) || !NOBODY.test(value))
}

/** Returns the Safe that a sentence is about, if it is not the signing Safe and the sentence does not name it. */
function placeOf(evidence: Record<string, string>, pieces: readonly TextPiece[], names: Names): SentencePart[] {
  const { nestedSafe, nestedMessage, safe, actor } = evidence
  const ofNested = nestedMessage === undefined ? 'acknowledge.nested' : 'acknowledge.nested.message'
  const isNamed = pieces.some((piece) => piece.kind === 'value' && piece.name === 'safe')
  const known = [names.safeAddress, nestedSafe ?? '', actor ?? '', zeroAddress]
  const isOther = safe !== undefined && !isNamed && !known.some((one) => isSame(one, safe))
  const keys = [
    ...(nestedSafe === undefined ? [] : [ofNested]),
    ...(actor === undefined ? [] : ['acknowledge.actor']),
    ...(isOther ? ['acknowledge.other'] : []),
  ]
  return keys.flatMap((key) =>
    (textPieces(key) ?? []).map(
      (piece): SentencePart =>
        piece.kind === 'words' ? piece : { kind: 'address', address: evidence[piece.name] ?? '' },
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

function valueParts(name: string, evidence: Record<string, string>, names: Names): SentencePart[] {
  const value = evidence[name] ?? ''
  if (value === 'native') return [words(showUntrusted(currencyOf(names.chain).symbol, 20))]
  if (amounts.has(name) && /^[0-9]{1,78}$/.test(value)) {
    const { bought, beside, ...rest } = evidence
    const other = name === 'besideAmount' ? beside : name === 'least' || name === 'received' ? bought : undefined
    return [amountPart(BigInt(value), other === undefined ? rest : unitEvidence(other), names)]
  }
  const count = countOf(name, value)
  if (count !== null) return [words(count)]
  const addresses = value.split(', ')
  if (!addresses.every((address) => isAddress(address, { strict: false }))) return [words(showUntrusted(value, 200))]
  const token = ['token', 'asset', 'bought', 'beside'].includes(name) ? tokenAt(value, names.chain) : undefined
  if (token) return [words(showUntrusted(token.symbol, 20))]
  return addresses.flatMap((address, index) => [
    ...(index === 0 ? [] : [words(', ')]),
    { kind: 'address', address } as const,
  ])
}

/** Coin has no address. */
function unitEvidence(asset: string): Record<string, string> {
  return asset === 'native' ? { asset } : { token: asset }
}

function amountPart(value: bigint, evidence: Record<string, string>, names: Names): SentencePart {
  if (isUnlimited(value)) return words(text('acknowledge.unlimited'))
  return { kind: 'amount', value, ...unitOf(evidence, names) }
}

/** The unit of the amounts beside this evidence: of the token or the coin that it names, or base units. */
function unitOf({ token, asset, gasToken }: Record<string, string>, { chain }: Names) {
  const address = token ?? asset ?? gasToken ?? ''
  const isNative = (token ?? asset) === 'native' || (gasToken !== undefined && BigInt(gasToken) === 0n)
  const unit = isNative ? currencyOf(chain) : tokenAt(address, chain)
  return unit
    ? { decimals: unit.decimals, symbol: showUntrusted(unit.symbol, 20) }
    : { decimals: 0, symbol: text('effect.baseUnits') }
}

/** The unit in which a person types what changes; null where it is no amount. */
export function typedUnit({ finding, typedFrom = '' }: Demand, names: Names): ReturnType<typeof unitOf> | null {
  return amounts.has(typedFrom) ? unitOf(finding.evidence, names) : null
}

function words(said: string): SentencePart {
  return { kind: 'words', words: said }
}
