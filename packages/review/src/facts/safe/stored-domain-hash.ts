import { isBoundToChain } from '@countersign/safe'
import { type Hex, isHex, padHex } from 'viem'
import { defineFact } from '../fact.ts'

/** `domainSeparator` of Safe before 1.3.0. */
const DOMAIN_SLOT: Hex = `0x${'6'.padStart(64, '0')}`

/** Storage slot 6 of the Safe: its domain separator before 1.3.0, which any delegatecall can write anew. */
export const storedDomainHash = defineFact({
  id: 'storedDomainHash',
  // Asked while the Safe is being read, so that one of an old version does not take a second way to the node.
  needs: ({ chainId, safeAddress, state }) =>
    state !== null && isBoundToChain(state) ? null : { chainId, safeAddress },
  async read(chain, { chainId, safeAddress }): Promise<Hex | null> {
    const answer = await chain(chainId)({ method: 'eth_getStorageAt', params: [safeAddress, DOMAIN_SLOT, 'latest'] })
    return isHex(answer) && answer.length <= 66 ? padHex(answer) : null
  },
})
