import type { BlockHeader, FinishedSimulation, LessLater, SafeTxRun, SimulationRun } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { gasToOffer, mostGas } from '@countersign/safe/calls'
import { type Address, type Hex, keccak256, numberToHex, slice, zeroAddress } from 'viem'
import type { Rules } from './hardfork.ts'

/** Changes that a run makes. Tokens, where they are asked, are slots of their contracts as well. */
export type RunChanges = Pick<FinishedSimulation, 'outcome' | 'slots' | 'balances' | 'approvals'>

/** Somebody who sends it pays a little more than the base fee: the twentieth part. */
const TIP_PART = 20n
/** Or far more: so many times the base fee, and this. */
const TIMES_OF_PRICE = 16n
const HIGH_TIP = 10_000_000_000n
/** Coin of an executor who has plenty. */
const PLENTY = 10n ** 21n
/** Where no rule limits the gas of one transaction: so many times Ethereum's limit, and no more than a block has. */
const TIMES_OF_GAS = 64n
const LEAST_PART = 32n
/** Less does not pay for `execTransaction`. */
const LEAST_GAS = 40_000n
const BLOCK_SECONDS = 12n
const DAY_SECONDS = 86_400n

/** A transaction and the circumstances in which it is run. */
export type Conditions = {
  /** Name of what is other than in the first run: no two are alike. */
  id: string
  run: SafeTxRun
  hardfork: string
  header: BlockHeader
  /** wei that the executor has in any case. */
  executorFunds: bigint
  /**
   * Parts that are compared: all that changes, or how the Safe itself comes out of it. Code may well write another time, or another
   * sender, somewhere; and interest grows by the hundredth part that is given here. A transaction that costs the Safe nothing may
   * bring less: that is said with the amounts.
   */
  compared: 'all' | { safeWithin: bigint; mayBringLess?: boolean }
  /** Longer than this is an answer as well: what code does with so much gas is not known. */
  isBounded: boolean
}

/** A run that ended, as far as others are made by it. */
type Ended = Pick<FinishedSimulation, 'outcome' | 'gasPeak'> & { seen: SeenByCode }

/** Conditions at which code looked, other than that of `execTransaction` itself. */
export type SeenByCode = {
  /** The account that sends the transaction. */
  sender: boolean
  /** That account as it is told to a guard. */
  told: boolean
  /** The price of its gas, or a balance, from which it can be told. */
  price: boolean
  /** How much gas is left, other than to hand it on; or a call had none left. */
  gas: boolean
  /** The number, time, producer, hash, fees or randomness of the block. */
  block: boolean
  /** Operations, or precompiles, that older rules do not have, or have otherwise. */
  rules: boolean
}

/**
 * Gives the same transaction as it may well be sent: with the gas that is offered for it, and with other gas; with a tip, by
 * somebody who has much; in the next block, and a day later; by older rules, where the chain may still live by them; by
 * somebody else; and all of it together. Code can see all of that, and may wait for it to do harm: what none has looked at
 * is left out, but the gas that is offered, which every call looks at. Each is a run of its own: one that reverts would hide
 * what another shows. None where the gas is given, or nothing happens.
 *
 * @example
 * for (const other of otherConditions(run, { ...finished, seen }, { header, rules })) …
 */
// Complexity: one line for each condition at which code may have looked.
export function otherConditions(
  run: SimulationRun,
  { outcome, gasPeak, seen }: Ended,
  { header, rules: { hardfork, older } }: { header: BlockHeader; rules: Rules },
): Conditions[] {
  if (run.kind !== 'safe-transaction' || run.gas !== undefined || outcome.kind === 'reverted') return []
  const { price, isRefundAtPrice, gasPrice, highPrice } = pricesOf(run, header)
  const given = { signatures: run.threshold, safeTxGas: run.safeTx.safeTxGas }
  const gas = gasToOffer(gasPeak, given, mostGas(header))
  const plain = { run, hardfork, header, executorFunds: 0n, compared: 'all', isBounded: false } as const
  const tipped = [
    { id: 'tip', run: { ...run, gasPrice } },
    { id: 'tip, gas', run: { ...run, gas, gasPrice } },
  ]
  const highlyTipped = [
    { id: 'high tip', run: { ...run, gasPrice: highPrice } },
    { id: 'high tip, gas', run: { ...run, gas, gasPrice: highPrice } },
  ]
  const rich = { executorFunds: PLENTY }
  const executor = anotherExecutor(header)
  const next = laterBlock(header, {
    seconds: BLOCK_SECONDS,
    baseFee: (fee) => (isRefundAtPrice ? fee : fee + fee / 8n + 1n),
  })
  const late = laterBlock(header, { seconds: DAY_SECONDS, baseFee: (fee) => fee / 2n })
  const inBlock = (
    id: string,
    block: BlockHeader,
    compared: Conditions['compared'],
    more: Partial<SafeTxRun> = {},
  ): Conditions => ({
    ...plain,
    id,
    header: block,
    compared,
    run: { ...run, gasPrice: higher(price, block.baseFeePerGas ?? 0n), ...more },
  })
  const together = (id: string, more: Partial<SafeTxRun>) => ({
    ...inBlock(id, next, { safeWithin: 1n }, { executor, ...more }),
    ...rich,
  })
  const tippedNext = higher(gasPrice, next.baseFeePerGas ?? 0n)
  const isPriceSeen = seen.price || run.safeTx.gasPrice > 0n
  const isSomebodyTold = seen.told && !isPaidToSender(run)
  const isManySeen = Object.values(seen).filter(Boolean).length > 1
  return [
    { ...plain, id: 'gas', run: { ...run, gas } },
    ...(isPriceSeen ? tipped.map((one) => ({ ...plain, ...one })) : []),
    ...(isPriceSeen ? highlyTipped.map((one) => ({ ...plain, ...rich, ...one })) : []),
    ...(seen.rules
      ? older.flatMap((before) =>
          tipped.map((one) => ({ ...plain, ...one, id: `${one.id}, ${before}`, hardfork: before })),
        )
      : []),
    ...(seen.sender ? [{ ...plain, id: 'sender', run: { ...run, executor } }] : []),
    ...(seen.sender && seen.price ? [{ ...plain, ...rich, id: 'rich sender', run: { ...run, executor } }] : []),
    ...(isSomebodyTold
      ? [{ ...plain, id: 'told sender', run: { ...run, executor }, compared: { safeWithin: 1n } }]
      : []),
    ...(seen.gas ? otherGas(gasPeak, header, older.length > 0).map((one) => ({ ...plain, ...withGas(run, one) })) : []),
    ...(seen.block
      ? [
          inBlock('next block', next, { safeWithin: 1n }),
          inBlock('late block', late, { safeWithin: 10n, mayBringLess: true }),
        ]
      : []),
    ...(isManySeen
      ? [together('all', { gasPrice: highPrice }), together('all, gas', { gas, gasPrice: tippedNext })]
      : []),
  ]
}

/** The price of the gas that a run is made with, the price with a tip, and the price with a high one. */
function pricesOf({ gasPrice: given, safeTx: { gasToken, gasPrice } }: SafeTxRun, { baseFeePerGas }: BlockHeader) {
  const price = given ?? baseFeePerGas ?? 0n
  // A refund in coin is paid at the price of the gas, as far as the Safe allows.
  const isRefundAtPrice = isSameAddress(gasToken, zeroAddress) && gasPrice > price
  if (isRefundAtPrice) return { price, isRefundAtPrice, gasPrice: price, highPrice: price }
  return {
    price,
    isRefundAtPrice,
    gasPrice: price + price / TIP_PART + 1n,
    highPrice: price * TIMES_OF_PRICE + HIGH_TIP,
  }
}

/** Whether the refund goes to the account that sends the transaction: no other receiver is named. */
function isPaidToSender({ safeTx }: SafeTxRun): boolean {
  return safeTx.gasPrice > 0n && isSameAddress(safeTx.refundReceiver, zeroAddress)
}

/** Amounts of gas from far less than the run needed to the most that anybody can offer, each twice the one before. */
function otherGas(gasPeak: bigint, header: BlockHeader, isUnlimited: boolean): bigint[] {
  const most = mostGas(header)
  const unlimited = most * TIMES_OF_GAS
  const end = !isUnlimited ? most : header.gasLimit < unlimited ? header.gasLimit : unlimited
  const all: bigint[] = []
  for (let gas = gasPeak / LEAST_PART; gas < end; gas *= 2n) if (gas > LEAST_GAS) all.push(gas)
  return end > most ? [...all, end] : all
}

function withGas(run: SafeTxRun, gas: bigint) {
  return { id: `gas ${gas}`, run: { ...run, gas }, compared: { safeWithin: 0n }, isBounded: true }
}

/**
 * A block as it may follow: every value at which code can look is another one, and each digit of what is not foreseen.
 */
function laterBlock(
  header: BlockHeader,
  { seconds, baseFee }: { seconds: bigint; baseFee: (fee: bigint) => bigint },
): BlockHeader {
  const { number, hash, timestamp, coinbase, gasLimit, prevRandao, baseFeePerGas, excessBlobGas } = header
  const blocks = seconds / BLOCK_SECONDS
  return {
    ...header,
    number: number + blocks,
    hash: keccak256(hash),
    parentHash: hash,
    timestamp: timestamp + seconds,
    coinbase: turned(coinbase, 20),
    gasLimit: gasLimit + 1n,
    prevRandao: turned(prevRandao, 32),
    baseFeePerGas: baseFeePerGas === null ? null : baseFee(baseFeePerGas),
    excessBlobGas: excessBlobGas === null ? null : blocks > 1n ? 0n : excessBlobGas + BLOBS_OF_A_STEP,
  }
}

/** Enough to change the price of blobs. */
const BLOBS_OF_A_STEP = 20_000_000n

function turned(value: Hex, size: 20 | 32): Hex {
  return numberToHex((1n << BigInt(8 * size)) - 1n - BigInt(value), { size })
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

/** Gives an account that no code of this block can know, as its hash was not there yet: whoever has the signatures may send. */
function anotherExecutor({ hash }: BlockHeader): Address {
  return slice(keccak256(hash), 12)
}

/**
 * Whether a run under other conditions changes something else. One that reverts changes nothing.
 *
 * @param paying accounts whose coin depends on the price of the gas
 * @example
 * isOtherwise(finished, again, { compared: 'all', safe, paying: [executor, header.coinbase] })
 */
export function isOtherwise(
  before: RunChanges,
  again: RunChanges,
  { compared, safe, paying }: { compared: Conditions['compared']; safe: Address; paying: readonly Address[] },
): boolean {
  if (again.outcome.kind === 'reverted') return false
  if (compared === 'all') return linesOf(before, paying) !== linesOf(again, paying)
  return isWorseForSafe(before, again, safe, compared)
}

function linesOf({ outcome, slots, balances }: RunChanges, paying: readonly Address[]): string {
  const coin = balances.filter(
    ({ standard, account }) => standard === 'native' && !paying.some((payer) => isSameAddress(payer, account)),
  )
  const lines = [
    ...slots.map(({ account, slot, after }) => `${account} ${slot} ${after}`),
    ...coin.map(({ account, after }) => `${account} ${after}`),
  ]
  return [outcome.kind, ...lines.toSorted()].join('\n')
}

/** Whether the Safe stands otherwise afterwards, has less, or lets others take more. */
function isWorseForSafe(
  before: RunChanges,
  again: RunChanges,
  safe: Address,
  { safeWithin: within, mayBringLess = false }: Exclude<Conditions['compared'], 'all'>,
): boolean {
  // The transaction itself failed then, and only the nonce is used.
  if (again.outcome.kind !== 'success') return false
  if (before.outcome.kind !== 'success') return true
  const ownSlots = ({ slots }: RunChanges) =>
    slots
      .filter(({ account }) => isSameAddress(account, safe))
      .map(({ slot, after }) => `${slot} ${after}`)
      .toSorted()
      .join('\n')
  if (ownSlots(before) !== ownSlots(again)) return true
  const less = lessOf(before, again, safe, within)
  const isLess = less.length > 0 && !(mayBringLess && costsNothing(before, safe) && costsNothing(again, safe))
  const given = givenBy(before, safe)
  return isLess || [...givenBy(again, safe)].some(([to, after]) => exceeds(after, given.get(to) ?? 0n, within))
}

/**
 * Assets of which the Safe comes out with less than before, by more than the hundredth part `within`.
 *
 * @example
 * lessOf(finished, again, safe, 10n) // [{ token, tokenId: null, received: 33n, receivedLater: 27n }]
 */
export function lessOf(before: RunChanges, again: RunChanges, safe: Address, within: bigint): LessLater[] {
  const [held, heldAgain] = [heldBy(before, safe), heldBy(again, safe)]
  return [...new Map([...held, ...heldAgain])].flatMap(([asset, { token, tokenId }]) => {
    const [received, receivedLater] = [held.get(asset)?.gained ?? 0n, heldAgain.get(asset)?.gained ?? 0n]
    const isLess = receivedLater < received - (magnitude(received) * within) / 100n
    return isLess ? [{ token, tokenId, received, receivedLater }] : []
  })
}

/** Whether the Safe has less of nothing. A balance that cannot be read may have cost anything. */
function costsNothing({ balances }: RunChanges, safe: Address): boolean {
  return balances
    .filter(({ account }) => isSameAddress(account, safe))
    .every(({ before, after }) => before !== null && after !== null && after >= before)
}

/** By how much each asset of the Safe changes. */
function heldBy({ balances }: RunChanges, safe: Address) {
  const own = balances.filter(({ account }) => isSameAddress(account, safe))
  return new Map(
    own.map(({ token, tokenId, before, after }) => [
      `${token} ${tokenId}`,
      { token, tokenId, gained: (after ?? 0n) - (before ?? 0n) },
    ]),
  )
}

function givenBy({ approvals }: RunChanges, safe: Address): Map<string, bigint> {
  const own = approvals.filter(({ owner, before, after }) => isSameAddress(owner, safe) && before !== after)
  return new Map(
    own.map(({ token, spender, standard, tokenId, after }) => [
      `${token} ${spender} ${standard} ${tokenId}`,
      after ?? 0n,
    ]),
  )
}

function exceeds(after: bigint, limit: bigint, within: bigint): boolean {
  return after > limit + (limit * within) / 100n
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}
