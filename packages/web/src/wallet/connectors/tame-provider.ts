import type { CountersignError } from '@countersign/safe'
import { isHex, numberToHex } from 'viem'
import { fail } from '../../text/fail.ts'
import type { Provider } from './connector.ts'
import { parseAccounts, parseChainId } from './provider-values.ts'
import { codesOf, isOurs, readProperty, wordsOf } from './wallet-errors.ts'

type Listener = (value: unknown) => void
type Foreign = { request: (args: { method: string; params?: unknown }) => unknown; [event: string]: unknown }

/** Whether something can be asked as a wallet. A stranger's object may throw whatever is read of it. */
export function isProvider(value: unknown): value is object {
  try {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
    return isObject && typeof Reflect.get(value, 'request') === 'function'
  } catch {
    return false
  }
}

/**
 * A wallet's provider as EIP-1193 has it, whatever the wallet does: requests reject with an Error that has a `code`,
 * accounts and chain ids are what they claim to be, listeners can be added and removed. Nothing is written to the
 * foreign object.
 */
export function tameProvider(foreign: object, wallet: string): Provider {
  const provider = foreign as Foreign
  const wrappers = new Map<string, Map<Listener, Listener>>()
  return {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      let answer: unknown
      try {
        answer = await provider.request({ method, ...(params === undefined ? {} : { params }) })
      } catch (error) {
        throw toProviderError(error)
      }
      return parseAnswer(method, answer, wallet)
    },
    on: (event: string, listener: Listener) => {
      const ofEvent = wrappers.get(event) ?? new Map<Listener, Listener>()
      wrappers.set(event, ofEvent)
      const onEvent = (value: unknown) => {
        // Some wallets never stop telling.
        if (ofEvent.get(listener) !== onEvent) return
        const parsed = parseEvent(event, value)
        if (parsed) listener(parsed.value)
      }
      ofEvent.set(listener, onEvent)
      callIfThere(provider, ['on', 'addListener'], event, onEvent)
    },
    removeListener: (event: string, listener: Listener) => {
      const onEvent = wrappers.get(event)?.get(listener)
      if (!onEvent) return
      wrappers.get(event)?.delete(listener)
      callIfThere(provider, ['removeListener', 'off'], event, onEvent)
    },
  }
}

function callIfThere(provider: Foreign, names: string[], event: string, listener: Listener): void {
  try {
    const name = names.find((name) => typeof provider[name] === 'function')
    if (name) (provider[name] as (event: string, listener: Listener) => void)(event, listener)
  } catch {
    // A wallet without events is asked for its account and chain before each signature all the same.
  }
}

/** Callers read `code` of whatever is thrown. */
function toProviderError(error: unknown): Error {
  if (isOurs(error)) return error
  const code = codesOf(error)[0]
  return Object.assign(new Error(wordsOf(error) ?? ''), { cause: error }, code === undefined ? {} : { code })
}

const signing = new Set(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction'])

function parseAnswer(method: string, answer: unknown, wallet: string): unknown {
  switch (method) {
    case 'eth_accounts':
      return parseList(answer) ?? []
    case 'eth_requestAccounts': {
      const accounts = parseList(answer)
      if (accounts && accounts.length > 0) return accounts
      // Wallets that are locked answer with an empty list.
      if (Array.isArray(answer) && answer.length === 0) throw fail('WALLET_LOCKED', { wallet })
      throw fail('WALLET_FAILED', { reason: 'no-account', wallet })
    }
    case 'wallet_requestPermissions':
      return [{ caveats: [{ value: parsePermitted(answer) }] }]
    case 'eth_chainId': {
      const chainId = parseChainId(answer)
      if (chainId !== undefined) return numberToHex(chainId)
      throw unreadableChain(wallet)
    }
    default:
      if (!signing.has(method) || isHex(answer)) return answer
      throw unsigned(wallet)
  }
}

export function unreadableChain(wallet: string): CountersignError {
  return fail('WALLET_FAILED', { reason: 'no-chain', wallet })
}

export function unsigned(wallet: string): CountersignError {
  return fail('WALLET_FAILED', { reason: 'unsigned', wallet })
}

function parseEvent(event: string, value: unknown): { value: unknown } | null {
  switch (event) {
    case 'accountsChanged':
      // An account that cannot be read is one that cannot be shown or signed with.
      return { value: parseList(value) ?? [] }
    case 'chainChanged': {
      const chainId = parseChainId(value)
      return chainId === undefined ? null : { value: numberToHex(chainId) }
    }
    case 'connect': {
      const chainId = parseChainId(readProperty(value, 'chainId'))
      return chainId === undefined ? null : { value: { chainId: numberToHex(chainId) } }
    }
    default:
      return { value: { code: readProperty(value, 'code') } }
  }
}

function parseList(value: unknown) {
  try {
    return parseAccounts(value)
  } catch {
    return null
  }
}

function parsePermitted(answer: unknown) {
  const caveats = readProperty(readProperty(answer, '0'), 'caveats')
  return parseList(readProperty(readProperty(caveats, '0'), 'value')) ?? []
}
