import { isSameAddress, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'

/** Decides which signatures a Safe still counts: the Safe as it is now, or as it may be. */
export type CountingSafe = Pick<SafeState, 'owners' | 'threshold' | 'nonce'> & {
  /** Whether a module could change owners without using a nonce. */
  hasModules: boolean
}

/** Something that accounts have signed. Their signatures were verified: see `verifyGiven`. */
export type Signed = { confirmations: readonly { owner: Address }[] }

/** How far signatures that were given reach. */
export type Reach = {
  /** Owners whose confirmation the Safe counts, in its own order. */
  counted: Address[]
  /** Confirmations that are missing. 0: anybody can use it without asking anyone. */
  missing: number
  /** Owners who have not confirmed: any `missing` of them complete it. One who executes needs no signature for that. */
  others: Address[]
  /** Accounts that are no owners now and whose signature counts again once they are. Empty where that is impossible. */
  former: Address[]
  /** Confirmations that are missing once all of `former` are owners again and the threshold is the same. */
  missingIfAddedBack: number
}

/** A transaction that signatures given can still execute, alone or with others. */
export type AliveTransaction<transaction> = Reach & {
  transaction: transaction
  /** Nonces that have to be used first; 0: it can be executed now. */
  waits: bigint
}

/** A message that signatures given make valid, alone or with others. It has no nonce: nothing uses it up. */
export type AliveMessage<message> = Reach & { message: message }

/**
 * Finds what can still be executed with signatures that were given, by nonce. What has its nonce used up is dead, and so
 * is what nobody has signed.
 *
 * Accounts that are no owners any more count again once they are added back. Adding them uses a nonce, unless a module
 * does it: at the Safe's own nonce they are dead where there is no module.
 *
 * @param transactions - proposed here, deleted here, or known from elsewhere; their signatures verified.
 * @param safe - as the chain has it now, or as it would be after a change that is under review.
 *
 * @example
 * findAliveTransactions(transactions, { ...state, hasModules: state.modules.length > 0 })
 *   .filter(({ missing, waits }) => missing === 0 && waits === 0n) // anybody can execute these now
 */
export function findAliveTransactions<transaction extends Signed & { nonce: bigint }>(
  transactions: readonly transaction[],
  safe: CountingSafe,
): AliveTransaction<transaction>[] {
  return transactions
    .filter(({ nonce }) => nonce >= safe.nonce)
    .map((transaction) => {
      const waits = transaction.nonce - safe.nonce
      return { transaction, waits, ...reachOf(transaction, safe, waits > 0n || safe.hasModules) }
    })
    .filter(isSigned)
    .toSorted((one, other) => Number(one.waits - other.waits))
}

/**
 * Groups what is alive by nonce, lowest first. Of one nonce only one can be executed: it ends the others.
 *
 * @example
 * groupAlive(findAliveTransactions(transactions, safe)).map(({ nonce, entries }) => `${nonce}: ${entries.length}`)
 */
export function groupAlive<alive extends AliveTransaction<{ nonce: bigint }>>(
  alive: readonly alive[],
): { nonce: bigint; entries: alive[] }[] {
  const byNonce = new Map<bigint, alive[]>()
  for (const entry of alive) {
    const { nonce } = entry.transaction
    const entries = byNonce.get(nonce)
    if (entries === undefined) byNonce.set(nonce, [entry])
    else entries.push(entry)
  }
  return [...byNonce].map(([nonce, entries]) => ({ nonce, entries }))
}

/**
 * Finds messages that signatures given make valid, alone or with others. Nothing that their signers do takes them back:
 * only other owners, a higher threshold or another fallback handler.
 *
 * @example
 * findAliveMessages(messages, safe).filter(({ missing }) => missing === 0) // valid now
 */
export function findAliveMessages<message extends Signed>(
  messages: readonly message[],
  safe: CountingSafe,
): AliveMessage<message>[] {
  return messages.map((message) => ({ message, ...reachOf(message, safe, true) })).filter(isSigned)
}

function isSigned({ counted, former }: Reach): boolean {
  return counted.length + former.length > 0
}

/** Counts confirmations: see `Reach`. */
export function reachOf(
  { confirmations }: Signed,
  { owners, threshold }: CountingSafe,
  canBeAddedBack: boolean,
): Reach {
  const signers = new Map(confirmations.map(({ owner }) => [owner.toLowerCase(), owner]))
  const has = (owner: Address) => signers.has(owner.toLowerCase())
  const counted = owners.filter(has)
  const current = new Set(owners.map((owner) => owner.toLowerCase()))
  const former = canBeAddedBack ? [...signers].flatMap(([key, owner]) => (current.has(key) ? [] : [owner])) : []
  const missing = Math.max(0, threshold - counted.length)
  return {
    counted,
    missing,
    others: owners.filter((owner) => !has(owner)),
    former,
    missingIfAddedBack: Math.max(0, missing - former.length),
  }
}

/**
 * Whether this account can execute it when its turn has come, without another signature of anybody. An owner who executes
 * has approved by that: the Safe counts the sender.
 *
 * @example
 * isCompletedBy(alive, account) // true: one click of this account is enough
 */
export function isCompletedBy({ missing, others }: Reach, executor: Address): boolean {
  if (missing === 0) return true
  return missing === 1 && others.some((owner) => isSameAddress(owner, executor))
}
