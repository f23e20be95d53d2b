import type { Address, Hex } from 'viem'

/** A payment out of the Safe. `amount` is in the smallest unit of the asset: wei for the chain's coin. */
export type PaymentIntent =
  | { kind: 'send-native'; to: Address; amount: bigint }
  | { kind: 'send-erc20'; token: Address; to: Address; amount: bigint }
  | { kind: 'send-erc721'; collection: Address; to: Address; tokenId: bigint }
  | { kind: 'send-erc1155'; collection: Address; to: Address; tokenId: bigint; amount: bigint }

/**
 * A call whose bytes are known: pasted, or encoded from an ABI. `value` is in wei. With `operation` 1 the code at the address
 * runs as the Safe itself.
 */
export type CallIntent = { kind: 'call'; to: Address; value: bigint; data: Hex; operation?: 0 | 1 }

/** A change of the Safe's own settings. Null stands for none: the guard or handler is taken away. */
export type SettingsIntent =
  | { kind: 'add-owner'; owner: Address; threshold: number }
  | { kind: 'remove-owner'; owner: Address; threshold: number }
  | { kind: 'swap-owner'; owner: Address; newOwner: Address }
  | { kind: 'change-threshold'; threshold: number }
  | { kind: 'enable-module'; module: Address }
  | { kind: 'disable-module'; module: Address }
  | { kind: 'set-guard'; guard: Address | null }
  | { kind: 'set-module-guard'; guard: Address | null }
  | { kind: 'set-handler'; handler: Address | null }

/** The Safe runs the code of another release from then on, by the official migration contract of that release. */
export type UpgradeIntent = { kind: 'upgrade'; version: UpgradeVersion; isL2: boolean; setsHandler: boolean }

/** A release that has a migration contract. */
export type UpgradeVersion = '1.4.1' | '1.5.0'

/**
 * A change of spending limits, by the Allowance Module. `token` zero is the chain's coin; `amount` is in its smallest unit
 * and starts anew every `resetMinutes`, never where they are 0.
 */
export type LimitIntent =
  | {
      kind: 'set-limit'
      module: Address
      delegate: Address
      token: Address
      amount: bigint
      resetMinutes: number
    }
  | { kind: 'reset-limit'; module: Address; delegate: Address; token: Address }
  | { kind: 'delete-limit'; module: Address; delegate: Address; token: Address }

/** One thing that a transaction in the making is to do, in the terms of the person who composes it. */
export type Intent = PaymentIntent | CallIntent | SettingsIntent | UpgradeIntent | LimitIntent

/** Why an intent would be lost, refused or dangerous, by the field that has to change. */
export type IntentProblemReason =
  | 'zero-address'
  | 'token-itself'
  | 'safe-itself'
  | 'amount-zero'
  | 'amount-too-large'
  | 'does-nothing'
  | 'owner-reserved'
  | 'owner-there'
  | 'owner-missing'
  | 'last-owner'
  | 'threshold-zero'
  | 'threshold-above-owners'
  | 'module-reserved'
  | 'module-there'
  | 'module-missing'
  | 'place-reserved'
  | 'unchanged'
  | 'needs-version'
  | 'unofficial-version'
  | 'older-version'
  | 'no-migration'
  | 'not-alone'
  | 'foreign-code'
  | 'value-stays'
  | 'period-too-long'

/**
 * One fault of an intent: the field, and the reason. `owners` is how many the Safe has at that point; `version` the release
 * that is needed, or the one that is there.
 */
export type IntentProblem = {
  field: string
  reason: IntentProblemReason
  owners?: number
  version?: string
}
