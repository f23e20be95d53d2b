import type { EvidenceItem } from '@countersign/review'
import { isUnlimited } from '@countersign/safe'
import { isAddress } from 'viem'
import { formatNumber, formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { currencyOf, type Names, nameOf, tokenAt } from '../names/names.ts'
import { type SentencePart, unlimitedWords } from './effect-sentence.ts'
import { isTextKey, text } from './finding-text.ts'

/** A value as a line of the evidence shows it, and as a sentence does. */
export type EvidenceWords = { line: string; parts: SentencePart[] }

const DAY_S = 86_400
/** A number outside of these need not be Unix seconds: zero often means something else, and some services count milliseconds. */
const [FIRST_DATE_S, LAST_DATE_S] = [10n ** 9n, 10n ** 11n]
/** The greatest time that Permit2 keeps, and the greatest of 64 bits. */
const [MAX_UINT48, MAX_UINT64] = [2n ** 48n - 1n, 2n ** 64n - 1n]

/** The words of a value, by its kind. */
// Complexity: a flat switch with one line for each kind of evidence.
export function evidenceWords(item: EvidenceItem, names: Names): EvidenceWords {
  switch (item.kind) {
    case 'address':
    case 'account':
      return accountWords(item.value, names)
    case 'addresses':
    case 'accounts':
      return listWords(item.value.map((account) => accountWords(account, names)))
    case 'asset':
      return assetWords(item.value, names)
    case 'assets':
      return listWords(item.value.map((asset) => assetWords(asset, names)))
    case 'amount':
      return amountWords(item.value, names)
    case 'allowance':
      return allowanceWords(item.value, names)
    case 'stated-amount': {
      const { text: stated, asset } = item.value
      return /^[0-9]{1,78}$/.test(stated) ? allowanceWords({ value: BigInt(stated), asset }, names) : plainWords(stated)
    }
    case 'count':
    case 'total':
      return oneWord(formatNumber(item.value))
    case 'number':
      return oneWord(String(item.value))
    case 'seconds':
      return oneWord(text('evidence.period.value', { days: Math.floor(Number(item.value) / DAY_S) }))
    case 'expiry':
      return expiryWords(item.value)
    case 'chain':
    case 'bytes':
    case 'claim':
    case 'text':
      return plainWords(item.value)
    case 'flag':
      return oneWord(text(item.value ? 'evidence.yes' : 'evidence.no'))
    case 'call':
      // Calls are numbered from one, as in the list of all calls.
      return oneWord(item.value.map((index) => index + 1).join('.'))
    case 'gs-code':
      return { line: codeWithCause(item.value), parts: [words(item.value)] }
    case 'rule':
      return oneWord(text('evidence.rule.value', { rule: item.value }))
    case 'rollback':
      return oneWord(text('evidence.why.value', { why: item.value }))
    case 'unresolved':
      return oneWord(text('evidence.unresolved.value', { why: item.value }))
    case 'slot':
      return oneWord(text('evidence.holds.value', { holds: item.value }))
  }
}

type AmountOf = { value: bigint; asset: string | null }

/** The unit of amounts of an asset: of the coin or of a listed token, else base units. */
export function unitOf(asset: string | null, { chain }: Names): { decimals: number; symbol: string } {
  const unit = asset === 'native' ? currencyOf(chain) : tokenAt(asset ?? '', chain)
  return unit
    ? { decimals: unit.decimals, symbol: showUntrusted(unit.symbol, 20) }
    : { decimals: 0, symbol: text('effect.baseUnits') }
}

function amountWords({ value, asset }: AmountOf, names: Names): EvidenceWords {
  const unit = unitOf(asset, names)
  return {
    line: `${formatAmount(value, unit.decimals)} ${unit.symbol}`,
    parts: [isUnlimited(value) ? words(text('acknowledge.unlimited')) : { kind: 'amount', value, ...unit }],
  }
}

function allowanceWords(amount: AmountOf, names: Names): EvidenceWords {
  const said = amountWords(amount, names)
  if (!isUnlimited(amount.value)) return said
  const { asset } = amount
  return { ...said, line: asset === null ? text('acknowledge.unlimited') : unlimitedWords(asset, names) }
}

function expiryWords(stated: string): EvidenceWords {
  if (!/^[0-9]{1,78}$/.test(stated)) return plainWords(stated)
  const seconds = BigInt(stated)
  if (seconds === MAX_UINT48 || seconds >= MAX_UINT64) return oneWord(text('evidence.expiry.none'))
  const isDate = seconds >= FIRST_DATE_S && seconds <= LAST_DATE_S
  return oneWord(isDate ? formatTime(new Date(Number(seconds) * 1000)) : stated)
}

function accountWords(account: string, names: Names): EvidenceWords {
  if (!isAddress(account, { strict: false })) return plainWords(account)
  const name = nameOf(account, names)
  return { line: name ? `${name} · ${account}` : account, parts: [{ kind: 'address', address: account }] }
}

function assetWords(asset: string, names: Names): EvidenceWords {
  if (asset === 'native') return oneWord(unitOf(asset, names).symbol)
  const said = accountWords(asset, names)
  return tokenAt(asset, names.chain) ? { ...said, parts: [words(unitOf(asset, names).symbol)] } : said
}

function listWords(all: readonly EvidenceWords[]): EvidenceWords {
  return {
    line: all.map(({ line }) => line).join(', '),
    parts: all.flatMap(({ parts }, index) => (index === 0 ? parts : [words(', '), ...parts])),
  }
}

/** A text of anybody: longer where it has a line of its own. */
function plainWords(said: string): EvidenceWords {
  return { line: showUntrusted(said, 2_000), parts: [words(showUntrusted(said, 200))] }
}

function oneWord(said: string): EvidenceWords {
  return { line: said, parts: [words(said)] }
}

function words(said: string): SentencePart {
  return { kind: 'words', words: said }
}

/** A code that the Safe's own contracts revert with, and its cause where it is known. */
function codeWithCause(code: string): string {
  const cause = `revert.${code}.cause`
  return isTextKey(cause) ? `${code}: ${text(cause)}` : code
}
