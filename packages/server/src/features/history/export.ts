import type { HistoryEntry } from '@countersign/contract'
import { type Address, formatUnits } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { csvLine } from '../../csv.ts'
import type { Chain } from '../../rpc/clients.ts'
import { findNamesByOwners } from '../book/names.ts'
import { findHistory, type HistoryFilter } from './queries.ts'

const PAGE_SIZE = 1_000

const columns = [
  'time (UTC)',
  'after block',
  'block',
  'kind',
  'successful',
  'amount',
  'unit',
  'token',
  'token id',
  'counterparty',
  'counterparty name',
  'subject',
  'threshold',
  'nonce',
  'safeTxHash',
  'transaction hash',
]

/** The history as lines of CSV (RFC 4180), page by page: as long as it may be, it is never in memory whole. */
export async function* exportHistory(ctx: SignedInCtx, chain: Chain, filter: HistoryFilter): AsyncGenerator<string> {
  yield csvLine(columns)
  const names = await findNamesByOwners(ctx, filter)
  let cursor: string | undefined
  do {
    const page = await findHistory(ctx, { ...filter, cursor, limit: PAGE_SIZE })
    yield page.entries.map((entry) => csvLine(cells(entry, chain, names))).join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

function cells(
  entry: HistoryEntry,
  chain: Chain,
  names: ReadonlyMap<Address, string>,
): (string | number | bigint | boolean | null)[] {
  const { amount, unit } = measure(entry, chain)
  return [
    entry.blockTime,
    entry.afterBlock,
    entry.blockNumber,
    entry.kind,
    entry.isSuccessful,
    amount,
    unit,
    entry.token,
    entry.tokenId,
    entry.counterparty,
    (entry.counterparty && names.get(entry.counterparty)) ?? null,
    entry.subject,
    entry.threshold,
    entry.transaction?.safeTx?.nonce ?? null,
    entry.safeTxHash,
    entry.transactionHash,
  ]
}

/** Decimals and symbols of what the operator lists; of everything else the amount is in the smallest unit. */
function measure({ kind, amount, tokenKind, token }: HistoryEntry, { settings }: Chain) {
  if (kind === 'unexplained-nonce') return { amount, unit: 'transactions' }
  if (amount === null || tokenKind === null) return { amount: null, unit: null }
  const listed =
    tokenKind === 'native'
      ? (settings.nativeCurrency ?? { symbol: 'ETH', decimals: 18 })
      : settings.tokens?.find(({ address }) => address === token)
  if (listed) return { amount: formatUnits(amount, listed.decimals), unit: listed.symbol }
  return { amount, unit: tokenKind === 'erc20' ? 'smallest unit' : 'pieces' }
}
