import { domainVersion, isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import { signedConfirmations } from '../simulation/signed-confirmations.ts'
import type { SimulatedTransaction } from '../simulation/simulation-result.ts'
import { defineFact } from './fact.ts'
import type { SimulationNeed } from './simulate.ts'

/**
 * A run of the whole transaction at one block, with the signatures that there are, and the node's own word on it. Approvals
 * that are missing are taken as given. Nothing is run of what can never be executed.
 */
export const simulation = defineFact({
  id: 'simulation',
  needs: (given): SimulationNeed | null => {
    if (given.kind !== 'transaction' || given.state === null || given.blockNumber === undefined) return null
    const { chainId, safeAddress, safeTx, state, account, blockNumber } = given
    const { owners, threshold } = state
    const [firstOwner] = owners
    if (safeTx.nonce < state.nonce || firstOwner === undefined) return null
    const executor: Address = account ?? firstOwner
    const version = domainVersion(state)
    const confirmations = owners.flatMap((owner) =>
      given.confirmations.filter((one) => isSameAddress(one.owner, owner)),
    )
    return {
      chainId,
      blockNumber,
      run: {
        kind: 'safe-transaction',
        safeAddress,
        version,
        owners,
        threshold,
        safeTx,
        confirmations,
        executor,
        ...(state.creation === undefined ? {} : { creation: state.creation }),
      },
    }
  },
  async read(_chain, need, simulate): Promise<SimulatedTransaction | null> {
    if (simulate === undefined) return null
    const confirmations = await signedConfirmations(need.run, need.chainId)
    return simulate({ ...need, run: { ...need.run, confirmations } })
  },
})
