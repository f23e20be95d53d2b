import { type ChainStatus, listChainStatus } from '@countersign/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../device/server-time.ts'

/** Live events tell of each step; who follows no more tells nothing. */
const REFETCH_MS = 30_000
/** One that failed once is tried again a moment later. */
const FAILING_MS = 15_000
const SILENT_MS = 120_000
const BEHIND_SECONDS = 60
/** Where the times of blocks are not known. */
const BEHIND_BLOCKS = 100

export const chainStatusQuery = queryOptions({
  queryKey: queryKeys.chainStatus,
  queryFn: async ({ signal }) => ({ ...(await api(listChainStatus, {}, signal)), readAt: serverNow() }),
  refetchInterval: REFETCH_MS,
})

/** How it stands with following a chain, the worst first. */
export type Standing =
  | 'stopped'
  | 'disagreement'
  | 'wrong-chain'
  | 'unreachable'
  | 'failing'
  | 'silent'
  | 'starting'
  | 'reading-past'
  | 'behind'
  | 'up-to-date'

/** Those that leave a history whole, or nearly: no trouble to tell. */
export const quietStandings: ReadonlySet<Standing> = new Set(['up-to-date', 'behind', 'reading-past', 'starting'])

/** @param now when the status was read */
export function standingOf(status: ChainStatus, now: number): Standing {
  const { stoppedAt, disagreement, node, failure, cursor, head, backfill, discovery } = status
  if (stoppedAt !== null) return 'stopped'
  if (disagreement) return 'disagreement'
  if (node !== 'ok') return node
  if (failure && now - Date.parse(failure.since) >= FAILING_MS) return 'failing'
  if (head && now - Date.parse(head.readAt) >= SILENT_MS) return 'silent'
  if (!cursor || !head) return 'starting'
  if (backfill || discovery) return 'reading-past'
  return isBehind(status) ? 'behind' : 'up-to-date'
}

/** A few blocks are behind between two looks at the node. */
export function isBehind({ lag }: ChainStatus): boolean {
  if (!lag) return false
  return lag.seconds === null ? lag.blocks >= BEHIND_BLOCKS : lag.blocks > 0 && lag.seconds >= BEHIND_SECONDS
}

/** How much of the past is read, in whole percent; 100 only when nothing is left. */
export function percentOf({ blocksLeft, blocksTotal }: { blocksLeft: number; blocksTotal: number }): number {
  if (blocksTotal === 0 || blocksLeft === 0) return 100
  return Math.floor((100 * Math.max(0, blocksTotal - blocksLeft)) / blocksTotal)
}

/** Progress of reading one Safe's past, in whole percent; null where it is not known. `blocksLeft` from there to its begin. */
export function progressOfSafe(
  { cursor, backfill }: ChainStatus,
  { backfillBlock, backfillTo }: { backfillBlock: number; backfillTo: number | null },
): { percent: number; secondsLeft: number | null; blocksPerSecond: number | null } | null {
  if (!cursor || !backfill) return null
  const blocks = (last: number) => Math.max(0, last - backfillBlock + 1)
  const blocksLeft = blocks(backfillTo ?? cursor.blockNumber)
  const percent = percentOf({ blocksLeft, blocksTotal: blocks(cursor.blockNumber) })
  const { blocksPerSecond } = backfill
  return { percent, secondsLeft: secondsOf(blocksLeft, blocksPerSecond), blocksPerSecond }
}

/** Seconds that blocks take at the pace of lately; null where there is none. */
export function secondsOf(blocksLeft: number, blocksPerSecond: number | null): number | null {
  return blocksPerSecond === null || blocksPerSecond <= 0 ? null : Math.ceil(blocksLeft / blocksPerSecond)
}
