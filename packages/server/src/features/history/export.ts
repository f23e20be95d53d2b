import type { HistoryEntry, Price } from '@countersign/contract'
import { valueByPrice } from '@countersign/safe'
import { type Address, formatUnits } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { csvLine } from '../../csv.ts'
import type { KeptPrices } from '../../prices/keep-prices.ts'
import type { Chain } from '../../rpc/clients.ts'
import type { TokenLists } from '../../token-lists/keep-token-lists.ts'
import { findNamesByOwners } from '../book/names.ts'
import { findHistory, type HistoryFilter } from './queries.ts'

const PAGE_SIZE = 1_000

const ownColumns = [
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
] as const

const executionColumns = [
  'note',
  'proposer',
  'proposer name',
  'signers',
  'signer names',
  'executor',
  'executor name',
  'fee',
  'fee unit',
] as const

const columns = [...ownColumns, ...executionColumns]

/** There where the operator names sources of prices. */
const priceColumns = ['value', 'currency', 'price', 'price at (UTC)', 'price by'] as const

/** Answers of contracts that one download reads; later lines have values of other sources, or none. */
const MAX_READS = 10_000

/** The history as lines of CSV (RFC 4180), page by page: as long as it may be, it is never in memory whole. */
export async function* exportHistory(ctx: SignedInCtx, chain: Chain, filter: HistoryFilter): AsyncGenerator<string> {
  const { currency } = ctx.prices
  yield csvLine(currency === null ? columns : [...columns, ...priceColumns])
  const names = await findNamesByOwners(ctx, filter)
  let cursor: string | undefined
  let reads = MAX_READS
  do {
    const page = await findHistory(ctx, { ...filter, cursor, limit: PAGE_SIZE })
    const prices = currency === null ? [] : await pricesOf(page.entries, chain, ctx.prices, reads)
    reads = Math.max(0, reads - page.entries.length)
    yield page.entries
      .map((entry, at) => {
        const own = cells(entry, chain, names, ctx.tokenLists)
        return csvLine(currency === null ? own : [...own, ...valueCells(entry, prices[at], chain, ctx)])
      })
      .join('')
    cursor = page.nextCursor ?? undefined
  } while (cursor)
}

function cells(
  entry: HistoryEntry,
  chain: Chain,
  names: ReadonlyMap<Address, string>,
  lists: TokenLists,
): (string | number | bigint | boolean | null)[] {
  const { amount, unit } = measure(entry, chain, lists)
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
    ...cellsOfExecution(entry, chain, names),
  ]
}

/** Finds what the assets of these entries cost at their time; null where an entry has none. */
async function pricesOf(entries: readonly HistoryEntry[], chain: Chain, prices: KeptPrices, reads: number) {
  const priced = entries.flatMap(({ tokenKind, token, amount, blockNumber, blockTime }, at) => {
    const asset = tokenKind === 'native' ? tokenKind : tokenKind === 'erc20' ? token : null
    return asset && amount !== null ? [{ at, token: asset, blockNumber, time: new Date(blockTime) }] : []
  })
  const found = await prices.past(chain, priced, reads)
  const byEntry = new Map(priced.map(({ at }, index) => [at, found[index] ?? null]))
  return entries.map((_, at) => byEntry.get(at) ?? null)
}

/** Value as the amount is: outgoing ones are negative. All are empty where nobody says what it cost then. */
function valueCells(
  { kind, amount, tokenKind, token }: HistoryEntry,
  price: Price | null | undefined,
  chain: Chain,
  { tokenLists, prices }: Pick<SignedInCtx, 'tokenLists' | 'prices'>,
): (string | null)[] {
  const asset = tokenKind === 'native' ? coinOf(chain) : token && tokenLists.at(chain.settings.chainId, token)
  const value = price && asset && amount !== null ? valueByPrice(amount, asset.decimals, price.price) : null
  if (!price || value === null) return priceColumns.map(() => null)
  const isOut = kind === 'transfer-out' || kind === 'unexplained-out'
  const { kind: by, name } = price.source
  const written = `${isOut ? '-' : ''}${value / 100n}.${String(value % 100n).padStart(2, '0')}`
  return [written, prices.currency, price.price, price.at, `${by} ${name}`]
}

/** Proposer, signers, executor and fee: on the line of the execution alone. */
function cellsOfExecution(
  { kind, transaction }: HistoryEntry,
  chain: Chain,
  names: ReadonlyMap<Address, string>,
): (string | null)[] {
  if (kind !== 'executed' || transaction === null) return executionColumns.map(() => null)
  const { origin, proposer, confirmations, executor, fee } = transaction
  const { decimals, symbol } = coinOf(chain)
  const nameOf = (address: Address | null) => (address && names.get(address)) ?? null
  const signers = confirmations.map(({ owner }) => owner)
  return [
    origin,
    proposer,
    nameOf(proposer),
    signers.join(' '),
    signers.flatMap((owner) => nameOf(owner) ?? []).join('; '),
    executor,
    nameOf(executor),
    fee === null ? null : formatUnits(fee, decimals),
    fee === null ? null : symbol,
  ]
}

function coinOf({ settings }: Chain): { symbol: string; decimals: number } {
  return settings.nativeCurrency ?? { symbol: 'ETH', decimals: 18 }
}

/** Outgoing amounts are negative. Listed tokens are in their own unit, others in the smallest. */
function measure({ kind, amount: size, tokenKind, token }: HistoryEntry, chain: Chain, lists: TokenLists) {
  const isOut = kind === 'transfer-out' || kind === 'unexplained-out'
  const amount = isOut && size !== null ? -size : size
  if (kind === 'unexplained-nonce') return { amount, unit: 'transactions' }
  if (amount === null || tokenKind === null) return { amount: null, unit: null }
  const listed = tokenKind === 'native' ? coinOf(chain) : token && lists.at(chain.settings.chainId, token)
  if (listed) return { amount: formatUnits(amount, listed.decimals), unit: listed.symbol }
  return { amount, unit: tokenKind === 'erc20' ? 'smallest unit' : 'pieces' }
}
