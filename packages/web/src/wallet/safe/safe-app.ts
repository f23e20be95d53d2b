import type SafeAppsSDK from '@safe-global/safe-apps-sdk'
import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem'
import { fail } from '../../text/fail.ts'
import { isFramed } from './frame.ts'

/** The interface around this page answers at once, or it is none. */
const INFO_MS = 1_000
/** Answer of a Safe interface when the person declines: the protocol has words for it, no number. */
const DECLINED = 'Transaction was rejected'

export type SafeAccount = { address: Address; chainId: number }

/** Outcome of asking the Safe to sign: done, or owners still have to sign somewhere. */
export type SafeAnswer =
  | { kind: 'signed'; signature: Hex }
  | { kind: 'waiting'; messageHash: Hex | null; safeTxHash: Hex | null }

/** The Safe that this page is shown in, as a Safe App. */
export type SafeApp = {
  readAccount: () => Promise<SafeAccount>
  signMessage: (message: string) => Promise<SafeAnswer>
  /** Reads the joined signatures of the owners, off the chain or on it (empty bytes); null: not enough yet. */
  readSignature: (message: string, messageHash: Hex | null) => Promise<Hex | null>
  /** How long to wait before it is asked again; as `collectSignature` does where nothing is said. */
  waits?: { firstMs: number; maxMs: number }
}

let opened: Promise<SafeAppsSDK> | undefined

/** @param hosts origins that are listened to; what any other says is nothing */
export function openSafeApp(hosts: readonly string[]): SafeApp {
  opened ??= load(hosts).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  const sdk = opened
  return {
    readAccount: async () => {
      if (!isFramed()) throw notAvailable('outside')
      return toAccount(await within(INFO_MS, (await sdk).safe.getInfo()))
    },
    signMessage: async (message) => {
      const { eth, txs } = await sdk
      // Without it an interface may sign on the chain alone, which costs gas.
      await eth.setSafeSettings([{ offChainSigning: true }])
      return toAnswer(await txs.signMessage(message).catch(rethrow))
    },
    readSignature: async (message, messageHash) => {
      const { safe } = await sdk
      const signature: unknown = messageHash ? await safe.getOffChainSignature(messageHash) : undefined
      if (isBytes(signature)) return signature
      return (await safe.isMessageSigned(message)) ? '0x' : null
    },
  }
}

async function load(hosts: readonly string[]): Promise<SafeAppsSDK> {
  const { default: Sdk } = await import('@safe-global/safe-apps-sdk')
  return new Sdk({ allowedDomains: hosts.map((host) => new RegExp(`^${host.replace(/[.[\]]/g, '\\$&')}$`)) })
}

function notAvailable(reason: 'outside' | 'silent' | 'malformed') {
  return fail('WALLET_NOT_AVAILABLE', { reason })
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(notAvailable('silent')), milliseconds)
  })
  return Promise.race([answer, silence]).finally(() => clearTimeout(timer))
}

function toAccount(info: unknown): SafeAccount {
  const { safeAddress, chainId } = toRecord(info)
  const id = Number(chainId)
  if (
    typeof safeAddress !== 'string' ||
    !isAddress(safeAddress, { strict: false }) ||
    !Number.isSafeInteger(id) ||
    id < 1
  )
    throw notAvailable('malformed')
  return { address: getAddress(safeAddress), chainId: id }
}

function toAnswer(answer: unknown): SafeAnswer {
  const { signature, messageHash, safeTxHash } = toRecord(answer)
  if (isBytes(signature)) return { kind: 'signed', signature }
  return {
    kind: 'waiting',
    messageHash: isBytes(messageHash) ? messageHash : null,
    safeTxHash: isBytes(safeTxHash) ? safeTxHash : null,
  }
}

function rethrow(error: unknown): never {
  if (error instanceof Error && error.message === DECLINED)
    throw fail('WALLET_REJECTED', { reason: 'request', wallet: 'Safe' }, error)
  throw error
}

function isBytes(value: unknown): value is Hex {
  return isHex(value) && value.length > 2
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
