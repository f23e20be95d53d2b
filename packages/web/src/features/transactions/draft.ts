import { erc20Abi, newSafeTx, type SafeTx } from '@countersign/safe-core'
import { type Address, encodeFunctionData, zeroAddress } from 'viem'
import { readAddress, tellAddressProblem } from '../../api/typed-address.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { parseAmount, parseNonce } from './amount.ts'
import { isSame } from './names.ts'
import { readTab, writeTab } from './tab-storage.ts'
import { text } from './text.ts'

/** What a person has typed so far. */
export type Draft = {
  /** `native`, the address of a listed token, or `other`. */
  asset: string
  tokenAddress: string
  recipient: string
  amount: string
  /** Null follows the next free one. */
  nonce: string | null
  origin: string
}

export const emptyDraft: Draft = {
  asset: 'native',
  tokenAddress: '',
  recipient: '',
  amount: '',
  nonce: null,
  origin: '',
}

/** What is sent: the chain's coin, or a token whose decimals are known. */
export type Asset = { address: Address | null; symbol: string; decimals: number }

export type DraftErrors = Partial<Record<'asset' | 'recipient' | 'amount' | 'nonce' | 'origin', string>>
export type ReadDraft = { ok: true; safeTx: SafeTx; origin: string | null } | { ok: false; errors: DraftErrors }

export const MAX_ORIGIN = 200

/** Reads a draft into the transaction that it means, or says for each field what is wrong. */
export function readDraft(
  draft: Draft,
  facts: { asset: Asset | null; safeAddress: Address; safeNonce: bigint; nextNonce: bigint },
): ReadDraft {
  const errors: DraftErrors = {}
  const recipient = readAddress(draft.recipient)
  if (!recipient.ok) errors.recipient = tellAddressProblem(recipient.problem, draft.recipient)
  else if (recipient.address === zeroAddress) errors.recipient = text('propose.recipient.zero')
  else if (facts.asset?.address && isSame(recipient.address, facts.asset.address))
    errors.recipient = text('propose.recipient.token')
  else if (isSame(recipient.address, facts.safeAddress)) errors.recipient = text('propose.recipient.self')
  if (!facts.asset) errors.asset = tellTokenProblem(draft)
  const amount = parseAmount(draft.amount, facts.asset?.decimals ?? 18)
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
  if (Object.keys(errors).length > 0 || !recipient.ok || !amount.ok || nonce === null || !facts.asset)
    return { ok: false, errors }
  return {
    ok: true,
    safeTx: transferOf(facts.asset, recipient.address, amount.value, nonce),
    origin: origin === '' ? null : origin,
  }
}

function tellTokenProblem({ asset, tokenAddress }: Draft): string {
  const read = readAddress(tokenAddress)
  return asset === 'other' && !read.ok
    ? tellAddressProblem(read.problem, tokenAddress)
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
    ['asset', 'tokenAddress', 'recipient', 'amount', 'origin'].every((name) => typeof kept[name] === 'string') &&
    (kept.nonce === null || typeof kept.nonce === 'string')
  )
}
