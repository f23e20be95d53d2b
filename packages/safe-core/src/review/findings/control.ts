import type { Call } from '../../calldata.ts'
import { lookupDeployment } from '../../deployments.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import type { Finding } from '../types.ts'
import { addressArgument, argument, callFinding, codeAt, functionName } from './evidence.ts'

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

/** Somebody gains or loses a role on a contract. Who administers roles can give every other one. */
export function reviewRole(call: Call, input: ReviewInput): Finding {
  const role = argument(call, 'role')
  const account = addressArgument(call, 'account')
  const ownSide = [input.safeAddress, ...(input.state?.owners ?? [])]
  const isOwnSide = account !== null && ownSide.some((address) => isSameAddress(address, account))
  const isOfAdmin = functionName(call) === 'grantRole' && role !== null && isZeroRole(role)
  const isPower = (isOfAdmin && !isOwnSide) || functionName(call) === 'setRoleAdmin'
  return callFinding(call, 'ROLE-CHANGE', isPower ? 'critical' : 'high', { function: call.name, role, account })
}

/** `DEFAULT_ADMIN_ROLE` of AccessControl, and `ADMIN_ROLE` of AccessManager. */
function isZeroRole(role: string): boolean {
  return /^(?:0x)?0+$/.test(role)
}
