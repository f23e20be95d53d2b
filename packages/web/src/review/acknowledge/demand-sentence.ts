import type { Demand } from '@countersign/safe-core'
import { isAddress } from 'viem'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/format-amount.ts'
import { type SentencePart, sentenceText } from '../effect-sentence.ts'
import { evidenceLines, findingWords } from '../finding-words.ts'
import { currencyOf, type Names, nameOf, tokenAt } from '../names.ts'
import { text, textPieces } from '../text.ts'

/** These are amounts of the token or the asset that the evidence names. */
const amounts = new Set(['amount', 'needed', 'held', 'missing'])
/** No token has so many base units: whoever allows as much sets no limit. */
const UNLIMITED = 2n ** 128n

/** The sentence that a person ticks or answers: it names accounts, amounts and units as the bytes have them. */
export function demandSentence({ finding, places }: Demand, names: Names): SentencePart[] {
  const pieces = textPieces(`acknowledge.${finding.id}`)
  const sentence =
    pieces?.flatMap((piece) => (piece.kind === 'words' ? [piece] : valueParts(piece.name, finding.evidence, names))) ??
    plainSentence(finding, names)
  return places === 1 ? sentence : [...sentence, words(` ${text('acknowledge.places', { count: places })}`)]
}

/** The sentence in plain text, addresses in full with their names: it is kept with the acknowledgement. */
export function demandWords(demand: Demand, names: Names): string {
  const named = demandSentence(demand, names).map((part): SentencePart => {
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
  const value = evidence[name]
  if (value === undefined || value === '') return [words(text('effect.value.missing'))]
  if (value === 'native') return [words(showUntrusted(currencyOf(names.chain).symbol, 20))]
  if (amounts.has(name) && /^[0-9]{1,78}$/.test(value)) return [amountPart(BigInt(value), evidence, names)]
  const addresses = value.split(', ')
  if (!addresses.every((one) => isAddress(one, { strict: false }))) return [words(showUntrusted(value, 200))]
  const token = name === 'token' || name === 'asset' ? tokenAt(value, names.chain) : undefined
  if (token) return [words(showUntrusted(token.symbol, 20))]
  return addresses.flatMap((address, index) => [
    ...(index === 0 ? [] : [words(', ')]),
    { kind: 'address', address } as const,
  ])
}

function amountPart(value: bigint, { token, asset }: Record<string, string>, names: Names): SentencePart {
  if (value >= UNLIMITED) return words(text('acknowledge.unlimited'))
  if (asset === 'native') {
    const { symbol, decimals } = currencyOf(names.chain)
    return { kind: 'amount', value, decimals, symbol: showUntrusted(symbol, 20) }
  }
  const listed = tokenAt(token ?? asset ?? '', names.chain)
  return listed
    ? { kind: 'amount', value, decimals: listed.decimals, symbol: showUntrusted(listed.symbol, 20) }
    : { kind: 'amount', value, decimals: 0, symbol: text('effect.baseUnits') }
}

function words(said: string): SentencePart {
  return { kind: 'words', words: said }
}
