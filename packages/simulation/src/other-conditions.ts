import {
  type BlockHeader,
  type FinishedSimulation,
  gasToOffer,
  mostGas,
  type SafeTxRun,
  type SimulationRun,
} from '@countersign/safe-core'
import { type Address, isAddressEqual, keccak256, slice, zeroAddress } from 'viem'
import type { Rules } from './hardfork.ts'

/** Changes that a run makes, apart from tokens, which are slots of their contracts. */
export type RunChanges = Pick<FinishedSimulation, 'outcome' | 'slots' | 'balances'>

/** Somebody who sends it pays a little more than the base fee: the twentieth part. */
const TIP_PART = 20n

/** A transaction and the rules by which it is run. */
export type Conditions = { run: SafeTxRun; hardfork: string }

/** A run that ended, as far as others are made by it. */
type Ended = Pick<FinishedSimulation, 'outcome' | 'gasPeak'> & { seen: SeenByCode }

/** Conditions at which code looked, other than that of `execTransaction` itself. */
export type SeenByCode = {
  /** The account that sends the transaction. */
  sender: boolean
  /** The price of its gas, or a balance, from which it can be told. */
  price: boolean
  /** Operations, or precompiles, that older rules do not have, or have otherwise. */
  rules: boolean
}

/**
 * Gives the same transaction as it may well be sent: with the gas that is offered for it; with a tip; by older rules,
 * where the chain may still live by them; by somebody else. Code can see all of that, and may wait for it to do harm:
 * what none has looked at is left out, but gas, which every call looks at. Each is a run of its own: one that reverts would hide what another shows. None where the gas is given, or nothing
 * happens.
 *
 * @example
 * for (const { run, hardfork } of otherConditions(run, { ...finished, seen }, { header, rules })) …
 */
export function otherConditions(
  run: SimulationRun,
  { outcome, gasPeak, seen }: Ended,
  { header, rules: { hardfork, older } }: { header: BlockHeader; rules: Rules },
): Conditions[] {
  if (run.kind !== 'safe-transaction' || run.gas !== undefined || outcome.kind === 'reverted') return []
  const price = run.gasPrice ?? header.baseFeePerGas ?? 0n
  // A refund in coin is paid at the price of the gas, as far as the Safe allows.
  const isRefundAtPrice = isAddressEqual(run.safeTx.gasToken, zeroAddress) && run.safeTx.gasPrice > price
  const gasPrice = isRefundAtPrice ? price : price + price / TIP_PART + 1n
  const given = { signatures: run.threshold, safeTxGas: run.safeTx.safeTxGas }
  const gas = gasToOffer(gasPeak, given, mostGas(header))
  const tipped = [
    { ...run, gasPrice },
    { ...run, gas, gasPrice },
  ]
  const isPriceSeen = seen.price || run.safeTx.gasPrice > 0n
  const by = (hardfork: string) => (run: SafeTxRun) => ({ run, hardfork })
  return [
    { run: { ...run, gas }, hardfork },
    ...(isPriceSeen ? tipped.map(by(hardfork)) : []),
    ...(seen.rules ? older.flatMap((before) => tipped.map(by(before))) : []),
    ...(seen.sender ? [{ run: { ...run, executor: anotherExecutor(header) }, hardfork }] : []),
  ]
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
 * isOtherwise(finished, again, [executor, header.coinbase])
 */
export function isOtherwise(before: RunChanges, again: RunChanges, paying: readonly Address[]): boolean {
  return again.outcome.kind !== 'reverted' && linesOf(before, paying) !== linesOf(again, paying)
}

function linesOf({ outcome, slots, balances }: RunChanges, paying: readonly Address[]): string {
  const coin = balances.filter(
    ({ standard, account }) => standard === 'native' && !paying.some((payer) => isAddressEqual(payer, account)),
  )
  const lines = [
    ...slots.map(({ account, slot, after }) => `${account} ${slot} ${after}`),
    ...coin.map(({ account, after }) => `${account} ${after}`),
  ]
  return [outcome.kind, ...lines.toSorted()].join('\n')
}
