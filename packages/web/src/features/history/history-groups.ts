import type { HistoryEntry, MultisigTransaction } from '@countersign/contract'

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
