import type { Call } from '../../calldata.ts'
import { lookupDeployment } from '../../deployments.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { addressArgument, argument, callFinding, codeAt } from './evidence.ts'

/** Control of a contract goes to somebody else. This is what Radiant's owners signed. */
export function reviewOwnership(call: Call, input: ReviewInput): Finding {
  const newOwner = addressArgument(call, 'newOwner', 'newAdmin', 'owner', 'authority')
  // By the chain alone. A name says who somebody is believed to be, and whoever writes the address book chooses it.
  const ownSide = [input.safeAddress, ...(input.state?.owners ?? [])]
  const isOwnSide = newOwner !== null && ownSide.some((address) => isSameAddress(address, newOwner))
  return callFinding(call, 'OWNERSHIP-TRANSFER', isOwnSide ? 'high' : 'critical', { function: call.name, newOwner })
}

/** The code of a contract is replaced. */
export function reviewUpgrade(call: Call, input: ReviewInput): Finding {
  const implementation = addressArgument(call, 'newImplementation', 'implementation', 'pool')
  const code = implementation === null ? undefined : codeAt(input.codes, implementation)
  const isOfficial =
    implementation !== null && code !== undefined && lookupDeployment(implementation, code.codeHash) !== null
  return callFinding(call, 'PROXY-UPGRADE', isOfficial ? 'high' : 'critical', {
    function: call.name,
    proxy: addressArgument(call, 'proxy') ?? call.to,
    implementation,
    codeHash: code?.codeHash,
  })
}

/** Somebody gains or loses a role on a contract. */
export function reviewRole(call: Call): Finding {
  return callFinding(call, 'ROLE-CHANGE', 'high', {
    function: call.name,
    role: argument(call, 'role'),
    account: argument(call, 'account'),
  })
}
