import { type Call, deploymentAt, describeCall, type SafeTx } from '@countersign/safe-core'
import type { Address } from 'viem'
import { showUntrusted } from '../text/untrusted.ts'
import { formatAmount } from '../ui/format-amount.ts'
import { currencyOf, isSame, type Names, tokenAt } from './names.ts'
import { text } from './text.ts'

/** Row of a list about a transaction: a few words, and the address that it concerns. */
export type Summary = { words: string; preposition: 'to' | 'at'; address: string; isForeignCode: boolean }

/** Summarises from the bytes alone; the page of the transaction reviews it. */
export function summarize(safeTx: SafeTx, safeAddress: Address, names: Names): Summary {
  const call = describeCall({ ...safeTx, safeAddress })
  if (call.operation === 1) return summarizeDelegatecall(call)
  const recipient = call.args.find(({ name }) => name === 'to' || name === 'spender')?.value ?? call.to
  const at = { preposition: 'at', address: call.to, isForeignCode: false } as const
  const to = { preposition: 'to', address: recipient, isForeignCode: false } as const
  switch (call.kind) {
    case 'native-transfer':
      return { ...to, words: text('summary.native-transfer', { amount: nativeAmount(call.value, names) }) }
    case 'erc20-transfer':
    case 'erc20-approve':
      return { ...to, words: text(`summary.${call.kind}`, { amount: tokenAmount(call, names) }) }
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return { ...to, words: text(`summary.${call.kind}`) }
    case 'safe-settings':
      return { ...at, words: text('summary.safe-settings', { name: functionName(call) }) }
    case 'empty':
      return { ...at, words: text(isSame(call.to, safeAddress) ? 'summary.empty.self' : 'summary.empty') }
    default:
      return {
        ...at,
        words: text(call.name ? 'summary.unknown' : 'summary.unknown.noName', { name: functionName(call) }),
      }
  }
}

function summarizeDelegatecall(call: Call): Summary {
  const kind = deploymentAt(call.to)?.kind
  const isBatch = call.kind === 'multi-send' && (kind === 'multi-send' || kind === 'multi-send-call-only')
  return {
    words: isBatch ? text('summary.multi-send', { count: call.calls?.length ?? 0 }) : text('summary.delegatecall'),
    preposition: 'at',
    address: call.to,
    isForeignCode: !isBatch,
  }
}

function functionName({ name }: Call): string {
  return name?.split('(')[0] ?? ''
}

function nativeAmount(value: bigint, { chain }: Names): string {
  const { decimals, symbol } = currencyOf(chain)
  return `${formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
}

function tokenAmount(call: Call, { chain }: Names): string {
  const amount = BigInt(call.args.find(({ name }) => name === 'amount')?.value ?? 0)
  const token = tokenAt(call.to, chain)
  if (!token) return `${formatAmount(amount, 0)} ${text('effect.baseUnits')}`
  return `${formatAmount(amount, token.decimals)} ${showUntrusted(token.symbol, 20)}`
}
