import { isHex } from 'viem'
import { defineFact } from './fact.ts'

/** Answer of the node to `eth_chainId`. */
export const nodeChainId = defineFact({
  id: 'nodeChainId',
  needs: ({ chainId }) => ({ chainId }),
  async read(chain, { chainId }): Promise<number | null> {
    const answer = await chain(chainId)({ method: 'eth_chainId' })
    return isHex(answer) ? Number(answer) : null
  },
})
