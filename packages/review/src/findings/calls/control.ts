import { isSameAddress, lookupDeployment } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import { addressArgument, addressesNamed, argument, functionName } from '../../call-arguments.ts'
import type { EvidenceOf } from '../../evidence.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { callFinding, codeAt } from '../make-finding.ts'

/** The Safe and its owners, by the chain alone: whoever writes the address book chooses who has a name in it. */
function isOwnSide(address: Address | null, input: ReviewInput): boolean {
  const ownSide = [input.safeAddress, ...(input.state?.owners ?? [])]
  return address !== null && ownSide.some((own) => isSameAddress(own, address))
}

/** Control of a contract goes to somebody else. This is what Radiant's owners signed. */
export function reviewOwnership(call: Call, input: ReviewInput): Finding {
  const newOwner = addressArgument(call, 'newOwner', 'newAdmin', 'owner', 'authority')
  const severity = isOwnSide(newOwner, input) ? 'high' : 'critical'
  return callFinding(call, 'OWNERSHIP-TRANSFER', severity, { function: call.name, newOwner })
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

/** Somebody gains or loses a role on a contract. The role that gives out roles, which is number 0, is all of them. */
export function reviewRole(call: Call, input: ReviewInput): Finding {
  const [role, account] = [argument(call, 'role'), addressArgument(call, 'account')]
  const isAdmin = role !== null && /^(?:0x)?0+$/.test(role)
  const givesAway = functionName(call) === 'grantRole' ? !isOwnSide(account, input) : isOwnSide(account, input)
  const isCritical = /^(?:setRoleAdmin|installModule)$/.test(functionName(call)) || (isAdmin && givesAway)
  return callFinding(call, 'ROLE-CHANGE', isCritical ? 'critical' : 'high', {
    function: call.name,
    role,
    holder: account,
    case: roleCases[functionName(call)],
  })
}

/** Acknowledgement case of each function that changes a role. Other functions use the general sentence. */
const roleCases: Readonly<Record<string, EvidenceOf<'ROLE-CHANGE'>['case']>> = {
  grantRole: 'gains',
  revokeRole: 'loses',
  setRoleAdmin: 'admin',
  addMinter: 'gains-right',
  removeMinter: 'loses-right',
  installModule: 'module',
  uninstallModule: 'module-removed',
}

/** Settings functions that give nobody anything. */
const withdrawing = /^(?:removeOwner|disableModule|removeSupportedInterfaceBatch)$/

/**
 * A settings function on a contract that is not the Safe itself. Modifiers and modules of Zodiac have the same functions,
 * and obey their owner: whoever is enabled on a modifier acts through it in every Safe where it is a module.
 */
export function reviewForeignSettings(call: Call): Finding[] {
  if (call.kind === 'safe-settings' || withdrawing.test(functionName(call))) return []
  const named = ['module', 'guard', 'moduleGuard', 'handler', 'newOwner', 'owner', 'masterCopy', 'newVerifier'] as const
  const holder = addressArgument(call, ...named)
  const isEnd = holder !== null && isSameAddress(holder, zeroAddress)
  const evidence = { function: call.name, holder, case: 'setting' } as const
  return [callFinding(call, 'ROLE-CHANGE', isEnd ? 'high' : 'critical', evidence)]
}

/** The votes of the Safe's tokens go to somebody. They come back by delegating again. */
export function reviewDelegation(call: Call, { safeAddress }: ReviewInput): Finding[] {
  const account = addressArgument(call, 'delegatee')
  if (account === null || isSameAddress(account, safeAddress)) return []
  return [callFinding(call, 'ROLE-CHANGE', 'high', { function: call.name, account, case: 'votes' })]
}

/** Resolvers that ENS itself runs on Ethereum: the owner of a name alone decides what they answer. */
const publicResolvers = [
  '0x4976fb03C32e5B8cfe2b6cCB31c09Ba78EBaBa41',
  '0x231b0Ee14048e9dCcD1d247744d114a4EB5E8E63',
  '0xF29100983E058B709F3D539b0c765937B804AC15',
] as const

/**
 * Another contract answers for a name from then on: whoever pays the name pays whom that contract says. Or the name leads
 * to another site, which may ask its visitors to sign.
 */
export function reviewNaming(call: Call, { chainId }: ReviewInput): Finding[] {
  const name = functionName(call)
  if (name === 'setContenthash')
    return [callFinding(call, 'NAME-CONTENT', 'high', { function: call.name, content: argument(call, 'contentHash') })]
  if (!/^(?:setResolver|setSubnodeRecord|register)$/.test(name)) return []
  const [resolver] = addressesNamed(call, 'resolver')
  const isPublic = chainId === 1 && publicResolvers.some((known) => isSameAddress(known, resolver ?? zeroAddress))
  if (name === 'register' && (isPublic || resolver === undefined || resolver === zeroAddress)) return []
  return [callFinding(call, 'ROLE-CHANGE', 'high', { function: call.name, account: resolver, case: 'resolver' })]
}

/** A timelock waits another time from then on: how long everybody has to object. */
export function reviewDelay(call: Call): Finding[] {
  if (!/^(?:updateDelay|setDelay|setTxCooldown|setTxExpiration)$/.test(functionName(call))) return []
  const delay = call.args.map(({ decoded }) => decoded).find((decoded) => decoded.kind === 'number')?.value
  return [callFinding(call, 'ROLE-CHANGE', 'high', { function: call.name, account: call.to, delay, case: 'delay' })]
}
