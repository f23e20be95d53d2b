import type { Effect } from '@countersign/review'
import { isSameAddress, isUnlimited } from '@countersign/safe'
import { isAddress } from 'viem'
import { showUntrusted } from '../../text/untrusted.ts'
import { currencyOf, type Names, tokenAt } from '../names/names.ts'
import { text, textPieces } from '../text.ts'

/** A piece of a sentence: words, or a value that has a component of its own. */
export type SentencePart =
  | { kind: 'words'; words: string }
  | { kind: 'address'; address: string }
  | { kind: 'amount'; value: bigint; decimals: number; symbol: string }

/**
 * Describes an effect in words and values. Sentences come from the catalogue, values only from the decoded bytes. A sentence with a
 * missing value is not used.
 */
export function effectSentence({ key, values }: Effect, names: Names): SentencePart[] {
  const ending = NOBODY.test(values[takers[key] ?? ''] ?? '') ? '.nobody' : ''
  const sentence = fill(key, `effect.${key}${ending}`, values, names) ?? [
    { kind: 'words', words: text('effect.unknown', { key }) },
  ]
  if (values.caller === undefined) return sentence
  return [...(fill(key, 'effect.caller', values, names) ?? []), ...sentence]
}

const NOBODY = /^0x0+$/
/** Name of the value with the recipient, by effect. If it is the zero address, the effect ends a right. */
const takers: Partial<Record<Effect['key'], string>> = {
  'handler-change': 'handler',
  'module-guard-change': 'moduleGuard',
  'nft-approve': 'spender',
  'votes-delegate': 'delegatee',
}

/** Returns null if the catalogue has no such sentence, or if one of its values is missing. */
function fill(effect: Effect['key'], key: string, values: Record<string, string>, names: Names): SentencePart[] | null {
  const pieces = textPieces(key)
  if (pieces === null || pieces.some((piece) => piece.kind === 'value' && values[piece.name] === undefined)) return null
  return pieces.map((piece) => {
    if (piece.kind === 'words') return piece
    const isAllowance = effect === 'erc20-approve' && piece.name === 'amount'
    return (isAllowance && unlimitedPart(values, names)) || valuePart(piece.name, values, names)
  })
}

function valuePart(name: string, values: Record<string, string>, names: Names): SentencePart {
  const value = values[name] ?? ''
  if (name === 'value' && isUint(value)) return { kind: 'amount', value: BigInt(value), ...currencyParts(names) }
  if (name === 'amount' && isUint(value)) return tokenAmount(BigInt(value), values.target ?? '', names)
  if (isAddress(value, { strict: false })) return { kind: 'address', address: value }
  return { kind: 'words', words: showUntrusted(value, 200) }
}

/** An allowance without limit as a word; null where there is a limit. */
function unlimitedPart({ amount, target }: Record<string, string>, names: Names): SentencePart | null {
  if (!isUint(amount) || !isUnlimited(BigInt(amount))) return null
  return { kind: 'words', words: unlimitedWords(target ?? '', names) }
}

/** All of a token, now and later: by its symbol when the operator has listed it. */
export function unlimitedWords(token: string, names: Names): string {
  const listed = tokenAt(token, names.chain)
  return text('amount.unlimited', { symbol: listed ? showUntrusted(listed.symbol, 20) : text('title.token.unlisted') })
}

/** Decimals of a token that nobody listed are the token's own claim, so its base units are shown. */
function tokenAmount(value: bigint, token: string, names: Names): SentencePart {
  const listed = tokenAt(token, names.chain)
  if (!listed) return { kind: 'amount', value, decimals: 0, symbol: text('effect.baseUnits') }
  return { kind: 'amount', value, decimals: listed.decimals, symbol: showUntrusted(listed.symbol, 20) }
}

function currencyParts({ chain }: Names): { decimals: number; symbol: string } {
  const { decimals, symbol } = currencyOf(chain)
  return { decimals, symbol: showUntrusted(symbol, 20) }
}

/** The sentence as plain text, for titles and screen readers. */
export function sentenceText(
  parts: readonly SentencePart[],
  write: (value: bigint, decimals: number) => string,
): string {
  return parts
    .map((part) => {
      if (part.kind === 'words') return part.words
      return part.kind === 'address' ? part.address : `${write(part.value, part.decimals)} ${part.symbol}`
    })
    .join('')
}

/** Amount that leaves the Safe by the call data alone. `token` null is the chain's coin. */
export type Move =
  | { kind: 'out'; token: string | null; value: bigint }
  | { kind: 'allowance'; token: string; spender: string; value: bigint }
  | { kind: 'item'; collection: string }

/** Adds up what the Safe itself sends and allows. */
export function movesOf(effects: readonly Effect[], safeAddress: string): Move[] {
  const totals: Totals = new Map()
  const rest: Move[] = []
  for (const effect of effects) {
    // A caller acts with assets of its own.
    if (effect.values.caller !== undefined) continue
    const move = moveOf(effect, safeAddress)
    if (move?.kind === 'out') add(totals, move.token, move.value)
    else if (move) rest.push(move)
  }
  const out = [...totals.values()].map((total): Move => ({ kind: 'out', ...total }))
  return [...out, ...rest]
}

/** Returns null if the effect takes nothing from the Safe. */
function moveOf({ key, values }: Effect, safeAddress: string): Move | null {
  const { target = '', spender = '', token = target, from = safeAddress } = values
  const value = isUint(values.amount) ? BigInt(values.amount) : 0n
  const isFromSafe = isSameAddress(from, safeAddress)
  switch (key) {
    case 'native-transfer':
      return isUint(values.value) ? { kind: 'out', token: null, value: BigInt(values.value) } : null
    case 'erc20-transfer':
    case 'erc20-transfer-from':
    case 'token-burn':
      return isFromSafe ? { kind: 'out', token: target, value } : null
    case 'erc20-approve':
      return { kind: 'allowance', token, spender, value }
    case 'nft-transfer':
    case 'nft-batch-transfer':
      return isFromSafe ? { kind: 'item', collection: target } : null
    default:
      return null
  }
}

/** Effects whose sentence says all that leaves the Safe by them. */
const inSentences = new Set<Effect['key']>([
  'native-transfer',
  'erc20-transfer',
  'erc20-transfer-from',
  'erc20-approve',
  'erc20-allowance-change',
  'nft-transfer',
  'nft-batch-transfer',
  'nft-approve',
  'nft-approve-all',
  'token-burn',
  'owner-add',
  'owner-remove',
  'owner-swap',
  'threshold-change',
  'module-disable',
  'guard-remove',
  'cancel',
  'empty-call',
])

/** Whether the sum of the moves is everything: a contract that is called can move more than the call data says. */
export function isEverythingTold(effects: readonly Effect[]): boolean {
  return effects.every(({ key, values }) => inSentences.has(key) && values.caller === undefined)
}

type Totals = Map<string | undefined, { token: string | null; value: bigint }>

/** By address in any spelling; what is shown is the first one, with its checksum. */
function add(totals: Totals, token: string | null, value: bigint): void {
  const key = token?.toLowerCase()
  const before = totals.get(key)
  totals.set(key, { token: before?.token ?? token, value: (before?.value ?? 0n) + value })
}

function isUint(value: string | undefined): value is string {
  return value !== undefined && /^[0-9]{1,78}$/.test(value)
}
