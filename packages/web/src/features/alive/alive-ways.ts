import { findAliveTogether } from '@countersign/review'
import type { SafeState, SafeTx } from '@countersign/safe'
import type { Address, Hex } from 'viem'

type Signed = { hash: Hex; confirmations: readonly { owner: Address }[] }
type SignedTransaction = Signed & { nonce: bigint; safeTx: SafeTx }

/** A way to something by executing others first, for which signatures given are enough, too. */
export type AliveWay = {
  /** Accounts that can do all of it alone; null: anybody can. */
  by: Address[] | null
  /** The hash of each, in the order in which they are executed. */
  after: Hex[]
  /** Other earlier nonces that have to be used. */
  open: bigint
}

/** Ways that signatures open only together, under the hash of each transaction and message. */
export type AliveWays = { ways: Record<Hex, AliveWay[]>; unread: Hex[]; isWhole: boolean }

/** Each is followed through everything that is alive. */
const MAX_ACCOUNTS = 50

/** Finds the ways of anybody, then those of each account that is an owner or has signed. */
export function findAliveWays({
  state,
  ...signed
}: {
  state: SafeState
  transactions: readonly SignedTransaction[]
  messages: readonly Signed[]
}): AliveWays {
  const ways: Record<Hex, AliveWay[]> = {}
  const unread = new Set<Hex>()
  const signers = [...signed.transactions, ...signed.messages].flatMap(({ confirmations }) =>
    confirmations.map(({ owner }) => owner),
  )
  const accounts = [...new Set([...state.owners, ...signers])]
  const executors = [null, ...accounts.slice(0, MAX_ACCOUNTS)]
  const all = findAliveTogether(signed, state, executors)
  for (const [at, found] of all.entries()) {
    const executor = executors[at] ?? null
    for (const { hash } of found.unread) unread.add(hash)
    for (const { signed, after, open } of [...found.transactions, ...found.messages]) {
      ways[signed.hash] ??= []
      const known = ways[signed.hash] ?? []
      const hashes = after.map(({ hash }) => hash)
      const same = known.find((way) => way.open === open && way.after.join() === hashes.join())
      if (same === undefined) {
        const isBetter = known.every((way) => way.by !== null || open < way.open)
        if (isBetter) known.push({ by: executor && [executor], after: hashes, open })
      } else if (executor !== null) same.by?.push(executor)
    }
  }
  const isWhole = accounts.length <= MAX_ACCOUNTS && all.every((found) => found.isWhole)
  return { ways, unread: [...unread], isWhole }
}
