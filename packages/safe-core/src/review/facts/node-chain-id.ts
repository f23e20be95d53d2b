import { isHex } from 'viem'
import { defineFact } from './fact.ts'

/** What `eth_chainId` of the node answers. */
export const nodeChainId = defineFact({
  id: 'nodeChainId',
  needs: ({ chainId }) => ({ chainId }),
  async read(chain, { chainId }): Promise<number | null> {
    const answer = await chain(chainId)({ method: 'eth_chainId' })
    return isHex(answer) ? Number(answer) : null
  },
})
