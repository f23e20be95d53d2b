import { fail } from '@countersign/safe'
import { type Address, getAddress, type Hex, pad, toHex } from 'viem'
import { approvalLine, assetLine } from './compare-effects.ts'
import type { DeclaredSlot, Effects } from './declared-effects.ts'
import { type EffectsFile, type EffectsFilePlace, isForOther, ofSlots, requireLength } from './effects-file.ts'

/**
 * Writes effects as Markdown in the form of the validation files that the teams of the Superchain keep: domain and message
 * hash, then each slot by contract with its value before and after.
 *
 * @example
 * download(writeEffectsMarkdown({ chainId, safeAddress, ...hashes }, effects))
 */
export function writeEffectsMarkdown(
  { chainId, safeAddress, safeTxHash, domainHash, messageHash }: EffectsFilePlace,
  { assets, approvals, slots }: Effects,
): string {
  const accounts = [...new Set(slots.map(({ account }) => account))]
  const lines = [
    '# Validation',
    '',
    '## Expected Domain and Message Hashes',
    '',
    `> ### Safe (\`${safeAddress}\`) - Chain ID: ${chainId}`,
    '>',
    `> - Domain Hash: \`${domainHash}\``,
    `> - Message Hash: \`${messageHash}\``,
    `> - Safe Transaction Hash: \`${safeTxHash}\``,
    '',
    '## State Overrides',
    '',
    'None.',
    '',
    '## Task State Changes',
    ...accounts.flatMap((account) => [
      '',
      `### \`${account}\`${account === safeAddress ? ' (Safe)' : ''} - Chain ID: ${chainId}`,
      ...slots.filter((slot) => slot.account === account).flatMap(slotLines),
    ]),
    ...listOf('Asset Changes', assets.map(assetLine)),
    ...listOf('Approvals', approvals.map(approvalLine)),
  ]
  return `${lines.join('\n')}\n`
}

function slotLines({ slot, before, after, mayDiffer }: DeclaredSlot): string[] {
  return [
    '',
    `- **Key:** \`${slot}\``,
    `  - **Before:** \`${before}\``,
    `  - **After:** \`${after}\``,
    ...(mayDiffer ? ['  - **Allow Difference:** `true`'] : []),
  ]
}

function listOf(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines.map((line) => `- \`${line}\``)]
}

const heading = /^#{1,6}\s+(.*)$/
const hashLine = /\b(domain|message) hash:?\**:?\s*`(0x[0-9a-f]{64})`/i
/** A value may be the text of a link. Balances have no slot: they are left out, with what stands below them. */
const fieldLine =
  /\*\*(raw slot|key|raw old value|before|raw new value|after|allow difference|balance):?\*\*:?\s*(?:\[?`([^`]{1,200})`)?/i
/** Fields as a simulation prints them: without marks, links as HTML. */
const plainLine = /^(who|raw slot|raw old value|raw new value):\s+(\S.{0,999})$/i

type Entry = {
  line: number
  account: Address
  slot: Hex
  before: Hex | null
  after: Hex | null
  mayDiffer?: boolean
}

/**
 * Reads the state changes of a validation file. What it says under *overrides* is about a rehearsal and is left out.
 *
 * @throws CountersignError `EFFECTS_FILE_INVALID` naming the line at fault, also when it is for another transaction
 */
export function parseEffectsMarkdown(text: string, place: EffectsFilePlace): EffectsFile {
  requireLength(text)
  const lines = text.split('\n').map(readLine)
  const entries = entriesOf(lines)
  requirePlace(lines, place)
  return { effects: ofSlots(entries.map(toSlot)), declared: null }
}

/** A heading, or what else a line holds. */
type Line = { title: string } | { title: null; hash: HashHalf | null; field: { name: string; value: string } | null }
type HashHalf = { half: 'domain' | 'message'; hash: string }

function readLine(raw: string): Line {
  const line = raw
    .slice(0, 2_000)
    .replace(/^[>\s]+/, '')
    .trimEnd()
  const [, title] = heading.exec(line) ?? []
  if (title !== undefined) return { title }
  const [, half, hash] = hashLine.exec(line) ?? []
  const [, name, value = ''] = plainField(line) ?? fieldLine.exec(line) ?? []
  return {
    title: null,
    hash: half && hash ? { half: half.toLowerCase() === 'domain' ? 'domain' : 'message', hash } : null,
    field: name ? { name: name.toLowerCase(), value } : null,
  }
}

/** The fields below each contract, in the parts of the file that list changes of the state. */
function entriesOf(lines: readonly Line[]): Entry[] {
  const entries: Entry[] = []
  let isChanges = false
  let account: Address | null = null
  let isBalance = false
  for (const [index, line] of lines.entries()) {
    if (line.title !== null) {
      account = addressIn(line.title)
      isChanges = listsChanges(line.title) ?? isChanges
      continue
    }
    if (line.field === null) continue
    const { name, value } = line.field
    if (name === 'who') {
      account = addressIn(value)
      continue
    }
    isBalance = name === 'balance' || (isBalance && name !== 'key' && name !== 'raw slot')
    if (isChanges && account && value && !isBalance) parseField(entries, { account, name, value, line: index + 1 })
  }
  return entries
}

/** Whether a part of the file lists changes of the state; null for a heading inside such a part. */
function listsChanges(title: string): boolean | null {
  if (/overrides/i.test(title)) return false
  return /state (?:changes|validations|diffs?)/i.test(title) ? true : null
}

/** Throws if the domain hash, or the message hash below it, is not that of this transaction. */
function requirePlace(lines: readonly Line[], { domainHash, messageHash }: EffectsFilePlace): void {
  const halves = lines.flatMap((line) => (line.title === null ? (line.hash ?? []) : []))
  let domain = ''
  for (const { half, hash } of halves) {
    if (half === 'domain') domain = hash.toLowerCase()
    else if (domain === domainHash.toLowerCase() && hash.toLowerCase() === messageHash.toLowerCase()) return
  }
  throw isForOther(halves.find(({ half }) => half === 'message')?.hash ?? '')
}

/** Name and value of a printed field, without the link around it. */
function plainField(line: string): [string, string, string] | null {
  const [whole, name, rest] = plainLine.exec(line) ?? []
  if (whole === undefined || name === undefined || rest === undefined) return null
  return [whole, name, rest.replaceAll(/<[^<>]*>/g, '').trim()]
}

type Field = { account: Address; name: string; value: string; line: number }

function parseField(entries: Entry[], { account, name, value, line }: Field): void {
  if (name === 'key' || name === 'raw slot') {
    if (!/^0x[0-9a-f]{64}$/i.test(value)) throw invalidLine(line, value)
    entries.push({ line, account, slot: pad(value.toLowerCase() as Hex), before: null, after: null })
    return
  }
  const entry = entries.at(-1)
  if (!entry || entry.account !== account) throw invalidLine(line, value)
  if (name === 'allow difference') {
    if (!/^(?:true|false)$/i.test(value) || entry.mayDiffer !== undefined) throw invalidLine(line, value)
    entry.mayDiffer = value.toLowerCase() === 'true'
    return
  }
  const which = name === 'before' || name === 'raw old value' ? 'before' : 'after'
  if (entry[which] !== null) throw invalidLine(line, value)
  entry[which] = parseValue(value, line)
}

/** A word of storage: as such, or as a number, an address or a truth that fills it. */
function parseValue(value: string, line: number): Hex {
  const text = value.trim().toLowerCase()
  if (/^0x[0-9a-f]{1,64}$/.test(text))
    return pad(text.length % 2 === 0 ? (text as Hex) : (`0x0${text.slice(2)}` as Hex))
  if (/^[0-9]{1,78}$/.test(text) && BigInt(text) < 2n ** 256n) return toHex(BigInt(text), { size: 32 })
  if (text === 'true' || text === 'false') return toHex(text === 'true', { size: 32 })
  throw invalidLine(line, value)
}

function toSlot({ line, account, slot, before, after, mayDiffer }: Entry): DeclaredSlot {
  if (before === null || after === null) throw invalidLine(line, slot)
  return { account, slot, before, after, ...(mayDiffer ? { mayDiffer } : {}) }
}

/** The contract that a heading names. */
function addressIn(title: string): Address | null {
  const [found] = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/.exec(title) ?? []
  return found === undefined ? null : getAddress(found)
}

function invalidLine(line: number, value: string) {
  return fail('EFFECTS_FILE_INVALID', { reason: 'line', line, value: value.slice(0, 80) })
}
