import { CountersignError } from '@countersign/safe-core'
import { text } from '../text/text.ts'
import { showUntrusted } from '../text/untrusted.ts'

/** EIP-1193 and EIP-1474 numbers, and WalletConnect's own for "rejected". */
const REJECTED = [4001, 5000]
const BUSY = -32002
const CHAIN_UNKNOWN = 4902
/** EIP-1193 "unauthorized": what a locked wallet answers, and one that keeps this account from the page. */
const LOCKED = 4100
/** EIP-1193 "disconnected": the wallet itself is cut off. */
const GONE = 4900
/** "Unsupported method", and JSON-RPC's "method not found". */
const UNSUPPORTED = [4200, -32601]

/** What a wallet threw, as an error of ours. Wallets agree on numbers, not on classes or words. */
export function toWalletError(error: unknown, wallet: string): CountersignError {
  if (error instanceof CountersignError) return error
  const codes = codesOf(error)
  const make = (code: string, message: string) => new CountersignError(code, message, { cause: error, data: { codes } })
  if (codes.some((code) => REJECTED.includes(code)))
    return make('WALLET_REJECTED', text('wallet.error.rejected', { wallet }))
  if (codes.includes(BUSY)) return make('WALLET_BUSY', text('wallet.error.busy', { wallet }))
  if (codes.includes(CHAIN_UNKNOWN)) return make('CHAIN_NOT_IN_WALLET', text('wallet.error.chainUnknown', { wallet }))
  if (codes.includes(LOCKED)) return make('WALLET_LOCKED', text('wallet.error.locked', { wallet }))
  if (codes.includes(GONE)) return make('WALLET_NOT_AVAILABLE', text('wallet.error.gone', { wallet }))
  if (codes.some((code) => UNSUPPORTED.includes(code)))
    return make('WALLET_METHOD_UNSUPPORTED', text('wallet.error.unsupported', { wallet }))
  return make('WALLET_FAILED', text('wallet.error.failed', { wallet, answer: messageOf(error) }))
}

/** Numbers of the error and of what it wraps: MetaMask on phones hides 4902 in `data.originalError`. */
function codesOf(error: unknown, depth = 0): number[] {
  if (typeof error !== 'object' || error === null || depth > 6) return []
  const own = 'code' in error && typeof error.code === 'number' ? [error.code] : []
  const inner = ['cause', 'data', 'originalError'].flatMap((name) =>
    name in error ? codesOf((error as Record<string, unknown>)[name], depth + 1) : [],
  )
  return [...own, ...inner]
}

function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return showUntrusted(String(message).split('\n')[0] ?? '').replaceAll('`', "'")
}
