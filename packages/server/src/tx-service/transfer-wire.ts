import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Chain } from '../chain/clients.ts'
import { historyEntry as entry } from '../db/schema.ts'
import { findTokenInfos, type TokenInfo } from './token-info.ts'
import { toDate } from './wire.ts'

type Row = typeof entry.$inferSelect

/** What this wire calls a transfer. A Safe that sends to itself has two entries of it: the one that reached it counts. */
export const isTransfer = sql`(${entry.kind} = 'transfer-in' or
  (${entry.kind} = 'transfer-out' and ${entry.counterparty} <> ${entry.safeAddress})) and ${entry.transactionHash} is not null`

export type Transfer = {
  type: 'ETHER_TRANSFER' | 'ERC20_TRANSFER' | 'ERC721_TRANSFER' | 'UNKNOWN'
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
  erc1155: 'UNKNOWN',
} as const

/** Transfers as this wire writes them, with what is known of their tokens. */
export async function toTransfers(chain: Chain, rows: readonly Row[]): Promise<Transfer[]> {
  const tokens = await findTokenInfos(
    chain,
    rows.flatMap(({ token, tokenKind }) =>
      token && tokenKind && tokenKind !== 'native' ? [{ address: token, kind: tokenKind }] : [],
    ),
  )
  return rows.map((row) => toTransfer(row, tokens))
}

function toTransfer(row: Row, tokens: ReadonlyMap<Address, TokenInfo>): Transfer {
  const isIncoming = row.kind === 'transfer-in'
  return {
    type: row.tokenKind ? types[row.tokenKind] : 'UNKNOWN',
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

/** Of tokens the log says which; of what no log tells alone, the place in the history does. */
function transferId({ transactionHash, tokenKind, logIndex, part }: Row): string {
  const hash = transactionHash?.slice(2) ?? ''
  return tokenKind === 'erc20' || tokenKind === 'erc721' ? `e${hash}${logIndex}` : `i${hash}${logIndex},${part}`
}

/** @returns null for text that is no id of a transfer */
export function readTransferId(text: string): { transactionHash: Hex; logIndex: number; part: number | null } | null {
  const token = /^e([0-9a-f]{64})(\d{1,9})$/.exec(text)
  if (token) return { transactionHash: `0x${token[1] ?? ''}`, logIndex: Number(token[2]), part: null }
  const other = /^i([0-9a-f]{64})(?:(\d{1,9})(?:,(\d{1,9}))?(?:,\d+)*)?$/.exec(text)
  if (!other) return null
  return { transactionHash: `0x${other[1] ?? ''}`, logIndex: Number(other[2] ?? -1), part: Number(other[3] ?? -1) }
}
