import { listBalanceChanges, type Reply } from '@countersign/contract'
import { readTokens } from '@countersign/safe'
import { queryOptions } from '@tanstack/react-query'
import { type Address, isHex, numberToHex } from 'viem'
import { chainRequest, type RpcRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../device/server-time.ts'

const DAY_MS = 86_400_000

/** Days back from now; null: as far as the history goes. */
export type Period = number | null

/** A change of the balance. */
export type BalanceChange = {
  blockNumber: number
  at: number
  balance: bigint
  /** Null where others between this one and the one before are left out. */
  change: bigint | null
  isUnexplained: boolean
}

export type BalanceHistory = {
  /** Balance on the chain, at the block that the history reaches. */
  blockNumber: number
  balance: bigint
  /** Blocks with a change; more than `changes` has when some are left out. */
  count: number
  /** Oldest first. */
  changes: BalanceChange[]
  /** Balance before the first change that is shown, and its time. */
  first: { at: number; balance: bigint } | null
  /** Difference of the balance from the sum of all its known changes. */
  beyondHistory: bigint
  /** Whether one of its known changes is one that nothing explains. */
  hasUnexplained: boolean
  readAt: number
}

/** `reading`: the Safe's past is not known whole. `unread`: the node does not say what there was at that block. */
export type FoundHistory =
  | { kind: 'history'; history: BalanceHistory }
  | { kind: 'reading' }
  | { kind: 'unread'; blockNumber: number }

/** A balance over time: the changes from the server's history, how much there is from the chain itself. */
export function balanceHistoryQuery(chainId: number, safeAddress: Address, token: Address | 'native', period: Period) {
  return queryOptions({
    // Below the key of the history: what outdates one outdates the other.
    queryKey: [...queryKeys.history(chainId, safeAddress), 'balance', token, period],
    queryFn: async ({ signal }): Promise<FoundHistory> => {
      const now = serverNow()
      const since = period === null ? {} : { since: new Date(now - period * DAY_MS).toISOString() }
      const known = await api(listBalanceChanges, { chainId, safeAddress, token, ...since }, signal)
      const { blockNumber } = known
      if (blockNumber === null) return { kind: 'reading' }
      const balance = await readBalance(chainRequest(chainId), safeAddress, token, blockNumber)
      if (balance === null) return { kind: 'unread', blockNumber }
      const from = period === null ? null : now - period * DAY_MS
      return { kind: 'history', history: toHistory({ ...known, blockNumber }, balance, { now, from }) }
    },
    refetchInterval: ({ state }) => (state.data?.kind === 'history' ? false : 5_000),
  })
}

async function readBalance(
  request: RpcRequest,
  safeAddress: Address,
  token: Address | 'native',
  blockNumber: number,
): Promise<bigint | null> {
  if (token !== 'native') {
    const [reading] = await readTokens(request, safeAddress, [token], blockNumber)
    return typeof reading?.balance === 'bigint' ? reading.balance : null
  }
  const params = [safeAddress, numberToHex(blockNumber)]
  // A node that has no old state any more answers with an error.
  const answer = await request({ method: 'eth_getBalance', params }).catch((error: { code?: unknown }) => {
    if (error.code === 'RPC_ERROR') return null
    throw error
  })
  return isHex(answer) ? BigInt(answer) : null
}

/** Counts back from what there is at the end. */
export function toHistory(
  known: Omit<Reply<typeof listBalanceChanges>, 'blockNumber'> & { blockNumber: number },
  balance: bigint,
  { now, from }: { now: number; from: number | null },
): BalanceHistory {
  const { points } = known
  const isWhole = points.length === known.changes
  const atFirst = balance - known.changeSince
  const balances = points.map(({ changeAfter }) => balance - changeAfter)
  const changes = points.map(({ blockNumber, blockTime, isUnexplained }, index): BalanceChange => {
    const after = balances[index] ?? 0n
    const before = balances[index - 1] ?? atFirst
    return {
      blockNumber,
      at: Date.parse(blockTime),
      balance: after,
      change: isWhole ? after - before : null,
      isUnexplained,
    }
  })
  const firstAt = from ?? changes[0]?.at
  return {
    blockNumber: known.blockNumber,
    balance,
    count: known.changes,
    changes,
    first: firstAt === undefined || (from === null && atFirst === 0n) ? null : { at: firstAt, balance: atFirst },
    beyondHistory: balance - known.change,
    hasUnexplained: known.hasUnexplained,
    // A devnet's blocks may be ahead of the clock.
    readAt: Math.max(now, changes.at(-1)?.at ?? 0),
  }
}
