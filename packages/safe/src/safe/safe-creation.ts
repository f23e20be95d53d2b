import {
  type Address,
  concatHex,
  decodeFunctionData,
  encodeFunctionData,
  getAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  slice,
} from 'viem'
import { addressWord, assertBytes, uintWord } from '../abi/abi-word.ts'
import { type Deployment, deploymentAt, officialDeployment } from '../deployments/deployments.ts'
import { eravmProxyHashes } from '../deployments/eravm-code.ts'
import { proxies } from '../deployments/proxy-code.data.ts'
import { fail } from '../error-sentences.ts'
import {
  decodeSetup,
  describeSetupAction,
  encodeSetup,
  type SafeSetup,
  type SetupAction,
  type SetupLayout,
} from './safe-setup.ts'

/**
 * The functions of the proxy factories that create a Safe, of every release.
 *
 * - `createProxy`, 0.1.0 to 1.3.0: by CREATE, so that the address depends on how many the factory has made before.
 * - `createProxyWithNonce`, since 1.0.0: by CREATE2.
 * - `createProxyWithCallback`, 1.1.1 to 1.4.1: calls another contract afterwards.
 * - `createChainSpecificProxyWithNonce`, since 1.4.1: another address on every chain.
 * - `createProxyWithNonceL2`, `createChainSpecificProxyWithNonceL2`, since 1.5.0: the same with an event that says all.
 */
export type CreationMethod =
  | 'createProxy'
  | 'createProxyWithNonce'
  | 'createProxyWithCallback'
  | 'createChainSpecificProxyWithNonce'
  | 'createProxyWithNonceL2'
  | 'createChainSpecificProxyWithNonceL2'

/** A call of a proxy factory. */
export type ProxyCreation = {
  method: CreationMethod
  singleton: Address
  /** Call data for the new proxy: `setup`, or nothing, and then anybody may set it up. */
  initializer: Hex
  /** Null for `createProxy`. */
  saltNonce: bigint | null
  /** Contract that is called after the creation; null for none. */
  callback: Address | null
}

/** An official factory, or one whose `proxyCreationCode()` was read from the chain. */
export type ProxyFactory = Pick<Deployment, 'address' | 'version' | 'place'> | { address: Address; creationCode: Hex }

const factoryAbi = parseAbi([
  'function createProxy(address singleton, bytes initializer)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
  'function createProxyWithCallback(address singleton, bytes initializer, uint256 saltNonce, address callback)',
  'function createChainSpecificProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)',
  'function createProxyWithNonceL2(address singleton, bytes initializer, uint256 saltNonce)',
  'function createChainSpecificProxyWithNonceL2(address singleton, bytes initializer, uint256 saltNonce)',
])

/** keccak256 of `zksyncCreate2`. */
const ZKSYNC_CREATE2: Hex = '0x2020dba91b30cc0006188af794c2fb30dd8520db7e2c088b7fc7c103c00ca494'

/**
 * The address of the Safe that a call of a proxy factory creates (CREATE2; SafeProxyFactory.sol of every release).
 *
 * @param chainId - counts only for the chain-specific methods.
 * @returns null for `createProxy`: its address depends on what the factory did before, and can be taken by anybody who
 * calls it first.
 * @throws CountersignError `UNSUPPORTED_SAFE_VERSION` when the code of the factory's proxies is not known.
 * @throws CountersignError `FIELD_MALFORMED` when a field is no address, number or bytes.
 *
 * @example
 * const factory = { address: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67', version: '1.4.1', place: 'canonical' } as const
 * predictProxyAddress({ creation, factory, chainId: 1 })
 */
export function predictProxyAddress({
  creation,
  factory,
  chainId,
}: {
  creation: ProxyCreation
  factory: ProxyFactory
  chainId: number
}): Address | null {
  const salt = saltOf(creation, chainId)
  if (salt === null) return null
  const argument = addressWord('singleton', creation.singleton)
  addressWord('factory', factory.address)
  if (!('creationCode' in factory) && factory.place === 'zksync') return zksyncAddress(factory, salt, argument)
  return getCreate2Address({ from: factory.address, salt, bytecode: concatHex([creationCodeOf(factory), argument]) })
}

function saltOf({ method, initializer, saltNonce, callback }: ProxyCreation, chainId: number): Hex | null {
  if (method === 'createProxy') return null
  if (saltNonce === null) throw missing('saltNonce', method)
  assertBytes('initializer', initializer)
  const nonce = uintWord('saltNonce', saltNonce)
  switch (method) {
    case 'createProxyWithNonce':
    case 'createProxyWithNonceL2':
      return keccak256(concatHex([keccak256(initializer), nonce]))
    case 'createProxyWithCallback': {
      if (callback === null) throw missing('callback', method)
      const word = addressWord('callback', callback)
      return keccak256(concatHex([keccak256(initializer), keccak256(concatHex([nonce, slice(word, 12)]))]))
    }
    case 'createChainSpecificProxyWithNonce':
    case 'createChainSpecificProxyWithNonceL2':
      return keccak256(concatHex([keccak256(initializer), nonce, uintWord('chainId', chainId)]))
  }
}

function missing(field: 'saltNonce' | 'callback', method: CreationMethod) {
  return fail('FIELD_MALFORMED', { reason: 'missing', field, method })
}

function creationCodeOf(factory: ProxyFactory): Hex {
  if ('creationCode' in factory) return factory.creationCode
  const found = Object.entries(proxies).find(([version]) => version === factory.version)
  if (found !== undefined) return found[1].creationCode
  throw unsupported(factory)
}

function zksyncAddress(factory: Pick<Deployment, 'address' | 'version' | 'place'>, salt: Hex, argument: Hex): Address {
  const bytecodeHash = eravmProxyHashes.get(factory.version)
  if (bytecodeHash === undefined) throw unsupported(factory)
  const from = addressWord('factory', factory.address)
  return getAddress(slice(keccak256(concatHex([ZKSYNC_CREATE2, from, salt, bytecodeHash, keccak256(argument)])), 12))
}

function unsupported({ version, place }: Pick<Deployment, 'version' | 'place'>) {
  return fail('UNSUPPORTED_SAFE_VERSION', { reason: 'factory', version, place })
}

/**
 * The calldata of a proxy factory for a creation. Whether the factory has the method is for the caller to know: see
 * {@link CreationMethod}.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field is missing for the method, or is no address, number or bytes.
 *
 * @example
 * encodeProxyCreation({ method: 'createProxyWithNonce', singleton, initializer, saltNonce: 0n, callback: null })
 */
export function encodeProxyCreation({ method, singleton, initializer, saltNonce, callback }: ProxyCreation): Hex {
  addressWord('singleton', singleton)
  assertBytes('initializer', initializer)
  if (method === 'createProxy')
    return encodeFunctionData({ abi: factoryAbi, functionName: method, args: [singleton, initializer] })
  if (saltNonce === null) throw missing('saltNonce', method)
  const nonce = BigInt(uintWord('saltNonce', saltNonce))
  if (method !== 'createProxyWithCallback')
    return encodeFunctionData({ abi: factoryAbi, functionName: method, args: [singleton, initializer, nonce] })
  if (callback === null) throw missing('callback', method)
  addressWord('callback', callback)
  return encodeFunctionData({ abi: factoryAbi, functionName: method, args: [singleton, initializer, nonce, callback] })
}

/** Creation by a factory, as its calldata shows it. */
export type SafeCreation = ProxyCreation & {
  /** Null when the contract that was called is not an official factory. Its code is for the caller to compare. */
  factory: Deployment | null
  /** Null when the initializer is not `setup`: what it does then is the singleton's affair. */
  setup: (SafeSetup & { layout: SetupLayout }) | null
  /** Code that `setup` runs as the Safe; null without `setup`. */
  action: SetupAction | null
}

/**
 * Reads a call of a proxy factory back: which singleton, which owners, what ran at creation. Only bytes that encode to
 * themselves again.
 *
 * @param call - a transaction, or an inner call, to a factory.
 * @returns null when the data is no call of a factory.
 *
 * @example
 * const creation = decodeSafeCreation({ to: transaction.to, data: transaction.input })
 * if (creation?.action?.kind === 'unknown') warn('Code of a stranger ran as the Safe before anyone owned it.')
 */
export function decodeSafeCreation({ to, data }: { to: Address; data: Hex }): SafeCreation | null {
  const creation = decodeProxyCreation(data)
  if (creation === null) return null
  const setup = decodeSetup(creation.initializer)
  const found = deploymentAt(to)
  return {
    ...creation,
    factory: found?.kind === 'factory' ? found : null,
    setup,
    action: setup === null ? null : describeSetupAction(setup),
  }
}

function decodeProxyCreation(data: Hex): ProxyCreation | null {
  try {
    const { functionName: method, args } = decodeFunctionData({ abi: factoryAbi, data })
    const [singleton, initializer, saltNonce = null, callback = null] = args
    const creation = { method, singleton, initializer, saltNonce, callback }
    return encodeProxyCreation(creation) === data.toLowerCase() ? creation : null
  } catch {
    return null
  }
}

/** A version in which Countersign creates Safes. */
export type NewSafeVersion = '1.3.0' | '1.4.1' | '1.5.0'

/** A Safe to be created by `createProxyWithNonce`, with the official fallback handler of its version. */
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
 *
 * @example
 * setupContracts({ version: '1.4.1', isL2: true }).fallbackHandler.name // 'CompatibilityFallbackHandler'
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
    throw fail('UNSUPPORTED_SAFE_VERSION', { reason: 'contracts', version, place })
  }
  return { singleton, factory, fallbackHandler }
}

/** Versions in which Safes are created, newest first. */
const newSafeVersions: readonly NewSafeVersion[] = ['1.5.0', '1.4.1', '1.3.0']

/** A release of which Safes can be created where its contracts are. */
export type NewSafeRelease = { version: NewSafeVersion; place: Deployment['place']; contracts: SetupContracts }

/**
 * The releases of which Safes can be created with events for every transaction, newest first. Which of them a chain has,
 * only the code there decides.
 *
 * @example
 * newSafeReleases()[0].version // '1.5.0'
 */
export function newSafeReleases(): NewSafeRelease[] {
  return newSafeVersions.flatMap((version) =>
    (['canonical', 'eip155', 'zksync'] as const).flatMap((place) => {
      const kinds = ['singleton-l2', 'factory', 'handler'] as const
      const isWhole = kinds.every((kind) => officialDeployment(kind, version, place) !== null)
      return isWhole ? [{ version, place, contracts: setupContracts({ version, isL2: true, place }) }] : []
    }),
  )
}

function creationOf(safe: NewSafe): { creation: ProxyCreation; factory: Deployment } {
  const { singleton, factory, fallbackHandler } = setupContracts(safe)
  const { owners, threshold, saltNonce, version } = safe
  const initializer = encodeSetup({ owners, threshold, fallbackHandler: fallbackHandler.address }, version)
  return {
    creation: {
      method: 'createProxyWithNonce',
      singleton: singleton.address,
      initializer,
      saltNonce,
      callback: null,
    },
    factory,
  }
}

/**
 * The address a new Safe will have. It depends on owners, threshold, version and salt, and on nothing else.
 *
 * @throws CountersignError `UNSUPPORTED_SAFE_VERSION`, `SAFE_SETUP_INVALID`, `FIELD_MALFORMED`.
 *
 * @example
 * predictSafeAddress({ version: '1.4.1', isL2: true, owners: [alice, bob], threshold: 2, saltNonce: 0n })
 */
export function predictSafeAddress(safe: NewSafe): Address {
  const { creation, factory } = creationOf(safe)
  const address = predictProxyAddress({ creation, factory, chainId: 0 })
  if (address === null) throw unsupported(factory)
  return address
}

/**
 * The call that creates a Safe: send `data` to `to`, the proxy factory. Anybody may send it; the Safe is the same.
 *
 * @throws CountersignError `UNSUPPORTED_SAFE_VERSION`, `SAFE_SETUP_INVALID`, `FIELD_MALFORMED`.
 *
 * @example
 * const { to, data } = encodeCreateProxy({ version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce: 0n })
 */
export function encodeCreateProxy(safe: NewSafe): { to: Address; data: Hex } {
  const { creation, factory } = creationOf(safe)
  return { to: factory.address, data: encodeProxyCreation(creation) }
}
