import { callContract, safeAbi } from '@countersign/safe'
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { defineFact } from '../fact.ts'

/** Answer of the Safe's `getTransactionHash`. A Safe that is not on the chain yet answers nothing. */
export const chainSafeTxHash = defineFact({
  id: 'chainSafeTxHash',
  needs: (given) =>
    given.kind === 'transaction' && given.state?.creation === undefined
      ? { chainId: given.chainId, safeAddress: given.safeAddress, safeTx: given.safeTx }
      : null,
  async read(chain, { chainId, safeAddress, safeTx }): Promise<Hex | null> {
    const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
    const call = { abi: safeAbi, functionName: 'getTransactionHash' } as const
    const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce] as const
    const answer = await callContract(chain(chainId), {
      to: safeAddress,
      data: encodeFunctionData({ ...call, args }),
    })
    return answer ? decodeFunctionResult({ ...call, data: answer }) : null
  },
})
