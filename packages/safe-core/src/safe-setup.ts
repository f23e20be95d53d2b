import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  zeroAddress,
} from 'viem'
import { proxyFactoryAbi, safeAbi } from './abi.ts'
import { type Deployment, officialDeployment } from './deployments.ts'
import { CountersignError } from './error.ts'
import { proxies } from './proxy-code.data.ts'

/** A version in which Countersign creates Safes. */
export type NewSafeVersion = Exclude<keyof typeof proxies, '1.0.0' | '1.1.1'>

/** A Safe to be created. */
export type NewSafe = {
  version: NewSafeVersion
  /** Whether the singleton emits an event for every transaction, as chains without tracing need it. */
  isL2: boolean
  owners: readonly Address[]
  threshold: number
  saltNonce: bigint
  /** Which family of addresses the chain has; `canonical` nearly everywhere. */
  place?: Deployment['place']
}

/** The official contracts that a new Safe is made of. */
export type SetupContracts = { singleton: Deployment; factory: Deployment; fallbackHandler: Deployment }

/**
 * The official contracts for a new Safe. Whether their code is on the chain is for the caller to compare.
 *
 * @throws CountersignError `UNSUPPORTED_SAFE_VERSION` when one of them was not released for this place.
 */
export function setupContracts({
  version,
  isL2,
  place = 'canonical',
}: Pick<NewSafe, 'version' | 'isL2' | 'place'>): SetupContracts {
  const singleton = officialDeployment(isL2 ? 'singleton-l2' : 'singleton', version, place)
  const factory = officialDeployment('factory', version, place)
  const fallbackHandler = officialDeployment('handler', version, place)
  if (singleton === null || factory === null || fallbackHandler === null) {
    throw new CountersignError('UNSUPPORTED_SAFE_VERSION', `Safe \`${version}\` has no \`${place}\` contracts.`, {
      data: { version, place },
    })
  }
  return { singleton, factory, fallbackHandler }
}

/** The calldata of `setup`, without modules, payment or code run at creation. */
export function encodeSetup(setup: { owners: readonly Address[]; threshold: number; fallbackHandler: Address }): Hex {
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [
      setup.owners,
      BigInt(setup.threshold),
      zeroAddress,
      '0x',
      setup.fallbackHandler,
      zeroAddress,
      0n,
      zeroAddress,
    ],
  })
}

function initializerOf(safe: NewSafe): Hex {
  return encodeSetup({
    owners: safe.owners,
    threshold: safe.threshold,
    fallbackHandler: setupContracts(safe).fallbackHandler.address,
  })
}

/** The address a new Safe will have (CREATE2 of the proxy factory). It depends on owners, threshold, version and salt. */
export function predictSafeAddress(safe: NewSafe): Address {
  const { singleton, factory } = setupContracts(safe)
  return getCreate2Address({
    from: factory.address,
    salt: keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializerOf(safe)), safe.saltNonce])),
    bytecode: concatHex([
      proxies[safe.version].creationCode,
      encodeAbiParameters([{ type: 'address' }], [singleton.address]),
    ]),
  })
}

/** The call that creates a Safe: send `data` to `to`, the proxy factory. */
export function encodeCreateProxy(safe: NewSafe): { to: Address; data: Hex } {
  const { singleton, factory } = setupContracts(safe)
  const data = encodeFunctionData({
    abi: proxyFactoryAbi,
    functionName: 'createProxyWithNonce',
    args: [singleton.address, initializerOf(safe), safe.saltNonce],
  })
  return { to: factory.address, data }
}
