import type { SafeState } from '@countersign/safe'
import { type Hex, keccak256, stringToHex } from 'viem'

/** Authority hash of an account that is no longer a Safe. */
export const NO_AUTHORITY: Hex = `0x${'00'.repeat(32)}`

/** State of a Safe that decides which signatures it accepts, or who may change that. */
type Deciding = Pick<
  SafeState,
  'owners' | 'threshold' | 'modules' | 'fallbackHandler' | 'singleton' | 'singletonCodeHash' | 'proxyCodeHash'
>

/** Hashes the state that decides for a Safe. The order of owners and modules does not change the hash. */
export function hashAuthority({ owners, modules, ...safe }: Deciding): Hex {
  const { threshold, fallbackHandler, singleton, singletonCodeHash, proxyCodeHash } = safe
  const sorted = [owners.toSorted(), modules.toSorted()]
  return keccak256(
    stringToHex(JSON.stringify([...sorted, threshold, fallbackHandler, singleton, singletonCodeHash, proxyCodeHash])),
  )
}
