import { CountersignError } from '@countersign/safe'
import { type Address, decodeAbiParameters, type Hex, isHex } from 'viem'
import { defineFact } from '../fact.ts'

/** The address that the factory answers when the creation is run without being sent; `refused` when it reverts. */
export const createdAddress = defineFact({
  id: 'createdAddress',
  needs: (given) => {
    if (given.kind !== 'creation') return null
    const { chainId, factory, data, account } = given
    return { chainId, call: { to: factory, data, ...(account === null ? {} : { from: account }) } }
  },
  async read(chain, { chainId, call }): Promise<Address | 'refused'> {
    try {
      return decodeAddress(await chain(chainId)({ method: 'eth_call', params: [call, 'latest'] }))
    } catch (error) {
      if (isRevert(error)) return 'refused'
      throw error
    }
  },
})

/** Without code a call answers nothing. */
function decodeAddress(answer: unknown): Address | 'refused' {
  if (!isHex(answer) || answer.length !== 66) return 'refused'
  const [address] = decodeAbiParameters([{ type: 'address' }], answer as Hex)
  return address
}

function isRevert(error: unknown): boolean {
  if (!(error instanceof CountersignError) || error.code !== 'RPC_ERROR') return false
  const { rpcCode, rpcMessage } = error.data
  return rpcCode === 3 || (typeof rpcMessage === 'string' && /revert/i.test(rpcMessage))
}
