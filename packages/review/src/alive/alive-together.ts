import { domainVersion, type SafeState, type SafeTx } from '@countersign/safe'
import type { Address } from 'viem'
import type { SafeConfiguration } from '../types.ts'
import { afterExecution, type Changes, changesOf } from './after-execution.ts'
import { type CountingSafe, isCompletedBy, type Reach, reachOf, type Signed } from './alive.ts'

/** A transaction or message that signatures given are enough for once other transactions are executed. */
export type Together<signed, transaction> = {
  signed: signed
  /**
   * Those that are executed first, in this order: each changes who counts, and signatures given are enough for it when its
   * turn has come.
   */
  after: transaction[]
  /** Other nonces before it that nothing known can use yet: 0, and it can be executed now, without asking anyone. */
  open: bigint
}

/** Everything that one account can have executed, one transaction making the next one possible. */
export type AliveTogether<transaction, message> = {
  transactions: Together<transaction, transaction>[]
  messages: Together<message, transaction>[]
  /** Those that can be executed on the way and of which the bytes do not tell what they do to the Safe. */
  unread: transaction[]
  /** False: there are more ways than were followed. */
  isWhole: boolean
}

/**
 * Beyond these nothing is followed. `ways`: states of the Safe at one nonce; `changes`: transactions of one way; `looks`:
 * at owners and signatures, for all accounts together, so that a browser is busy for a tenth of a second and no longer.
 */
export const TOGETHER_BUDGET = { ways: 128, changes: 8, looks: 200_000 } as const

type TransactionToExecute = Signed & { nonce: bigint; safeTx: SafeTx }

/** A state that the Safe can be brought to with signatures given, and how. */
type Way<transaction> = {
  safe: SafeConfiguration
  /** See `whoCounts`. */
  key: string
  after: transaction[]
  open: bigint
}

/**
 * Finds what signatures given are enough for only after others of them were used: a transaction that lowers the threshold,
 * or adds an owner back, completes others. At each nonce all that can be executed is followed, and that another one,
 * which changes nothing, uses it.
 *
 * @param signed - as for `findAliveTransactions` and `findAliveMessages`.
 * @param state - of the Safe now.
 * @param executors - accounts, each of which executes all of them, and by that approves as an owner; null: anybody.
 * @returns what was found for each of them, in their order.
 * @throws CountersignError `FIELD_MALFORMED` when a transaction has a field that is impossible.
 *
 * @example
 * const [found] = findAliveTogether({ transactions, messages: [] }, state, [null])
 * found?.transactions.filter(({ open }) => open === 0n) // anybody can execute these now, one after the other
 */
export function findAliveTogether<transaction extends TransactionToExecute, message extends Signed>(
  { transactions, messages }: { transactions: readonly transaction[]; messages: readonly message[] },
  state: SafeState,
  executors: readonly (Address | null)[],
): AliveTogether<transaction, message>[] {
  const context = { safeAddress: state.address, version: domainVersion(state) }
  const changes = new Map<transaction, Changes>()
  const changesBy = (transaction: transaction) => {
    const known = changes.get(transaction)
    if (known !== undefined) return known
    const found = changesOf(transaction.safeTx, state.address)
    changes.set(transaction, found)
    return found
  }
  const nonces = byNonce(transactions, state.nonce)

  let looks: number = TOGETHER_BUDGET.looks
  const findFor = (executor: Address | null, ownLooks: number): AliveTogether<transaction, message> => {
    const lastLook = looks - ownLooks
    const isEnoughFor = (signed: Signed, safe: SafeConfiguration, nonce: bigint, account: Address | null) => {
      looks -= safe.owners.length + signed.confirmations.length
      return isEnough(reachOf(signed, counting(safe, nonce), true), account)
    }
    const found = new Map<transaction, Together<transaction, transaction>>()
    const unread = new Set<transaction>()
    let isWhole = true
    let ways: Way<transaction>[] = [{ safe: state, key: whoCounts(state), after: [], open: 0n }]
    const allWays = [...ways]
    let reached = state.nonce
    for (const { nonce, at } of nonces) {
      const next = new Map<string, Way<transaction>>()
      const add = (way: Way<transaction>) => keepShortest(next, way.key, way)
      for (const earlier of ways) {
        const way = { ...earlier, open: earlier.open + nonce - reached }
        add({ ...way, open: way.open + 1n })
        for (const transaction of at) {
          if (looks <= lastLook) break
          if (!isEnoughFor(transaction, way.safe, nonce, executor)) continue
          keepShortest(found, transaction, { signed: transaction, after: way.after, open: way.open })
          const changed = changesBy(transaction)
          if (changed === null) unread.add(transaction)
          const safe = changed && afterExecution(transaction.safeTx, changed, way.safe, context)
          if (safe === null) continue
          const key = whoCounts(safe)
          const isSame = key === way.key
          if (!isSame && way.after.length === TOGETHER_BUDGET.changes) isWhole = false
          else add({ ...way, safe, key, after: isSame ? way.after : [...way.after, transaction] })
        }
      }
      ways = [...next.values()].toSorted(compareWays)
      if (ways.length > TOGETHER_BUDGET.ways) isWhole = false
      ways = ways.slice(0, TOGETHER_BUDGET.ways)
      allWays.push(...ways)
      reached = nonce + 1n
      if (looks <= lastLook) break
    }
    const openTo = (signed: message) => {
      let shortest: Way<transaction> | undefined
      for (const way of allWays) {
        if (looks <= lastLook) break
        if (shortest !== undefined && compareWays(way, shortest) >= 0) continue
        // No sender counts for a message.
        if (isEnoughFor(signed, way.safe, state.nonce, null)) shortest = way
      }
      return shortest === undefined ? [] : [{ signed, after: shortest.after, open: shortest.open }]
    }
    const isEnoughNow = (signed: Signed, account: Address | null) => isEnoughFor(signed, state, state.nonce, account)
    const together = {
      transactions: [...found.values()].filter(({ signed }) => !isEnoughNow(signed, executor)),
      messages: messages.filter((signed) => !isEnoughNow(signed, null)).flatMap(openTo),
      unread: [...unread],
    }
    return { ...together, isWhole: isWhole && looks > lastLook }
  }
  // An executor that needs less than an equal share leaves the rest to the next ones.
  return executors.map((executor, at) => findFor(executor, Math.floor(looks / (executors.length - at))))
}

function byNonce<transaction extends TransactionToExecute>(transactions: readonly transaction[], from: bigint) {
  const groups = new Map<bigint, transaction[]>()
  for (const transaction of transactions) {
    if (transaction.nonce < from) continue
    const group = groups.get(transaction.nonce)
    if (group === undefined) groups.set(transaction.nonce, [transaction])
    else group.push(transaction)
  }
  return [...groups].map(([nonce, at]) => ({ nonce, at })).toSorted((one, other) => Number(one.nonce - other.nonce))
}

function counting({ owners, threshold, modules }: SafeConfiguration, nonce: bigint): CountingSafe {
  return { owners, threshold, nonce, hasModules: modules.length > 0 }
}

/** An owner who executes needs no signature given where one confirmation is enough: that is nothing of the signatures. */
function isEnough(reach: Reach, executor: Address | null): boolean {
  if (reach.counted.length === 0) return false
  return executor === null ? reach.missing === 0 : isCompletedBy(reach, executor)
}

/** The settings on which it depends who counts, and which later changes the Safe takes: these go by the order of its lists. */
function whoCounts({ owners, threshold, modules }: SafeConfiguration): string {
  return [owners.join(), threshold, modules.join()].join(' ').toLowerCase()
}

function keepShortest<key, way extends Length>(ways: Map<key, way>, key: key, way: way): void {
  const known = ways.get(key)
  if (known === undefined || compareWays(way, known) < 0) ways.set(key, way)
}

/** Those first that need the fewest other nonces, then the fewest changes. */
function compareWays(one: Length, other: Length): number {
  if (one.open !== other.open) return one.open < other.open ? -1 : 1
  return one.after.length - other.after.length
}

type Length = { after: readonly unknown[]; open: bigint }
