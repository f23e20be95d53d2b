import type { Hex } from 'viem'
import type { DraftPlace } from '../saved/unfinished.ts'
import type { ListAsset } from './payment-list.ts'
import type { PaymentBatch } from './split-payments.ts'

/** A transaction of a payout, and what it was sent to the server as. */
export type KeptBatch = PaymentBatch & { sent: readonly { hash: Hex; nonce: bigint }[] }

/** A payout that is under way: its list as it was given, what its amounts were read with, and its transactions so far. */
export type KeptPayout = {
  /** When it was begun; tells it from another one of this Safe. */
  id: number
  file: Blob
  assets: readonly ListAsset[]
  count: number
  batches: readonly KeptBatch[]
}

const DATABASE = 'countersign.payouts'
const STORE = 'payouts'

/** For a browser that keeps nothing: then a payout lasts as long as the page. */
const fallback = new Map<string, KeptPayout>()

function keyOf({ account, chainId, safeAddress }: DraftPlace): string {
  return `${account}.${chainId}.${safeAddress}`
}

/** The payout of an account and Safe that this browser keeps: it outlives a reload, a sign-out and its tab. */
export async function loadPayout(place: DraftPlace): Promise<KeptPayout | null> {
  return changePayout(place, (kept) => kept)
}

/** Changes what is kept, in one go for all tabs; null keeps nothing. Answers what is kept then. */
export async function changePayout(
  place: DraftPlace,
  change: (kept: KeptPayout | null) => KeptPayout | null,
): Promise<KeptPayout | null> {
  const key = keyOf(place)
  const database = await openDatabase().catch(() => null)
  if (database === null) {
    const next = change(fallback.get(key) ?? null)
    if (next === null) fallback.delete(key)
    else fallback.set(key, next)
    return next
  }
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite')
      const store = transaction.objectStore(STORE)
      const read: IDBRequest<KeptPayout | undefined> = store.get(key)
      let next: KeptPayout | null = null
      read.onsuccess = () => {
        const kept = read.result ?? null
        next = change(kept)
        if (next === null) store.delete(key)
        else if (next !== kept) store.put(next, key)
      }
      transaction.oncomplete = () => resolve(next)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Adds the transaction that comes next, unless another tab has measured it meanwhile. */
export function withBatch(kept: KeptPayout | null, batch: PaymentBatch): KeptPayout | null {
  if (kept === null || splitSoFar(kept) !== batch.from) return kept
  return { ...kept, batches: [...kept.batches, { ...batch, sent: [] }] }
}

/** How many payments are in a transaction already. */
export function splitSoFar({ batches }: Pick<KeptPayout, 'batches'>): number {
  const last = batches.at(-1)
  return last ? last.from + last.count : 0
}

/** Remembers what a transaction of a payout is sent as, before it is sent. */
export function withSent(kept: KeptPayout | null, from: number, sent: { hash: Hex; nonce: bigint }): KeptPayout | null {
  if (kept === null) return null
  const batches = kept.batches.map((batch) =>
    batch.from === from && !batch.sent.some(({ hash }) => hash === sent.hash)
      ? { ...batch, sent: [...batch.sent, sent] }
      : batch,
  )
  return { ...kept, batches }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
  })
}
