import { HASH_BLOCK_BYTES, type Steps } from '@countersign/safe'
import { keccak_256 } from '@noble/hashes/sha3'
import { bytesToHex, type Hex } from 'viem'
import type { Work } from './work.ts'

const BLOCKS_OF_STEP = 32

/** Returns the cost of hashing this many bytes, in blocks of keccak-256. */
export function hashWork(bytes: number): number {
  return 1 + Math.ceil(bytes / HASH_BLOCK_BYTES)
}

/** Hashes bytes of any length as viem's `keccak256` does, in steps between which other work can run. */
export function* hashInSteps(bytes: Uint8Array): Steps<Hex> {
  const hash = keccak_256.create()
  const length = BLOCKS_OF_STEP * HASH_BLOCK_BYTES
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length)
    yield part.length / HASH_BLOCK_BYTES
    hash.update(part)
  }
  yield 1
  return bytesToHex(hash.digest())
}

/**
 * Hashes bytes of any length as viem's `keccak256` does, without holding up others.
 *
 * @throws CountersignError `RATE_LIMITED`
 */
export function hashInSlices(work: Work, bytes: Uint8Array): Promise<Hex> {
  return work.run(hashWork(bytes.length), hashInSteps(bytes))
}
