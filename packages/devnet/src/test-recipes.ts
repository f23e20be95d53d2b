import fc from 'fast-check'
import type { Hex } from 'viem'
import { bytesOf } from './test-safes.ts'

/** One fixed part, and the bytes behind it, as a recipe: the same for the hashes of all versions. */
export type Part =
  | { kind: 'ecdsa'; signer: number; isEthSign: boolean; isHighS: boolean; v: number | null }
  | { kind: 'approved'; owner: number; dirt: bigint }
  | { kind: 'contract'; owner: number; answer: 'valid' | 'wrong' | 'none' | Hex; place: Place }
  | { kind: 'bytes'; bytes: Hex }

/** Where a contract signature points: to its bytes, by so many away, or anywhere. */
type Place = { shift: number } | { offset: bigint }

const anyV = fc.oneof(fc.nat(255), fc.constantFrom(2, 26, 27, 28, 29, 30, 31, 32, 33, 35, 36))
const anyPlace: fc.Arbitrary<Place> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ shift: 0 }) },
  { weight: 1, arbitrary: fc.record({ shift: fc.integer({ min: -70, max: 70 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      offset: fc.oneof(
        fc.bigInt({ min: 0n, max: 800n }),
        fc.bigInt({ min: 2n ** 256n - 100n, max: 2n ** 256n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      ),
    }),
  },
)
const anyPart: fc.Arbitrary<Part> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ecdsa' as const),
      signer: fc.constantFrom(0, 0, 1, 1, 2, 2, 3),
      isEthSign: fc.boolean(),
      isHighS: fc.boolean(),
      v: fc.option(anyV, { freq: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('approved' as const),
      owner: fc.nat(8),
      dirt: fc.oneof({ weight: 4, arbitrary: fc.constant(0n) }, fc.bigInt({ min: 0n, max: 2n ** 96n - 1n })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('contract' as const),
      owner: fc.constantFrom(3, 3, 3, 4, 4, 4, 5, 5, 0, 6, 7),
      answer: fc.oneof(
        { weight: 5, arbitrary: fc.constant('valid' as const) },
        fc.constantFrom('wrong' as const, 'none' as const),
        bytesOf(0, 100),
      ),
      place: anyPlace,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bytes' as const), bytes: bytesOf(65, 65) }) },
)

/** Signature of an owner who means well. */
const honestPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    kind: fc.constant('ecdsa' as const),
    signer: fc.constantFrom(0, 1, 2),
    isEthSign: fc.boolean(),
    isHighS: fc.boolean(),
    v: fc.constant(null),
  }),
  fc.record({ kind: fc.constant('approved' as const), owner: fc.constantFrom(0, 0, 1), dirt: fc.constant(0n) }),
  fc.record({
    kind: fc.constant('contract' as const),
    owner: fc.constantFrom(3, 4, 5),
    answer: fc.constant('valid' as const),
    place: fc.constant({ shift: 0 }),
  }),
)

export type Recipe = {
  parts: Part[]
  isSorted: boolean
  tail: Hex
  cut: number
  flip: { place: number; bits: number } | null
  threshold: number
  executor: number
}

const hostileRecipe: fc.Arbitrary<Recipe> = fc.record({
  parts: fc.array(fc.oneof(anyPart, honestPart), { maxLength: 4 }),
  isSorted: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
  tail: fc.oneof({ weight: 3, arbitrary: fc.constant('0x' as Hex) }, bytesOf(0, 80)),
  cut: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.nat(120)),
  flip: fc.option(fc.record({ place: fc.nat(500), bits: fc.integer({ min: 1, max: 255 }) }), { freq: 8 }),
  threshold: fc.oneof({ weight: 6, arbitrary: fc.constant(2) }, fc.nat(4)),
  executor: fc.nat(3),
})

const honestRecipe: fc.Arbitrary<Recipe> = fc.record({
  parts: fc.uniqueArray(honestPart, {
    minLength: 2,
    maxLength: 4,
    selector: (part) => (part.kind === 'ecdsa' ? part.signer : part.kind === 'bytes' ? 0 : part.owner),
  }),
  isSorted: fc.constant(true),
  tail: fc.constant('0x' as Hex),
  cut: fc.constant(0),
  flip: fc.constant(null),
  threshold: fc.constant(2),
  executor: fc.nat(3),
})

/** Half of it wrong in one way or another, the rest in order. */
export const anyRecipe = fc.oneof({ weight: 2, arbitrary: hostileRecipe }, { weight: 1, arbitrary: honestRecipe })
