import { type Address, type Hex, isHex, zeroAddress } from 'viem'
import { type Deployment, deploymentAt } from '../deployments/deployments.ts'
import { proxies } from '../deployments/proxy-code.data.ts'
import { fail } from '../error-sentences.ts'
import { isSameAddress } from '../same-address.ts'
import { decodeSafeCreation, predictProxyAddress, type SafeCreation } from './safe-creation.ts'
import { encodeSetup, type SafeSetup } from './safe-setup.ts'
import { isVersionBefore } from './safe-version.ts'

/** A call of a proxy factory that creates a Safe, stored until somebody sends it. Unverified. */
export type CreationCall = { factory: Address; data: Hex }

/** Bytes that the call may have: a Safe of a thousand owners fits. */
export const MAX_CREATION_BYTES = 40_000

/** The state of a Safe to be, derived from its creation call alone. */
export type UndeployedSafe = {
  address: Address
  owners: Address[]
  threshold: number
  singleton: Address
  fallbackHandler: Address | null
  /** Such as `1.4.1` or `1.4.1+L2`. It is valid once the code of `contracts` has been compared. */
  version: string
  /** keccak256 of the code that the Safe itself will have. */
  proxyCodeHash: Hex
  /** The official contracts that it is made of, the singleton last. The caller compares their code on the chain. */
  contracts: Deployment[]
}

/**
 * Derives what a Safe will be from the call that creates it. Accepts only calls with one possible outcome: an official factory of
 * any version in `proxies` using CREATE2, an official singleton from 1.3.0 on, and no set-up code other than `SafeToL2Setup`.
 *
 * @param chainId - selects the singleton if `SafeToL2Setup` runs, and changes the address for the chain-specific methods.
 * @throws CountersignError `CREATION_REFUSED` with the reason.
 *
 * @example
 * const { to: factory, data } = encodeCreateProxy(newSafe)
 * describeUndeployedSafe({ factory, data }, 1).address // predictSafeAddress(newSafe)
 */
export function describeUndeployedSafe({ factory: to, data }: CreationCall, chainId: number): UndeployedSafe {
  if (data.length > 2 + 2 * MAX_CREATION_BYTES || !isHex(data))
    throw fail('CREATION_REFUSED', { reason: 'size', limit: MAX_CREATION_BYTES })
  const creation = decodeSafeCreation({ to, data })
  if (creation === null) throw fail('CREATION_REFUSED', { reason: 'unreadable', factory: to })
  const { method, setup } = creation
  const { factory, proxy } = officialFactoryOf(creation, to)
  if (method === 'createProxy' || method === 'createProxyWithCallback')
    throw fail('CREATION_REFUSED', { reason: 'method', method })
  const { contracts, singleton, version } = singletonOf(creation, chainId)
  if (setup === null || !isSetupAccepted(setup, creation.initializer, version))
    throw fail('CREATION_REFUSED', { reason: 'setup' })
  const handler = officialHandler(setup.fallbackHandler)
  // A payment for the creation would be taken from what the Safe has received by then.
  if (setup.payment > 0n) throw fail('CREATION_REFUSED', { reason: 'payment', payment: String(setup.payment) })
  const address = predictProxyAddress({ creation, factory, chainId })
  if (address === null || setup.owners.some((owner) => isSameAddress(owner, address)))
    throw fail('CREATION_REFUSED', { reason: 'setup' })
  return {
    address,
    owners: [...setup.owners],
    threshold: setup.threshold,
    singleton,
    fallbackHandler: handler?.address ?? null,
    version,
    proxyCodeHash: proxy.codeHash,
    contracts: [factory, ...(handler === null ? [] : [handler]), ...contracts],
  }
}

/** Finds the official factory and the proxy that it makes. `generate-deployments.mjs` adds versions. */
function officialFactoryOf({ factory }: SafeCreation, to: Address) {
  const [, proxy] = Object.entries(proxies).find(([version]) => version === factory?.version) ?? []
  if (factory === null || factory.place === 'zksync' || proxy === undefined)
    throw fail('CREATION_REFUSED', { reason: 'factory', factory: to })
  return { factory, proxy }
}

/** The official handler at an address; null for the zero address, which is none. */
function officialHandler(handler: Address): Deployment | null {
  if (isSameAddress(handler, zeroAddress)) return null
  const official = deploymentAt(handler)
  if (official?.kind !== 'handler') throw fail('CREATION_REFUSED', { reason: 'handler', handler })
  return official
}

/** Finds the singleton that the Safe runs after set-up, and the contracts involved, the singleton last. */
function singletonOf({ singleton, action }: SafeCreation, chainId: number) {
  const first = officialSingletonAt(singleton)
  if (first === null) throw fail('CREATION_REFUSED', { reason: 'singleton', singleton })
  if (action !== null && action.kind !== 'none' && action.kind !== 'to-l2') {
    const runs = action.kind === 'unknown' ? action.to : action.library.address
    throw fail('CREATION_REFUSED', { reason: 'code', runs })
  }
  const callsToL2Setup = action?.kind === 'to-l2'
  const second = callsToL2Setup ? officialSingletonAt(action.l2Singleton) : first
  if (second === null || (callsToL2Setup && second.kind !== 'singleton-l2'))
    throw fail('CREATION_REFUSED', { reason: 'singleton', singleton: callsToL2Setup ? action.l2Singleton : singleton })
  // SafeToL2Setup leaves the singleton as it is on chain 1.
  const last = chainId === 1 ? first : second
  const library = callsToL2Setup ? [action.library] : []
  const others = [first, second].filter((deployment) => deployment !== last)
  const version = last.kind === 'singleton-l2' ? `${last.version}+L2` : last.version
  return { contracts: [...library, ...others, last], singleton: last.address, version }
}

/** Finds an official singleton from 1.3.0 on. The domain of earlier ones has no chain id: signatures would hold on every chain. */
function officialSingletonAt(address: Address): Deployment | null {
  const found = deploymentAt(address)
  const isSingleton = found?.kind === 'singleton' || found?.kind === 'singleton-l2'
  return found !== null && isSingleton && !isVersionBefore(found.version, 1, 3) ? found : null
}

/** Whether the Safe would accept the set-up: owners, threshold, and calldata in the layout of its release. */
function isSetupAccepted(setup: SafeSetup, initializer: Hex, version: string): boolean {
  try {
    return encodeSetup(setup, version) === initializer.toLowerCase()
  } catch {
    return false
  }
}
