import { CountersignError } from '@countersign/safe'
import { fail } from '../../text/fail.ts'
import { showUntrusted } from '../../text/untrusted.ts'

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

/** Converts an error of a wallet to one of ours. Wallets agree on numbers, not on classes or words. */
export function toWalletError(error: unknown, wallet: string): CountersignError {
  if (isOurs(error)) return error
  const codes = codesOf(error)
  if (codes.some((code) => REJECTED.includes(code)))
    return fail('WALLET_REJECTED', { reason: 'request', wallet, codes }, error)
  if (codes.includes(BUSY)) return fail('WALLET_BUSY', { wallet, codes }, error)
  if (codes.includes(CHAIN_UNKNOWN)) return fail('CHAIN_NOT_IN_WALLET', { reason: 'unknown', wallet, codes }, error)
  if (codes.includes(LOCKED)) return fail('WALLET_LOCKED', { wallet, codes }, error)
  if (codes.includes(GONE)) return fail('WALLET_NOT_AVAILABLE', { reason: 'gone', wallet, codes }, error)
  if (codes.some((code) => UNSUPPORTED.includes(code)))
    return fail('WALLET_METHOD_UNSUPPORTED', { wallet, codes }, error)
  const answer = wordsOf(error)
  return answer === null
    ? fail('WALLET_FAILED', { reason: 'silent', wallet, codes }, error)
    : fail('WALLET_FAILED', { reason: 'answer', wallet, answer, codes }, error)
}

/**
 * Numbers of the error and of what it wraps: MetaMask on phones hides 4902 in `data.originalError`, others write them as
 * text. Whatever is read of a stranger's object may throw.
 */
export function codesOf(error: unknown, depth = 0): number[] {
  if (typeof error !== 'object' || error === null || depth > 6) return []
  const code = readProperty(error, 'code')
  const isNumber = typeof code === 'number' || (typeof code === 'string' && /^-?\d{1,6}$/.test(code))
  const inner = ['cause', 'data', 'originalError'].flatMap((name) => codesOf(readProperty(error, name), depth + 1))
  return isNumber ? [Number(code), ...inner] : inner
}

/** Errors of the language itself. What they say is for whoever wrote the program, not for its reader. */
const builtIn = /^(Type|Range|Reference|Syntax|Eval|URI|Aggregate)Error$/
const engineWords =
  /is not (a function|defined|iterable|an? (object|constructor))|(Cannot|can't) (read|set|access|convert|destructure|redefine)|(undefined|null) (is|has)|is (undefined|null)|\[object |Maximum call stack|^\s*$/i

/** Gives the wallet's own words about an error; null when a person could use none of them. */
export function wordsOf(error: unknown): string | null {
  const said = typeof error === 'object' && error !== null ? readProperty(error, 'message') : error
  if (typeof said !== 'string' || engineWords.test(said) || builtIn.test(nameOf(error))) return null
  return showUntrusted((said.split('\n')[0] ?? '').replace(/\.$/, '')).replaceAll('`', "'")
}

function nameOf(error: unknown): string {
  const name = readProperty(error, 'name')
  return typeof name === 'string' ? name : ''
}

export function readProperty(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}

export function isOurs(error: unknown): error is CountersignError {
  try {
    return error instanceof CountersignError
  } catch {
    return false
  }
}
