import type { SafeState } from '@countersign/safe'
import { type Hex, keccak256, stringToHex } from 'viem'

/** Stands for a Safe that is none any more. */
export const NO_AUTHORITY: Hex = `0x${'00'.repeat(32)}`

/** Everything of a Safe that decides which signatures it takes for its own, or who may change that. */
type Deciding = Pick<
  SafeState,
  'owners' | 'threshold' | 'modules' | 'fallbackHandler' | 'singleton' | 'singletonCodeHash' | 'proxyCodeHash'
>

/** Hashes who decides for a Safe. The order in which the Safe lists them is of no matter. */
export function hashAuthority({ owners, modules, ...safe }: Deciding): Hex {
  const { threshold, fallbackHandler, singleton, singletonCodeHash, proxyCodeHash } = safe
  const sorted = [owners.toSorted(), modules.toSorted()]
  return keccak256(
    stringToHex(JSON.stringify([...sorted, threshold, fallbackHandler, singleton, singletonCodeHash, proxyCodeHash])),
  )
}
