import type { HistoryEntry } from '@countersign/contract'

/** Returns a history entry with these fields. The others are empty. */
export function historyEntry(fields: Pick<HistoryEntry, 'id' | 'kind'> & Partial<HistoryEntry>): HistoryEntry {
  return {
    blockNumber: 1,
    afterBlock: null,
    blockTime: '2026-01-01T00:00:00.000Z',
    transactionHash: null,
    safeTxHash: null,
    isSuccessful: null,
    subject: null,
    factory: null,
    singleton: null,
    threshold: null,
    tokenKind: null,
    token: null,
    tokenId: null,
    counterparty: null,
    amount: null,
    data: null,
    operation: null,
    transaction: null,
    ...fields,
  }
}
