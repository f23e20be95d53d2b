import type { ReportedPack } from '@countersign/contract'
import type { Address, Hex } from 'viem'

/** Lasts as long as the page: what is loaded again is another review. */
const made = new Map<string, ReportedPack>()

const keyOf = (account: Address, safeTxHash: Hex) => `${account} ${safeTxHash}`.toLowerCase()

/** Keeps which proof pack an account made last of a transaction on this page. */
export function rememberPack(account: Address, safeTxHash: Hex, pack: ReportedPack): void {
  made.set(keyOf(account, safeTxHash), pack)
}

/** Gives the proof pack that an account made last of a transaction on this page; null: none. */
export function madePack(account: Address, safeTxHash: Hex): ReportedPack | null {
  return made.get(keyOf(account, safeTxHash)) ?? null
}
