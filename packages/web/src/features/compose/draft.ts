import { erc20Abi, newSafeTx, type SafeTx } from '@countersign/safe-core'
import { type Address, encodeFunctionData, type Hex, isHex, size, zeroAddress } from 'viem'
import { parseAmount, parseNonce } from '../../review/amount.ts'
import { isSame } from '../../review/names.ts'
import { readTab, writeTab } from '../../review/tab-storage.ts'
import { text } from '../../review/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { addressProblemText, parseAddress } from '../../ui/typed-address.ts'

/** Fields as a person has typed them so far. */
export type Draft = {
  /** `call`: the recipient is called with `data`, and the amount is of the chain's coin. */
  kind: 'transfer' | 'call'
  /** `native`, the address of a listed token, or `other`. */
  asset: string
  tokenAddress: string
  recipient: string
  amount: string
  data: string
  /** Null follows the next free one. */
  nonce: string | null
  origin: string
}

export const emptyDraft: Draft = {
  kind: 'transfer',
  asset: 'native',
  tokenAddress: '',
  recipient: '',
  amount: '',
  data: '',
  nonce: null,
  origin: '',
}

/** Asset to send: the chain's coin, or a token whose decimals are known. */
export type Asset = { address: Address | null; symbol: string; decimals: number }

export type DraftErrors = Partial<Record<'asset' | 'recipient' | 'amount' | 'data' | 'nonce' | 'origin', string>>
export type ParsedDraft = { ok: true; safeTx: SafeTx; origin: string | null } | { ok: false; errors: DraftErrors }

export const MAX_ORIGIN = 200

/** Reads a draft into the transaction that it means, or says for each field what is wrong. */
export function parseDraft(
  draft: Draft,
  facts: { asset: Asset | null; safeAddress: Address; safeNonce: bigint; nextNonce: bigint },
): ParsedDraft {
  const errors: DraftErrors = {}
  const recipient = parseAddress(draft.recipient)
  const isCall = draft.kind === 'call'
  if (!recipient.ok) errors.recipient = addressProblemText(recipient.problem, draft.recipient)
  else if (recipient.address === zeroAddress) errors.recipient = text('propose.recipient.zero')
  else if (facts.asset?.address && isSame(recipient.address, facts.asset.address))
    errors.recipient = text('propose.recipient.token')
  else if (!isCall && isSame(recipient.address, facts.safeAddress)) errors.recipient = text('propose.recipient.self')
  if (!facts.asset) errors.asset = tokenProblemText(draft)
  // A call sends nothing unless it says so.
  const sendsNothing = isCall && /^[0.\s]*$/.test(draft.amount)
  const data = isCall ? parseData(draft.data) : '0x'
  if (data === null) errors.data = text('propose.data.malformed')
  else if (sendsNothing && data === '0x') errors.data = text('propose.data.empty')
  const amount = sendsNothing
    ? ({ ok: true, value: 0n } as const)
    : parseAmount(draft.amount, facts.asset?.decimals ?? 18)
  if (!amount.ok)
    errors.amount = text(`field.amount.${amount.problem}`, {
      typed: showUntrusted(draft.amount.trim(), 60),
      symbol: showUntrusted(facts.asset?.symbol ?? '', 20),
      decimals: facts.asset?.decimals ?? 18,
    })
  const nonce = draft.nonce === null ? facts.nextNonce : parseNonce(draft.nonce)
  if (nonce === null) errors.nonce = text('field.nonce.not-a-number')
  else if (nonce < facts.safeNonce) errors.nonce = text('field.nonce.past', { nonce, safeNonce: facts.safeNonce })
  const origin = draft.origin.trim()
  if (origin.length > MAX_ORIGIN) errors.origin = text('field.origin.too-long', { count: origin.length })
  if (Object.keys(errors).length > 0 || !recipient.ok || !amount.ok || data === null || nonce === null || !facts.asset)
    return { ok: false, errors }
  return {
    ok: true,
    safeTx: isCall
      ? newSafeTx({ to: recipient.address, value: amount.value, data, nonce })
      : transferOf(facts.asset, recipient.address, amount.value, nonce),
    origin: origin === '' ? null : origin,
  }
}

const MAX_DATA_BYTES = 131_072

/** Call data as it was pasted; null when it is none. */
function parseData(typed: string): Hex | null {
  const data = typed.trim().toLowerCase() || '0x'
  return isHex(data) && data.length % 2 === 0 && size(data) <= MAX_DATA_BYTES ? data : null
}

function tokenProblemText({ asset, tokenAddress }: Draft): string {
  const read = parseAddress(tokenAddress)
  return asset === 'other' && !read.ok
    ? addressProblemText(read.problem, tokenAddress)
    : text('propose.tokenAddress.none')
}

function transferOf(asset: Asset, recipient: Address, value: bigint, nonce: bigint): SafeTx {
  if (asset.address === null) return newSafeTx({ to: recipient, value, nonce })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, value] })
  return newSafeTx({ to: asset.address, data, nonce })
}

function draftKey(chainId: number, safeAddress: Address): string {
  return `countersign.draft.${chainId}.${safeAddress}`
}

/** The draft of this tab: it outlives an expired session and a reload. */
export function loadDraft(chainId: number, safeAddress: Address): Draft | null {
  try {
    const kept: unknown = JSON.parse(readTab(draftKey(chainId, safeAddress)) ?? 'null')
    return isDraft(kept) ? kept : null
  } catch {
    return null
  }
}

export function keepDraft(chainId: number, safeAddress: Address, draft: Draft | null): void {
  writeTab(draftKey(chainId, safeAddress), draft === null ? null : JSON.stringify(draft))
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const kept: Record<string, unknown> = { ...value }
  return (
    (kept.kind === 'transfer' || kept.kind === 'call') &&
    ['asset', 'tokenAddress', 'recipient', 'amount', 'data', 'origin'].every(
      (name) => typeof kept[name] === 'string',
    ) &&
    (kept.nonce === null || typeof kept.nonce === 'string')
  )
}
