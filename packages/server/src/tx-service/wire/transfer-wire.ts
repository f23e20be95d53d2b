import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { historyEntry as entry } from '../../db/schema.ts'
import type { Call } from './service.ts'
import { findTokenInfos, type TokenInfo } from './token-info.ts'
import { toDate } from './values.ts'

type Row = typeof entry.$inferSelect

/** Readers of this wire know no other kinds of tokens: a page with one is refused as a whole. */
const isKnownKind = sql`${entry.tokenKind} in ('native', 'erc20', 'erc721') and ${entry.transactionHash} is not null`

/** Transfers that came to a Safe, on this wire. */
export const isIncoming = sql`${entry.kind} = 'transfer-in' and ${isKnownKind}`

/** Transfers on this wire. A Safe that sends to itself has two entries of a transfer: the incoming one counts. */
export const isTransfer = sql`(${entry.kind} = 'transfer-in' or
  (${entry.kind} = 'transfer-out' and ${entry.counterparty} <> ${entry.safeAddress})) and ${isKnownKind}`

export type Transfer = {
  type: (typeof types)[keyof typeof types]
  executionDate: string
  blockNumber: number
  transactionHash: Hex | null
  to: Address | null
  value: string | null
  tokenId: string | null
  tokenAddress: Address | null
  transferId: string
  tokenInfo: TokenInfo | null
  from: Address | null
}

const types = {
  native: 'ETHER_TRANSFER',
  erc20: 'ERC20_TRANSFER',
  erc721: 'ERC721_TRANSFER',
} as const
type KnownKind = keyof typeof types

/** Transfers as this wire writes them, with what is known of their tokens. */
export async function toTransfers(call: Pick<Call, 'chain' | 'deps'>, rows: readonly Row[]): Promise<Transfer[]> {
  const tokens = await findTokenInfos(
    call,
    rows.flatMap(({ token, tokenKind }) =>
      token && (tokenKind === 'erc20' || tokenKind === 'erc721') ? [{ address: token, kind: tokenKind }] : [],
    ),
  )
  return rows.map((row) => toTransfer(row, tokens))
}

/** Converts a row that is a transfer: see {@link isTransfer}. */
function toTransfer(row: Row, tokens: ReadonlyMap<Address, TokenInfo>): Transfer {
  const isIncoming = row.kind === 'transfer-in'
  return {
    type: types[row.tokenKind as KnownKind],
    executionDate: toDate(row.blockTime),
    blockNumber: row.blockNumber,
    transactionHash: row.transactionHash,
    to: isIncoming ? row.safeAddress : row.counterparty,
    value: row.tokenKind === 'erc721' ? null : (row.amount?.toString() ?? null),
    tokenId: row.tokenId?.toString() ?? null,
    tokenAddress: row.token,
    transferId: transferId(row),
    tokenInfo: (row.token && tokens.get(row.token)) ?? null,
    from: isIncoming ? row.counterparty : row.safeAddress,
  }
}

/**
 * Identity of a transfer: the log names a token transfer; one that no single log shows is named by its place in the
 * history.
 */
function transferId({ transactionHash, tokenKind, logIndex, part }: Row): string {
  const hash = transactionHash?.slice(2) ?? ''
  return tokenKind === 'erc20' || tokenKind === 'erc721' ? `e${hash}${logIndex}` : `i${hash}${logIndex},${part}`
}

/** @returns null for text that is no id of a transfer */
export function parseTransferId(text: string): { transactionHash: Hex; logIndex: number; part: number | null } | null {
  const token = /^e([0-9a-f]{64})(\d{1,9})$/.exec(text)
  if (token) return { transactionHash: `0x${token[1] ?? ''}`, logIndex: Number(token[2]), part: null }
  const other = /^i([0-9a-f]{64})(?:(\d{1,9})(?:,(\d{1,9}))?(?:,\d+)*)?$/.exec(text)
  if (!other) return null
  return { transactionHash: `0x${other[1] ?? ''}`, logIndex: Number(other[2] ?? -1), part: Number(other[3] ?? -1) }
}
