import { fail } from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddress, isHex, pad, size, toHex } from 'viem'
import {
  type ApprovalLeft,
  type AssetChange,
  type DeclaredEffects,
  type DeclaredSlot,
  type EffectPart,
  type Effects,
  effectLimits,
  effectParts,
} from './declared-effects.ts'

/** Characters of a file; those of large upgrades have some hundred thousand. */
export const MAX_EFFECTS_FILE = 1_000_000

/** The transaction that a file is to be for: files of others name the two halves of its hash alone. */
export type EffectsFilePlace = {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  domainHash: Hex
  messageHash: Hex
}

/** Effects that a file names, whoever wrote it; signed, when it is a copy of a declaration. */
export type EffectsFile = { effects: Effects; declared: DeclaredEffects | null }

type Wire = Record<string, unknown>

/**
 * Writes effects as JSON in the form of Base's validation files, which its task-signing-tool reads. Under `countersign` all
 * of it stands once more in the form that is signed: the other form knows slots, and of balances the coin of one account.
 *
 * @param balance - of the Safe in wei; null where it was not read
 * @example
 * download(writeEffectsJson({ chainId, safeAddress, ...hashes }, effects, { balance, rpcUrl }))
 */
export function writeEffectsJson(
  { chainId, safeAddress, safeTxHash, domainHash, messageHash }: EffectsFilePlace,
  effects: Effects & Partial<DeclaredEffects>,
  { balance, rpcUrl }: { balance: bigint | null; rpcUrl: string },
): string {
  const { covers, assets, approvals, slots, author, signature } = effects
  const accounts = [...new Set(slots.map(({ account }) => account))]
  const item = (line: AssetChange | ApprovalLeft) => ({
    ...line,
    tokenId: line.tokenId === null ? null : String(line.tokenId),
    amount: String(line.amount),
  })
  const file = {
    cmd: '',
    ledgerId: 0,
    rpcUrl,
    expectedDomainAndMessageHashes: { address: safeAddress, domainHash, messageHash },
    stateOverrides: [],
    stateChanges: accounts.map((address) => ({
      name: address === safeAddress ? 'Safe' : address,
      address,
      changes: slots
        .filter(({ account }) => account === address)
        .map(({ slot: key, before, after, mayDiffer = false }) => {
          return { key, before, after, description: '', allowDifference: mayDiffer }
        }),
    })),
    balanceChanges: balance === null ? [] : coinOf(safeAddress, assets, balance),
    countersign: {
      version: 1,
      chainId,
      safeTxHash,
      covers,
      slots,
      assets: assets.map(item),
      approvals: approvals.map(item),
      ...(author && signature ? { author, signature } : {}),
    },
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

/** The Safe's own coin, before and after. */
function coinOf(address: Address, assets: readonly AssetChange[], balance: bigint) {
  const change = assets.find(({ account, token }) => account === address && BigInt(token) === 0n)
  if (!change) return []
  const after = change.isOut ? balance - change.amount : balance + change.amount
  if (after < 0n) return []
  const [before, now] = [balance, after].map((value) => toHex(value, { size: 32 }))
  return [
    { name: 'Safe', address, field: 'ETH balance (wei)', before, after: now, description: '', allowDifference: false },
  ]
}

/**
 * Reads effects from JSON: a file of ours, or one of Base's validation files, of which state changes count.
 *
 * @throws CountersignError `EFFECTS_FILE_INVALID` naming the entry at fault, also when it is for another transaction
 */
export function parseEffectsJson(text: string, place: EffectsFilePlace): EffectsFile {
  requireLength(text)
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw fail('EFFECTS_FILE_INVALID', { reason: 'json' })
  }
  const own = isWire(file) && Object.hasOwn(file, 'countersign') ? file.countersign : undefined
  return own === undefined ? parseBase(object(file, 'file'), place) : parseOwn(object(own, 'countersign'), place)
}

function parseOwn(own: Wire, place: EffectsFilePlace): EffectsFile {
  if (own.version !== 1) throw invalid('countersign.version', own.version)
  const safeTxHash = word(own.safeTxHash, 'countersign.safeTxHash')
  if (safeTxHash !== place.safeTxHash.toLowerCase() || own.chainId !== place.chainId) throw isForOther(safeTxHash)
  const covers = list(own.covers, 'covers').map((part, at) => {
    if (!isPart(part)) throw invalid(`covers.${at}`, part)
    return part
  })
  const effects = limited({
    covers: effectParts.filter((part) => covers.includes(part)),
    assets: list(own.assets, 'assets').map((item, at) => parseAsset(object(item, `assets.${at}`), `assets.${at}`)),
    approvals: list(own.approvals, 'approvals').map((item, at) =>
      parseApproval(object(item, `approvals.${at}`), `approvals.${at}`),
    ),
    slots: list(own.slots, 'slots').map((item, at) => {
      const { account, slot, before, after, mayDiffer } = object(item, `slots.${at}`)
      const change = { key: slot, before, after, allowDifference: mayDiffer }
      return parseSlot(address(account, `slots.${at}.account`), change, `slots.${at}`)
    }),
  })
  const { author, signature } = own
  if (author === undefined || signature === undefined) return { effects, declared: null }
  if (!isHex(signature) || size(signature) > 65) throw invalid('countersign.signature', signature)
  return { effects, declared: { ...effects, version: 1, author: address(author, 'countersign.author'), signature } }
}

function parseAsset(wire: Wire, at: string): AssetChange {
  if (typeof wire.isOut !== 'boolean') throw invalid(`${at}.isOut`, wire.isOut)
  return {
    account: address(wire.account, `${at}.account`),
    token: address(wire.token, `${at}.token`),
    tokenId: wire.tokenId === null ? null : uint(wire.tokenId, `${at}.tokenId`),
    isOut: wire.isOut,
    amount: uint(wire.amount, `${at}.amount`),
  }
}

function parseApproval(wire: Wire, at: string): ApprovalLeft {
  return {
    owner: address(wire.owner, `${at}.owner`),
    token: address(wire.token, `${at}.token`),
    spender: address(wire.spender, `${at}.spender`),
    tokenId: wire.tokenId === null ? null : uint(wire.tokenId, `${at}.tokenId`),
    amount: uint(wire.amount, `${at}.amount`),
  }
}

function parseBase(file: Wire, { domainHash, messageHash }: EffectsFilePlace): EffectsFile {
  // Older files have the same names in snake_case.
  const hashes = object(file.expectedDomainAndMessageHashes ?? file.expected_domain_and_message_hashes, 'hashes')
  const message = word(hashes.messageHash ?? hashes.message_hash, 'messageHash')
  const domain = word(hashes.domainHash ?? hashes.domain_hash, 'domainHash')
  if (message !== messageHash.toLowerCase() || domain !== domainHash.toLowerCase()) throw isForOther(message)
  const slots = list(file.stateChanges ?? file.state_changes, 'stateChanges').flatMap((item, at) => {
    const changed = object(item, `stateChanges.${at}`)
    const account = address(changed.address, `stateChanges.${at}.address`)
    return list(changed.changes, `stateChanges.${at}.changes`).map((change, index) => {
      const place = `stateChanges.${at}.changes.${index}`
      const wire = object(change, place)
      return parseSlot(account, { allowDifference: wire.allow_difference, ...wire }, place)
    })
  })
  return { effects: ofSlots(slots), declared: null }
}

function parseSlot(account: Address, { key, before, after, allowDifference }: Wire, at: string): DeclaredSlot {
  if (allowDifference !== undefined && typeof allowDifference !== 'boolean')
    throw invalid(`${at}.allowDifference`, allowDifference)
  return {
    account,
    slot: word(key, `${at}.key`),
    before: word(before, `${at}.before`),
    after: word(after, `${at}.after`),
    ...(allowDifference ? { mayDiffer: true } : {}),
  }
}

/** Effects of a form that knows slots alone. */
export function ofSlots(slots: DeclaredSlot[]): Effects {
  if (slots.length === 0) throw fail('EFFECTS_FILE_INVALID', { reason: 'empty' })
  return limited({ covers: ['slots'], assets: [], approvals: [], slots })
}

/** @throws CountersignError `EFFECTS_FILE_INVALID` */
export function requireLength(text: string): void {
  if (text.length > MAX_EFFECTS_FILE)
    throw fail('EFFECTS_FILE_INVALID', { reason: 'long', count: text.length, limit: MAX_EFFECTS_FILE })
}

/** The error of a file that was written for another transaction. */
export function isForOther(hash: string) {
  return fail('EFFECTS_FILE_INVALID', { reason: 'other', hash })
}

function limited(effects: Effects): Effects {
  for (const part of ['assets', 'approvals', 'slots'] as const) {
    const { length: count } = effects[part]
    if (count > effectLimits[part])
      throw fail('EFFECTS_FILE_INVALID', { reason: 'many', field: part, count, limit: effectLimits[part] })
  }
  return effects
}

function invalid(field: string, value: unknown) {
  const shown = typeof value === 'string' ? value.slice(0, 80) : typeof value
  return fail('EFFECTS_FILE_INVALID', { reason: 'field', field, value: shown })
}

function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function object(value: unknown, field: string): Wire {
  if (!isWire(value)) throw invalid(field, value)
  return value
}

function list(value: unknown, field: string): unknown[] {
  if (!Array.isArray(value)) throw invalid(field, value)
  return value
}

function isPart(value: unknown): value is EffectPart {
  return effectParts.some((part) => part === value)
}

function address(value: unknown, field: string): Address {
  if (typeof value !== 'string' || !isAddress(value)) throw invalid(field, value)
  return getAddress(value)
}

function uint(value: unknown, field: string): bigint {
  if (typeof value !== 'string' || !/^[0-9]{1,78}$/.test(value) || BigInt(value) >= 2n ** 256n)
    throw invalid(field, value)
  return BigInt(value)
}

function word(value: unknown, field: string): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value)) throw invalid(field, value)
  return pad(value.toLowerCase() as Hex)
}
