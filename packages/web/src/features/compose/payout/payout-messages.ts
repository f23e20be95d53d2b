import type { BatchedCall } from '@countersign/safe/calls'
import type { Address } from 'viem'
import type { ListAsset, PaymentList } from './payment-list.ts'

/** Questions of the page to the Worker that holds a list. */
export type ListQuestion =
  | { kind: 'open'; file: Blob }
  | { kind: 'read'; safeAddress: Address; assets: readonly ListAsset[]; known: readonly Address[] }
  | { kind: 'calls'; from: number; count: number }
  | { kind: 'payments' }

/** A list as the page hears of it: its payments stay in the Worker. */
export type ListSummary = Omit<PaymentList, 'payments'> & { count: number }

/** Calls of a part of the list, and the data that carries several of them out as one transaction. */
export type ListedCalls = { calls: readonly BatchedCall[]; lines: readonly number[] }

export type ListAnswer = {
  open: { tokens: readonly Address[] }
  read: ListSummary
  calls: ListedCalls
  payments: PaymentList['payments']
}

export type ToListWorker = { id: number; question: ListQuestion }
export type FromListWorker = { id: number; answer: ListAnswer[keyof ListAnswer] } | { id: number; failed: string }
