import { type DeclaredEffects, effectLimits, effectParts } from '@countersign/review'
import * as z from 'zod/mini'
import { toWire } from '../wire/endpoint.ts'
import { address, hash, hexUpTo, uint256 } from '../wire/primitives.ts'

/** Signatures of keys: a contract signs no declaration. */
const SIGNATURE_BYTES = 65

const tokenId = z.nullable(uint256)

/**
 * The changes to expect of a transaction, signed by the owner who proposes it. A claim: each page compares it with its own
 * review.
 */
export const declaredEffects = z
  .strictObject({
    version: z.literal(1),
    author: address,
    signature: hexUpTo(SIGNATURE_BYTES),
    /** The parts in which it names every change. */
    covers: z.array(z.enum(effectParts)).check(z.minLength(1), z.maxLength(effectParts.length)),
    assets: z
      .array(z.strictObject({ account: address, token: address, tokenId, isOut: z.boolean(), amount: uint256 }))
      .check(z.maxLength(effectLimits.assets)),
    approvals: z
      .array(z.strictObject({ owner: address, token: address, spender: address, tokenId, amount: uint256 }))
      .check(z.maxLength(effectLimits.approvals)),
    slots: z
      .array(
        z.strictObject({
          account: address,
          slot: hash,
          before: hash,
          after: hash,
          /** It changes, by this value or any other. */
          mayDiffer: z.optional(z.literal(true)),
        }),
      )
      .check(z.maxLength(effectLimits.slots)),
  })
  .check(
    z.refine(
      (declared) => JSON.stringify(toWire(declared)).length <= effectLimits.bytes,
      `must not be longer than ${effectLimits.bytes.toLocaleString('en')} bytes of JSON`,
    ),
  ) satisfies z.ZodMiniType<DeclaredEffects>
