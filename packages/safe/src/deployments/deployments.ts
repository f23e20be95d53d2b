import { type Address, type Hex, keccak256, toFunctionSelector } from 'viem'
import { deploymentChains } from './deployment-chains.data.ts'
import { deployments } from './deployments.data.ts'
import { eravmProxyHashes, hashEravmCode } from './eravm-code.ts'
import { proxies } from './proxy-code.data.ts'

/** Day on which the lists of this release were taken from their packages, and its first moment in ms since 1970. */
export const listsTaken = { day: '2026-11-21', time: 1_795_219_200_000 } as const

/** Purpose of a contract of the Safe project. */
export type DeploymentKind = (typeof deployments)[number][2]

/** A contract that the Safe project has released, at one of its addresses. */
export type Deployment = {
  name: string
  version: string
  kind: DeploymentKind
  /** How the address came about. Contracts of one place are used together. */
  place: 'canonical' | 'eip155' | 'zksync'
  address: Address
  /** keccak256 of the runtime code. Null for modules and passkeys: nobody lists it. */
  codeHash: Hex | null
  /** The list of chains, for `listedChains`. */
  chains: number
}

const table: readonly Deployment[] = deployments.map(([name, version, kind, place, address, codeHash, chains]) => ({
  name,
  version,
  kind,
  place,
  address,
  codeHash,
  chains,
}))

const byAddress = new Map<string, Deployment>()
for (const deployment of table)
  if (!byAddress.has(deployment.address.toLowerCase())) byAddress.set(deployment.address.toLowerCase(), deployment)

/** By the hash that the machine knows the code by: keccak256 on an EVM. */
const proxyVersions = new Map<string, string>([
  ...Object.entries(proxies).map(([version, { codeHash }]) => [codeHash, version] as const),
  ...[...eravmProxyHashes].map(([version, hash]) => [hash, version] as const),
])

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
  'create-call': ['performCreate(uint256,bytes)', 'performCreate2(uint256,bytes,bytes32)'],
}

const delegatecallSelectors = new Map(
  Object.entries(delegatecallFunctions).map(([kind, functions]) => [
    kind,
    functions.map((declaration) => toFunctionSelector(declaration)),
  ]),
)

/**
 * The release at an address, whatever code is there now. Nothing is proven until the code hash is compared.
 *
 * @returns null when no release has the address.
 *
 * @example
 * deploymentAt('0x41675C099F32341bf84BFc5382aF534df5C7461a')?.version // '1.4.1'
 */
export function deploymentAt(address: Address): Deployment | null {
  return byAddress.get(address.toLowerCase()) ?? null
}

/**
 * The release at an address, when the code there is the released code.
 *
 * @param codeHash - keccak256 of what `eth_getCode` answers for the address.
 * @returns null for any other address or code, and for modules, whose code nobody lists.
 *
 * @example
 * lookupDeployment(call.to, keccak256(code))?.kind // 'multi-send-call-only'
 */
export function lookupDeployment(address: Address, codeHash: Hex): Deployment | null {
  const found = deploymentAt(address)
  return found !== null && found.codeHash === codeHash.toLowerCase() ? found : null
}

/**
 * The chains that the official lists name for a deployment. Others may have it too: canonical addresses can be reached on
 * any chain, so only the code there decides.
 *
 * @returns chain ids, ascending.
 *
 * @example
 * listedChains(deployment).includes(10) // whether OP Mainnet is listed
 */
export function listedChains(deployment: Deployment): number[] {
  return (deploymentChains[deployment.chains] ?? '').split(' ').map(Number)
}

/**
 * Which factory makes proxies with this code. A Safe whose own code is none of these may do anything before, or instead
 * of, what its singleton says.
 *
 * @param code - what `eth_getCode` answers for the Safe itself, not for its singleton: of an EVM, or of zkSync's machine.
 * @returns the version of the factory; 1.1.1 for Safes of 1.2.0 too. Null for other code.
 *
 * @example
 * officialProxyVersion(code) // '1.3.0'
 */
export function officialProxyVersion(code: Hex): string | null {
  return proxyVersions.get(keccak256(code)) ?? proxyVersions.get(hashEravmCode(code) ?? '') ?? null
}

/**
 * The release of a contract by what it is for: of several, the first in the list of its version.
 *
 * @param place - which family of addresses the chain has; `canonical` nearly everywhere.
 * @returns null when there is none.
 *
 * @example
 * officialDeployment('factory', '1.4.1')?.address // '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67'
 */
export function officialDeployment(
  kind: DeploymentKind,
  version: string,
  place: Deployment['place'] = 'canonical',
): Deployment | null {
  return (
    table.find(
      (deployment) => deployment.kind === kind && deployment.version === version && deployment.place === place,
    ) ?? null
  )
}

/**
 * Every release of the Safe project that is known here, oldest version first, of all places. Which of them a chain has,
 * only the code there decides.
 *
 * @example
 * officialDeployments().filter(({ kind }) => kind === 'factory')
 */
export function officialDeployments(): readonly Deployment[] {
  return table
}

/**
 * The version of Safe that a singleton is, by its address and its code: `1.4.1`, or `1.4.1+L2`. Never by `VERSION()`,
 * which the singleton answers itself.
 *
 * @returns null when it is not an official release.
 *
 * @example
 * officialSingleton(singleton, keccak256(code))?.version // '1.4.1+L2'
 */
export function officialSingleton(address: Address, codeHash: Hex): { version: string; deployment: Deployment } | null {
  const deployment = lookupDeployment(address, codeHash)
  if (deployment?.kind === 'singleton') return { version: deployment.version, deployment }
  if (deployment?.kind === 'singleton-l2') return { version: `${deployment.version}+L2`, deployment }
  return null
}

/**
 * Whether contracts of this kind are made to be run by delegatecall.
 *
 * @example
 * isDelegatecallLibrary('multi-send') // true; a singleton is not
 */
export function isDelegatecallLibrary(kind: DeploymentKind): boolean {
  return delegatecallSelectors.has(kind)
}

/**
 * Whether this function of this kind of library may be run by delegatecall.
 *
 * @example
 * isDelegatecallAllowed('multi-send', '0x8d80ff0a') // true
 */
export function isDelegatecallAllowed(kind: DeploymentKind, selector: Hex): boolean {
  return delegatecallSelectors.get(kind)?.includes(selector.toLowerCase() as Hex) ?? false
}
