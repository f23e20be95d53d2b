import {
  type BlockHeader,
  type FinishedSimulation,
  gasToOffer,
  type SafeTxRun,
  type SimulationRun,
} from '@countersign/safe-core'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { hardforkBefore } from './hardfork.ts'

/** Changes that a run makes, apart from tokens, which are slots of their contracts. */
export type RunChanges = Pick<FinishedSimulation, 'outcome' | 'slots' | 'balances'>

/** Somebody who sends it pays a little more than the base fee: the twentieth part. */
const TIP_PART = 20n

/** A transaction and the rules by which it is run. */
export type Conditions = { run: SafeTxRun; hardfork: string }

/**
 * Gives the same transaction as it may well be sent: with the gas that is offered for it; with a tip, and by the
 * rules before, where the chain may still live by them. Code can see all of that, and may wait for it to do harm. None where
 * the gas is given, or nothing happens.
 *
 * @example
 * for (const { run, hardfork } of otherConditions(run, finished, { chainId, header, hardfork })) …
 */
export function otherConditions(
  run: SimulationRun,
  { outcome, gasPeak }: Pick<FinishedSimulation, 'outcome' | 'gasPeak'>,
  { chainId, header, hardfork }: { chainId: number; header: BlockHeader; hardfork: string },
): Conditions[] {
  if (run.kind !== 'safe-transaction' || run.gas !== undefined || outcome.kind === 'reverted') return []
  const price = run.gasPrice ?? header.baseFeePerGas ?? 0n
  // A refund in coin is paid at the price of the gas, as far as the Safe allows.
  const isRefundAtPrice = isAddressEqual(run.safeTx.gasToken, zeroAddress) && run.safeTx.gasPrice > price
  const tip = isRefundAtPrice ? 0n : price / TIP_PART + 1n
  return [
    {
      run: { ...run, gas: gasToOffer(gasPeak, { signatures: run.threshold, safeTxGas: run.safeTx.safeTxGas }) },
      hardfork,
    },
    { run: { ...run, gasPrice: price + tip }, hardfork: hardforkBefore(chainId, hardfork) },
  ]
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
