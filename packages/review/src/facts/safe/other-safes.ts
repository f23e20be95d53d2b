import { isSameAddress, readSafeState, type SafeState } from '@countersign/safe'
import { flattenCalls } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { describeTransaction } from '../../targets.ts'
import type { SafeConfiguration } from '../../types.ts'
import { defineFact } from '../fact.ts'

/** Nobody changes more Safes in one transaction; of others the review says that it does not know them. */
const MAX_SAFES = 5

/** The configuration of another Safe, and its version. */
export type OtherSafe = SafeConfiguration & Pick<SafeState, 'version' | 'reportedVersion'>

/** The other Safes whose settings a transaction changes, by lower-case address; absent where one could not be read. */
export const otherSafes = defineFact({
  id: 'otherSafes',
  needs: (given) => {
    if (given.kind !== 'transaction') return null
    const { chainId, safeAddress } = given
    const changed = flattenCalls(describeTransaction(given))
      .filter(({ kind, from }) => kind === 'safe-settings' && !isSameAddress(from, safeAddress))
      .map(({ from }): Address => from)
    const safes = [...new Set(changed)].slice(0, MAX_SAFES)
    return safes.length === 0 ? null : { chainId, safes }
  },
  async read(chain, { chainId, safes }): Promise<Record<string, OtherSafe | undefined>> {
    const request = chain(chainId)
    const read = await Promise.allSettled(safes.map((safe) => readSafeState(request, safe, chainId)))
    return Object.fromEntries(
      read.flatMap((result) => {
        if (result.status === 'rejected') return []
        const { address, singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler } = result.value
        const { version, reportedVersion } = result.value
        const configuration = { singleton, owners, threshold, modules, guard, moduleGuard, fallbackHandler }
        return [[address.toLowerCase(), { ...configuration, version, reportedVersion }] as const]
      }),
    )
  },
})
