import { isRecord } from '@countersign/safe'
import { type Address, type Hex, isAddress, isHash } from 'viem'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { serverNow } from '../../device/server-time.ts'

/** Outcome of a sent transaction. A dropped one may still turn up: a node can learn of it again. */
export type SentOutcome = 'pending' | 'confirmed' | 'failed' | 'dropped'

/** A transaction that an account sent from this browser. */
export type SentTransaction = {
  transactionHash: Hex
  submissionDate: string
  /** The Safe transaction that it executes. */
  subject?: { safeAddress: Address; safeTxHash: Hex }
  /** Known once the node has shown it; afterwards it tells a replacement from a node that forgot. */
  accountNonce: number | null
  outcome: SentOutcome
}

/** Whose list it is: one per chain and account. */
export type Sender = { chainId: number; account: Address }

const MAX_KEPT = 20
const outcomes: readonly string[] = ['pending', 'confirmed', 'failed', 'dropped'] satisfies SentOutcome[]
const none: readonly SentTransaction[] = []
const lists = new Map<string, { stored: string; list: readonly SentTransaction[] }>()
const listeners = new Set<() => void>()

function keyOf({ chainId, account }: Sender): string {
  return `countersign.sent-transactions.${chainId}.${account.toLowerCase()}`
}

/** Newest first. The same list until it changes. */
export function readSent(sender: Sender): readonly SentTransaction[] {
  const key = keyOf(sender)
  const stored = guardedStorage.getItem(key)
  if (stored === null) return none
  const known = lists.get(key)
  if (known?.stored === stored) return known.list
  const list = parseSent(stored)
  lists.set(key, { stored, list })
  return list
}

export function recordSent(
  sender: Sender,
  sent: Pick<SentTransaction, 'transactionHash' | 'subject'>,
  now = new Date(serverNow()),
): void {
  const others = readSent(sender).filter(({ transactionHash }) => transactionHash !== sent.transactionHash)
  write(sender, [{ ...sent, submissionDate: now.toISOString(), accountNonce: null, outcome: 'pending' }, ...others])
}

/** Takes over what the node showed of one of them. */
export function updateSent(
  sender: Sender,
  transactionHash: Hex,
  seen: Pick<SentTransaction, 'accountNonce' | 'outcome'>,
): void {
  const list = readSent(sender)
  const before = list.find((sent) => sent.transactionHash === transactionHash)
  if (!before || (before.outcome === seen.outcome && before.accountNonce === seen.accountNonce)) return
  write(
    sender,
    list.map((sent) => (sent === before ? { ...sent, ...seen } : sent)),
  )
}

export function clearSent(sender: Sender): void {
  guardedStorage.removeItem(keyOf(sender))
  notifyListeners()
}

/** Changes here, and those that another tab of this browser makes. */
export function subscribeToSent(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function write(sender: Sender, list: readonly SentTransaction[]): void {
  guardedStorage.setItem(keyOf(sender), JSON.stringify(list.slice(0, MAX_KEPT)))
  notifyListeners()
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

/** Whatever stands in the storage: other versions and other programs of this origin write there too. */
export function parseSent(stored: string): readonly SentTransaction[] {
  try {
    const list: unknown = JSON.parse(stored)
    return Array.isArray(list) ? list.slice(0, MAX_KEPT).filter(isSent) : none
  } catch {
    return none
  }
}

function isSent(value: unknown): value is SentTransaction {
  if (!isRecord(value)) return false
  const { transactionHash, submissionDate, accountNonce, outcome, subject } = value
  return (
    isHash(String(transactionHash)) &&
    typeof submissionDate === 'string' &&
    !Number.isNaN(Date.parse(submissionDate)) &&
    (accountNonce === null || Number.isSafeInteger(accountNonce)) &&
    outcomes.includes(String(outcome)) &&
    (subject === undefined ||
      (isRecord(subject) && isAddress(String(subject.safeAddress)) && isHash(String(subject.safeTxHash))))
  )
}
