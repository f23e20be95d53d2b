import { type Address, getAddress, type Hex, isAddress } from 'viem'
import * as z from 'zod/mini'

// Compiled parsers need eval, which the page's policy forbids; even asking whether it works is a violation.
// Here because every schema is made after this module. zod/mini brings no words for its errors: the server's come with zod.
if ('document' in globalThis) z.config({ jitless: true })

/** EIP-55 address. Lower case is accepted and checksummed; a wrong checksum is refused. */
export const address = z
  .pipe(
    z.string().check(z.refine((text) => isAddress(text), 'must be a 20-byte address with a correct EIP-55 checksum')),
    z.transform((text: string): Address => getAddress(text)),
  )
  .check(z.meta({ description: 'EIP-55 checksummed address', example: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }))

/** 32-byte hash, lower case. */
export const hash = z
  .pipe(z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')), z.transform(lowerCaseHex))
  .check(z.meta({ description: '32-byte hash, lower-case hex' }))

const wholeBytes = z.regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'must be 0x and an even number of hex digits')
const aboutBytes = z.meta({ description: 'bytes, lower-case hex' })

/** Bytes of any length up to `maxBytes`, lower case. */
export function hexUpTo(maxBytes: number) {
  const shorter = z.maxLength(2 + 2 * maxBytes, `must not be longer than ${maxBytes.toLocaleString('en')} bytes`)
  return z.pipe(z.string().check(shorter, wholeBytes), z.transform(lowerCaseHex)).check(aboutBytes)
}

/** Lower-case hex of up to 128 KiB, the most that a node accepts in one transaction. */
export const hex = hexUpTo(131_072)

/** Bytes from the chain or the server, without a limit, so that one long value does not make a whole list unreadable. */
export const storedHex = z.pipe(z.string().check(wholeBytes), z.transform(lowerCaseHex)).check(aboutBytes)

const MAX_UINT256 = (1n << 256n) - 1n

/** uint256 as a decimal string on the wire, bigint in the program. */
export const uint256 = z
  .pipe(
    z.string().check(
      z.regex(/^(?:0|[1-9][0-9]{0,77})$/, {
        error: 'must be a decimal number without sign or leading zero',
        abort: true,
      }),
      z.refine((text) => BigInt(text) <= MAX_UINT256, 'must be below 2^256'),
    ),
    z.transform((text: string) => BigInt(text)),
  )
  .check(z.meta({ description: 'unsigned 256-bit integer, decimal', example: '1000000000000000000' }))

/** A sum of amounts that came and went: it may be below zero, and above what one amount can be. */
export const signedSum = z
  .pipe(
    z
      .string()
      .check(
        z.regex(/^(?:0|-?[1-9][0-9]{0,99})$/, { error: 'must be a decimal number without leading zero', abort: true }),
      ),
    z.transform((text: string) => BigInt(text)),
  )
  .check(z.meta({ description: 'signed integer, decimal', example: '-1000000' }))

/** Chain id as it stands in a path: decimal text. */
export const chainIdParam = z
  .pipe(
    z.string().check(
      z.regex(/^[1-9][0-9]{0,15}$/, { error: 'must be a decimal chain id', abort: true }),
      z.refine((text) => Number.isSafeInteger(Number(text)), 'must be below 2^53'),
    ),
    z.transform(Number),
  )
  .check(z.meta({ description: 'EIP-155 chain id', example: '31337' }))

/** Number of a block as it stands in a path: decimal text. */
export const blockNumberParam = z
  .pipe(
    z.string().check(z.regex(/^(0|[1-9][0-9]{0,14})$/, { error: 'must be a decimal block number', abort: true })),
    z.transform(Number),
  )
  .check(z.meta({ description: 'Number of a block', example: '4711' }))

/** Chain id as it stands in a body. */
export const chainId = z.int().check(z.positive(), z.maximum(Number.MAX_SAFE_INTEGER))

/** ISO 8601 time in UTC. */
export const time = z.iso.datetime().check(
  z.refine((text) => !text.startsWith('0000'), 'must be in a year from 1 on'),
  z.meta({ description: 'ISO 8601 time, UTC' }),
)

/** Text that a person wrote, for one line. Control and direction characters would make it read as something else. */
export function line(maxLength: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(maxLength),
      z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must not contain control or invisible characters'),
    )
}

/** For text that a pattern has already found to be hex. */
function lowerCaseHex(text: string): Hex {
  return text.toLowerCase() as Hex
}
