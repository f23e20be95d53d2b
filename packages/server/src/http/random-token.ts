import { createHash, randomBytes } from 'node:crypto'
import type { Hex } from 'viem'

/** 256 random bits, which nobody guesses. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Hashes a token; the database keeps the hash alone. */
export function hashToken(token: string): Hex {
  return `0x${createHash('sha256').update(token).digest('hex')}`
}
