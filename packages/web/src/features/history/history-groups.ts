import type { HistoryEntry, MultisigTransaction } from '@countersign/contract'
import { dayOf } from '../../text/locale.ts'

/**
 * Effects of one Ethereum transaction on the Safe: the owners' execution, if there was one, and everything that came
 * of it.
 */
export type HistoryGroup = {
  id: string
  blockTime: string
  transactionHash: HistoryEntry['transactionHash']
  isSuccessful: boolean | null
  executed: MultisigTransaction | null
  /** In the order of the chain. */
  entries: HistoryEntry[]
}

/** Groups entries that come newest first. Two executions in one Ethereum transaction are two groups. */
export function groupHistory(entries: readonly HistoryEntry[]): HistoryGroup[] {
  const groups: HistoryGroup[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    // Newest first: what an execution did comes after it here, until the one before it.
    const isSame =
      last !== undefined && entry.transactionHash !== null && last.transactionHash === entry.transactionHash
    const startsAnew = entry.transaction !== null && last?.executed !== null
    const group = isSame && !startsAnew ? last : newGroup(entry)
    if (group !== last) groups.push(group)
    if (entry.transaction) {
      group.executed = entry.transaction
      group.isSuccessful = entry.isSuccessful
    } else group.entries.unshift(entry)
  }
  return groups
}

function newGroup({ id, blockTime, transactionHash }: HistoryEntry): HistoryGroup {
  return { id, blockTime, transactionHash, isSuccessful: null, executed: null, entries: [] }
}

/** Groups what happened by the day in the reader's zone, in the order that it came in. */
export function groupByDay(groups: readonly HistoryGroup[]): { day: string; groups: HistoryGroup[] }[] {
  const days: { day: string; groups: HistoryGroup[] }[] = []
  for (const group of groups) {
    const day = dayOf(new Date(group.blockTime))
    const last = days.at(-1)
    if (last?.day === day) last.groups.push(group)
    else days.push({ day, groups: [group] })
  }
  return days
}
