import { CountersignError, isBoundToChain, readSafeState, type SafeState } from '@countersign/safe'
import { defineFact } from '../fact.ts'

/** More are not asked, and count as unanswered. */
const MAX_CHAINS = 30

/** A Safe at the same address on another chain: what decides whether a signature holds there too. */
export type SafeElsewhere = Pick<SafeState, 'owners' | 'threshold' | 'nonce' | 'version' | 'reportedVersion'>

/**
 * Other chains that can be asked, and the Safe at this Safe's address there; null where there is none. Asked before
 * 1.3.0 alone: since then the chain is part of what is signed.
 */
export const otherChains = defineFact({
  id: 'otherChains',
  needs: ({ chainId, safeAddress, state, chainIds }) =>
    state === null || chainIds === undefined || isBoundToChain(state)
      ? null
      : { safeAddress, chainIds: chainIds.filter((other) => other !== chainId) },
  read(chain, { safeAddress, chainIds }): Promise<OtherChain[]> {
    return Promise.all(
      chainIds.map(async (chainId, index): Promise<OtherChain> => {
        if (index >= MAX_CHAINS) return { chainId, safe: 'unanswered' }
        try {
          const state = await readSafeState(chain(chainId), safeAddress, chainId)
          const { owners, threshold, nonce, version, reportedVersion } = state
          return { chainId, safe: { owners, threshold, nonce, version, reportedVersion } }
        } catch (error) {
          const isNotGuard = error instanceof CountersignError && error.code === 'NOT_A_SAFE'
          return { chainId, safe: isNotGuard ? null : 'unanswered' }
        }
      }),
    )
  },
})

/** The account at the Safe's address on another chain. */
export type OtherChain = { chainId: number; safe: SafeElsewhere | null | 'unanswered' }
