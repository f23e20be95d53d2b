import { type Address, type Hex, size } from 'viem'
import type { Finding } from '../../types.ts'
import { skeletonOf } from '../addresses/confusables.ts'
import { finding } from '../make-finding.ts'
import { isTransactionMessage } from './messages.ts'
import { reviewText } from './texts.ts'

const where = { field: 'message' } as const
const readable = { maxLength: 32_768, allowed: '\n\t' }

/** A text: what it hides, and whether it could be meant as bytes. */
export function reviewMessageText(text: string, safeTxHashes: readonly Hex[]): Finding[] {
  const findings = reviewText(text, 'high', where, {}, readable)
  const spelled = bytesSpelled(text)
  if (spelled !== null) {
    // A hash, to those who take it for bytes.
    const severity = size(spelled) === 32 ? 'high' : 'medium'
    findings.push(finding('MSG-HEX-AMBIGUOUS', severity, { bytes: size(spelled) }, where))
    // Wallets take such a text for the bytes that it spells.
    if (isTransactionMessage(spelled, safeTxHashes))
      findings.push(finding('MSG-IS-TX', 'critical', { message: text }, where))
  }
  return findings
}

/**
 * Words by which services take a signed text for an order: of layer 2s that move what is held there, of exchanges and
 * custodians, and of what derives a key from the signature. `urn:recap:` entitles whoever is named (ERC-5573).
 */
const ordering =
  /\b(?:transfer|withdraw|send|pay|swap|sell|bid|order|authori[sz]e|approve|allow|delegate|grant|permit|assign|entitle|link|change|register|derive|generate|unlock|recover|release|redeem|upgrade|mint|burn|move(?!s nothing\b)|convert|trade|buy|lend|loan|borrow|liquidat|(?:un)?stake|deposit|bridg|claim|settle|wire|appoint|nominat|replace|rotat|reset(?! after\b)|activat|enable|disable|remove|revoke|invit|white-?list|waive|accept (?:the |this )?(?:offer|invitation|bid|quote|request)|list (?:item|nft|token|lot|position)|close (?:my|the|this|position|all|everything)|give|gift|donat|hand(?:s|ed|ing)? over|enroll|pair(?=ing|ed)|renounc|forfeit|leverage|stop[ -]loss|margin (?:call|account)|custody|(?:set|add|new|replace) (?:owner|admin|signer|member|device)|as (?:owner|admin|signer|agent|proxy|treasurer)|ownership|beneficiar(?:y|ie)|trustee|holding|credential|recovery|key (?:request|derivation))(?:s|ed|d|e|es|al|als|ing|ion|ation|ments?)?\b|\b(?:public|private|signing|trading|encryption|session|api)[ -]?keys?\b|\bpub(?:lic)?key\b|\b(?:stark\w*|immutable(?: ?x)?|zksync|dydx)\b.{0,40}\b(?:key|account|onboarding)\b|\btrusted (?:client|site|app)|\bonly sign this\b|urn:recap:/gi
/** Stems of such words in the other languages of this product. */
const orderingElsewhere =
  /überweis|übertrag|auszahl|einzahl|verschieb|umtausch|abheb|bevollmächtig|autorisier|ermächtig|verkauf|abtret|transfier|transferenc|retir(?:ar|o)|autoriz|vend(?:er|o)|ced(?:er|o)|apoder|vire(?:r|ment)|transf[ée]r|retrait|autoris|vend(?:re|s)|procuration|mandat|déplac|échang|canje|schenk|\bdonn(?:e|er|ons|ez)\b|\bdonar|\bdon[oa]\b|regal(?:o|ar)|entreg|\bremett(?:re|ons|ez)\b|赠|送给|交给|给(?:他|她|你|您)|兑换|兌換|质押|質押|授权|授權|转账|轉帳|转移|轉移|提现|提領|出售|委托|委託|代理权/giu
/** Words of a language whose orders nobody here looks for: in letters that are neither Latin nor Chinese. */
const unread = /[^\P{L}\p{Script=Latin}\p{Script=Han}\p{Script=Common}\p{Script=Inherited}]{3,}/gu
/** Texts that a program reads: what they order stands in names and values, or in another writing. */
const forPrograms = /\{\s*"[^"\n]{1,40}"\s*:|(?:^|\s)[\w.-]+=[^\s&=]*(?:&[\w.-]+=[^\s&=]*)+|(?:%[\da-f]{2}){4,}/gi
/** Words that are written letter by letter. */
const spaced = /(?<!\S)\p{L}(?: \p{L}){3,}(?!\S)/gu
/** Labels with dots between them, and the ends of names. Each character is looked at once: a text may be long, and all dots. */
const labels = /[\p{L}\p{N}.-]+/gu
const endOfName = /\.eth(?![\w./-])/gi
/** An account, a key or a hash, however it is written. */
const keyLike = /(?:0x)?[0-9a-f]{40,}/gi
/** An account of another chain, or bytes: in base58, base32 or base64 no word has as many letters and digits. */
const coded = /[a-z\d]{40,}|(?<![^\s"'(])[\w+/=-]{40,}(?![^\s"'),.;])/gi
/** An account of Bitcoin in its old form. */
const bitcoin = /(?<![a-z\d])[13][a-km-zA-HJ-NP-Z1-9]{25,34}(?![a-z\d])/gi
/** An account at a bank (ISO 13616). */
const bank = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g
/** Numbers, and the unit that follows one of an amount. */
const numbers = /\d[\d.,]*/g
const unit =
  /\s?(?!(?:UTC|GMT|CES?T|[EP][SD]T|AM|PM)\b)(?:\$?[A-Z]{3,6}|Ξ|[gG]?[wW]ei|[eE](?:ther|uros?)|[dD]ollars?)\b/y
const MAX_NAMED = 8
const MAX_SHOWN = 80

/** A text that names other accounts or keys, or orders something: a service may do what it says by this signature alone. */
export function reviewInstructions(text: string, safeAddress: Address): Finding[] {
  // Said as what it is already.
  if (bytesSpelled(text) !== null) return []
  const own = safeAddress.slice(2).toLowerCase()
  const found = [...(text.match(keyLike) ?? []), ...codesIn(text)]
  const keys = found.filter((key) => key.toLowerCase().replace(/^0x/, '') !== own)
  const looks = text.split(/\s+/).map(skeletonOf).join(' ')
  const words = [...(text.match(ordering) ?? []), ...(looks.match(ordering) ?? [])]
  words.push(...(text.match(orderingElsewhere) ?? []), ...(text.match(unread) ?? []), ...(text.match(spaced) ?? []))
  words.push(...(text.match(forPrograms) ?? []).map((found) => found.trim().slice(0, MAX_SHOWN)))
  const named = [
    ...new Set([...keys, ...amountsIn(text), ...namesIn(text), ...words.map((word) => word.toLowerCase())]),
  ]
  if (named.length === 0) return []
  return [finding('MSG-INSTRUCTS', 'high', { named: named.slice(0, MAX_NAMED).join(', ') }, where)]
}

/** Accounts and bytes that are written in letters and digits. */
function codesIn(text: string): string[] {
  const isMixed = (code: string) => /\d/.test(code) && /[a-z]/i.test(code)
  const old = (text.match(bitcoin) ?? []).filter((code) => /[a-z]/.test(code) && /[A-Z]/.test(code))
  return [...(text.match(coded) ?? []).filter(isMixed), ...old, ...(text.match(bank) ?? [])]
}

/** Amounts with their units. */
function amountsIn(text: string): string[] {
  return [...text.matchAll(numbers)].flatMap(({ 0: number, index }) => {
    unit.lastIndex = index + number.length
    const found = unit.exec(text)
    // Digits that go on a word are none: of those behind a mark alone, the part behind it is.
    const own = /\w/.test(text[index - 1] ?? '') ? /[.,](\d.*)$/.exec(number)?.[1] : number
    return found && own !== undefined ? [own + found[0]] : []
  })
}

/** Names of the chain's registries, which stand for accounts. */
function namesIn(text: string): string[] {
  return [...text.matchAll(labels)].flatMap(({ 0: run, index }) => {
    const names: string[] = []
    let from = 0
    // The character behind the run decides, too, whether a name ends there.
    for (const end of (run + (text[index + run.length] ?? '')).matchAll(endOfName)) {
      const before = run.slice(from, end.index).split('.')
      const name = before.slice(before.lastIndexOf('') + 1).join('.')
      if (name !== '') names.push(`${name}.eth`)
      from = end.index + end[0].length
    }
    return names
  })
}

/** The bytes that a text spells. Some wallets do without the 0x where there are as many digits as in a hash or more. */
function bytesSpelled(text: string): Hex | null {
  const digits = text.trim().replace(/^0x/i, '').toLowerCase()
  const isMarked = digits.length < text.trim().length
  return (isMarked || digits.length >= 64) && /^(?:[0-9a-f]{2})+$/.test(digits) ? `0x${digits}` : null
}

/** Bytes that nobody can read: the approval of a transaction, or a hash of who knows what. */
export function reviewMessageBytes(bytes: Hex, safeTxHashes: readonly Hex[]): Finding[] {
  if (isTransactionMessage(bytes, safeTxHashes)) return [finding('MSG-IS-TX', 'critical', { message: bytes }, where)]
  // A contract asks about a hash of 32 bytes; nearly nothing asks about bytes of another length.
  return [finding('MSG-RAW-HASH', size(bytes) === 32 ? 'critical' : 'high', { message: bytes }, where)]
}
