import { CountersignError, type RpcRequest, readSafeState, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { defineFact } from '../fact.ts'

/** More are not asked, and count as unanswered. */
const MAX_CHAINS = 30

/** Whatever has the address of a new Safe on another chain. */
export type Elsewhere = {
  chainId: number
  found: 'nothing' | 'other-code' | 'unanswered' | Pick<SafeState, 'owners' | 'threshold'>
}

/** Code and owners that the address of a new Safe has on the other chains that can be asked. */
export const elsewhere = defineFact({
  id: 'elsewhere',
  needs: ({ kind, chainId, safeAddress, chainIds }) =>
    kind !== 'creation' || chainIds === undefined
      ? null
      : { safeAddress, chainIds: chainIds.filter((other) => other !== chainId) },
  read(chain, { safeAddress, chainIds }): Promise<Elsewhere[]> {
    return Promise.all(
      chainIds.map(async (chainId, index) => ({
        chainId,
        found: index < MAX_CHAINS ? await findAt(chain(chainId), safeAddress, chainId) : 'unanswered',
      })),
    )
  },
})

async function findAt(request: RpcRequest, safeAddress: Address, chainId: number): Promise<Elsewhere['found']> {
  try {
    const { owners, threshold } = await readSafeState(request, safeAddress, chainId)
    return { owners, threshold }
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'NOT_A_SAFE') return 'unanswered'
    const code = await request({ method: 'eth_getCode', params: [safeAddress, 'latest'] }).catch(() => null)
    if (typeof code !== 'string') return 'unanswered'
    return code === '0x' ? 'nothing' : 'other-code'
  }
}
