import { createHash, randomBytes } from 'node:crypto'
import type { Hex } from 'viem'

const BYTES = 32
let drawn = Buffer.alloc(0)

/** 256 random bits, which nobody guesses. They are drawn for many tokens at once: one draw costs as much as a signature's hash. */
export function newToken(): string {
  if (drawn.length < BYTES) drawn = randomBytes(64 * BYTES)
  const token = drawn.subarray(0, BYTES).toString('base64url')
  drawn = drawn.subarray(BYTES)
  return token
}

/** Hashes a token; the database keeps the hash alone. */
export function hashToken(token: string): Hex {
  return `0x${createHash('sha256').update(token).digest('hex')}`
}
