import { createHash } from 'node:crypto'
import type { SafeAt } from '@countersign/e2e'
import { type Address, getAddress } from 'viem'
import { COMMON, RARE } from './stored.ts'

/** Lists of the wire format, by what they are called in the table: each filter where it finds much and where it finds little. */
export function wireLists({ chainId, safeAddress }: SafeAt, stored: number): [what: string, path: string][] {
  const base = `/tx-service/${chainId}/api`
  const transactions = [
    ['no filter', ''],
    ['executed', 'executed=true'],
    ['open, from a nonce on', 'executed=false&nonce__gte=0'],
    ['failed', 'failed=true'],
    ['not failed', 'failed=false'],
    ['with confirmations', 'has_confirmations=true'],
    ['without', 'has_confirmations=false'],
    ['one nonce', 'nonce=1000000500'],
    ['nonces from the first on', 'nonce__lt=1000000500'],
    ['recipient of half', `to=${addressOf(COMMON)}`],
    ['recipient of one in a thousand', `to=${addressOf(RARE)}`],
    ['recipient of none', `to=${addressOf('nobody')}`],
    ['value of half', 'value=0'],
    ['value of one', 'value=777'],
    ['value above that of half', 'value__gt=0'],
    ['value above that of all', `value__gt=${10n ** 30n}`],
    ['executed on the first day', 'execution_date__lte=2026-01-02'],
    ['executed after it', 'execution_date__gte=2026-01-02'],
    ['submitted on the first day', 'submission_date__lte=2026-01-02'],
    ['changed on the first day', 'modified__lte=2026-01-02'],
    ['ordered by nonce', 'ordering=nonce'],
    ['ordered by submission', 'ordering=-created'],
    ['ordered by last change', 'ordering=-modified'],
    ['of one Ethereum transaction', `transaction_hash=0x${digest('sent 5').toString('hex')}`],
    ['recipient of one in a thousand, failed', `to=${addressOf(RARE)}&failed=true`],
    ['from the 10,000th on', `offset=${Math.min(10_000, stored - 100)}`],
  ]
  const others = [
    ['all transactions', 'all-transactions/'],
    ['transfers', 'transfers/'],
    ['incoming transfers', 'incoming-transfers/'],
    ["modules' transactions", 'module-transactions/'],
    ['messages', 'messages/'],
    ['export', 'export/'],
  ]
  return [
    ...transactions.map(([what, query]): [string, string] => [
      `wire, ${what}`,
      `${base}/v2/safes/${safeAddress}/multisig-transactions/?${query}`,
    ]),
    ...others.map(([what, path]): [string, string] => [`wire, ${what}`, `${base}/v1/safes/${safeAddress}/${path}`]),
  ]
}

/** As `storeTransactions` makes them. */
function addressOf(name: string): Address {
  return getAddress(`0x${digest(name).subarray(0, 20).toString('hex')}`)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
