import { type Address, type Hex, isAddressEqual, toFunctionSelector } from 'viem'
import { deployments } from './deployments.data.ts'

/** What a contract of the Safe project is for. */
export type DeploymentKind = (typeof deployments)[number]['kind']

/** A contract that the Safe project has released, at one of its addresses. */
export type Deployment = {
  name: string
  version: string
  kind: DeploymentKind
  /** How the address came about. Contracts of one place are used together. */
  place: 'canonical' | 'eip155' | 'zksync'
  address: Address
  /** keccak256 of the runtime code */
  codeHash: Hex
}

const table: readonly Deployment[] = deployments

/** The contracts a Safe may run as itself, and the functions of each that it may run. */
const delegatecallFunctions: Partial<Record<DeploymentKind, readonly string[]>> = {
  'multi-send': ['multiSend(bytes)'],
  'multi-send-call-only': ['multiSend(bytes)'],
  'sign-message-lib': ['signMessage(bytes)'],
  migration: [
    'migrateSingleton()',
    'migrateWithFallbackHandler()',
    'migrateL2Singleton()',
    'migrateL2WithFallbackHandler()',
  ],
  'l2-migration': ['migrateToL2(address)', 'migrateFromV111(address,address)'],
}

const delegatecallSelectors = new Map(
  Object.entries(delegatecallFunctions).map(([kind, functions]) => [
    kind,
    functions.map((one) => toFunctionSelector(one)),
  ]),
)

/** The release at an address, whatever code is there now. Nothing is proven until the code hash is compared. */
export function deploymentAt(address: Address): Deployment | null {
  return table.find((one) => isAddressEqual(one.address, address)) ?? null
}

/** The release at an address, when the code there is the released code. */
export function lookupDeployment(address: Address, codeHash: Hex): Deployment | null {
  const found = deploymentAt(address)
  return found !== null && found.codeHash === codeHash.toLowerCase() ? found : null
}

/** The release of a contract by what it is for. */
export function officialDeployment(
  kind: DeploymentKind,
  version: string,
  place: Deployment['place'] = 'canonical',
): Deployment | null {
  return table.find((one) => one.kind === kind && one.version === version && one.place === place) ?? null
}

/**
 * The version of Safe that a singleton is, by its address and its code: `1.4.1`, or `1.4.1+L2`. Never by `VERSION()`,
 * which the singleton answers itself.
 *
 * @returns null when it is not an official release.
 */
export function officialSingleton(address: Address, codeHash: Hex): { version: string; deployment: Deployment } | null {
  const deployment = lookupDeployment(address, codeHash)
  if (deployment?.kind === 'singleton') return { version: deployment.version, deployment }
  if (deployment?.kind === 'singleton-l2') return { version: `${deployment.version}+L2`, deployment }
  return null
}

/** Whether contracts of this kind are made to be run by delegatecall. */
export function isDelegatecallLibrary(kind: DeploymentKind): boolean {
  return delegatecallSelectors.has(kind)
}

/** Whether this function of this kind of library may be run by delegatecall. */
export function isDelegatecallAllowed(kind: DeploymentKind, selector: Hex): boolean {
  return delegatecallSelectors.get(kind)?.includes(selector.toLowerCase() as Hex) ?? false
}

/**
 * The library that a delegatecall would run. All three must fit: address, code hash and function.
 *
 * @returns null when any of them does not: unknown code would run as the Safe and could change anything.
 */
export function knownDelegatecallTarget(call: { to: Address; codeHash: Hex; selector: Hex }): Deployment | null {
  const deployment = lookupDeployment(call.to, call.codeHash)
  return deployment !== null && isDelegatecallAllowed(deployment.kind, call.selector) ? deployment : null
}
