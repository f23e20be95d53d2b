import { type Address, isAddress, isHex } from 'viem'
import { guardedStorage } from '../guarded-storage.ts'
import type { Collecting } from '../sign-in-machine.ts'

const STORED = 'countersign.waiting-sign-in'

type Stored = { account: Address; chainId: number } & Collecting

/**
 * Keeps what the owners of a Safe are waited for. It is of one account, one chain and one message, whose nonce only this
 * browser can use.
 */
export function storeWaitingSignIn(account: Address, chainId: number, { prepared, pending }: Collecting): void {
  guardedStorage.setItem(STORED, JSON.stringify({ account, chainId, prepared, pending } satisfies Stored))
}

export function forgetWaitingSignIn(): void {
  guardedStorage.removeItem(STORED)
}

/** What is waited for as this account on this chain, if it has not expired. */
export function readWaitingSignIn(account: Address, chainId: number, now = Date.now()): Collecting | null {
  const stored = parse(guardedStorage.getItem(STORED))
  if (!stored || stored.account !== account || stored.chainId !== chainId) return null
  const { prepared, pending } = stored
  if (Date.parse(prepared.expiresAt) > now) return { prepared, pending }
  forgetWaitingSignIn()
  return null
}

function parse(text: string | null): Stored | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isStored(value) ? value : null
  } catch {
    return null
  }
}

function isStored(value: unknown): value is Stored {
  if (!isRecord(value) || !isRecord(value.prepared) || !isRecord(value.pending)) return false
  const { message, expiresAt } = value.prepared
  const { messageHash, safeTxHash } = value.pending
  return (
    typeof value.account === 'string' &&
    isAddress(value.account) &&
    typeof value.chainId === 'number' &&
    typeof message === 'string' &&
    typeof expiresAt === 'string' &&
    Number.isFinite(Date.parse(expiresAt)) &&
    (messageHash === null || isHex(messageHash)) &&
    (safeTxHash === null || isHex(safeTxHash))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
