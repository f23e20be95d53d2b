import { type Address, decodeFunctionData, encodeFunctionData, getAddress, type Hex, parseAbi, zeroAddress } from 'viem'
import { addressWord, assertBytes, showValue, uintWord } from '../abi/abi-word.ts'
import { type Deployment, deploymentAt, officialDeployment } from '../deployments/deployments.ts'
import { fail } from '../error-sentences.ts'
import { isSameAddress } from '../same-address.ts'
import { isVersionBefore } from './safe-version.ts'

/** Arguments of `setup`, which runs once, when the Safe is created. */
export type SafeSetup = {
  owners: readonly Address[]
  threshold: number
  /** Where code is run as the new Safe, by delegatecall; zero for nowhere. */
  to: Address
  /** Call data for that code. */
  data: Hex
  /** Zero for none. Safe 1.1.1 and later. */
  fallbackHandler: Address
  /** The token that the Safe pays for its creation with; zero for the native coin. Safe 1.0.0 and later. */
  paymentToken: Address
  /** In wei, or in the smallest unit of the token. */
  payment: bigint
  /** Zero for whoever sends the transaction. */
  paymentReceiver: Address
}

/** Owners and threshold; what is left out is nothing at all. */
export type SafeSetupFields = Pick<SafeSetup, 'owners' | 'threshold'> & Partial<SafeSetup>

/** The first release that has this form of `setup`. */
export type SetupLayout = '0.1.0' | '1.0.0' | '1.1.1'

const SENTINEL: Address = '0x0000000000000000000000000000000000000001'

const setupAbi = {
  '0.1.0': parseAbi(['function setup(address[] owners, uint256 threshold, address to, bytes data)']),
  '1.0.0': parseAbi([
    'function setup(address[] owners, uint256 threshold, address to, bytes data, address paymentToken, uint256 payment, address paymentReceiver)',
  ]),
  '1.1.1': parseAbi([
    'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  ]),
} as const

/** Which form of `setup` a version has. */
function layoutOf(version: string): SetupLayout {
  if (isVersionBefore(version, 1, 0)) return '0.1.0'
  return isVersionBefore(version, 1, 1) ? '1.0.0' : '1.1.1'
}

/**
 * The calldata of `setup` (Safe.sol), which a proxy factory passes to the new Safe as its initializer.
 *
 * @param version - of the singleton, with or without `+L2`. 0.1.0 and 1.0.0 have forms of their own.
 * @throws CountersignError `SAFE_SETUP_INVALID` when the Safe would refuse it, or the version has no such field.
 * @throws CountersignError `FIELD_MALFORMED` when a field is no address, amount or bytes.
 *
 * @example
 * encodeSetup({ owners: [alice, bob], threshold: 2 }, '1.4.1')
 */
export function encodeSetup(fields: SafeSetupFields, version = '1.4.1'): Hex {
  const setup: SafeSetup = {
    to: zeroAddress,
    data: '0x',
    fallbackHandler: zeroAddress,
    paymentToken: zeroAddress,
    payment: 0n,
    paymentReceiver: zeroAddress,
    ...fields,
  }
  assertSetup(setup)
  const layout = layoutOf(version)
  const { owners, threshold, to, data, fallbackHandler, paymentToken, payment, paymentReceiver } = setup
  const isPaid =
    payment !== 0n || [paymentToken, paymentReceiver].some((account) => !isSameAddress(account, zeroAddress))
  if (layout === '0.1.0' && isPaid) throw fail('SAFE_SETUP_INVALID', { reason: 'payment', field: 'payment', version })
  if (layout !== '1.1.1' && !isSameAddress(fallbackHandler, zeroAddress))
    throw fail('SAFE_SETUP_INVALID', { reason: 'handler', field: 'fallbackHandler', version })
  const first = [owners, BigInt(threshold), to, data] as const
  const last = [paymentToken, payment, paymentReceiver] as const
  switch (layout) {
    case '0.1.0':
      return encodeFunctionData({ abi: setupAbi[layout], args: first })
    case '1.0.0':
      return encodeFunctionData({ abi: setupAbi[layout], args: [...first, ...last] })
    case '1.1.1':
      return encodeFunctionData({ abi: setupAbi[layout], args: [...first, fallbackHandler, ...last] })
  }
}

/**
 * Reads the calldata of `setup` back, in every form that a release has. Only bytes that encode to themselves again.
 *
 * @returns null when it is anything else.
 *
 * @example
 * decodeSetup(creation.initializer)?.owners
 */
export function decodeSetup(data: Hex): (SafeSetup & { layout: SetupLayout }) | null {
  for (const layout of ['1.1.1', '1.0.0', '0.1.0'] as const) {
    const setup = decodeSetupOf(data, layout)
    if (setup !== null) return { ...setup, layout }
  }
  return null
}

function decodeSetupOf(data: Hex, layout: SetupLayout): SafeSetup | null {
  try {
    const abi: (typeof setupAbi)[SetupLayout] = setupAbi[layout]
    const { args } = decodeFunctionData({ abi, data })
    if (encodeFunctionData({ abi, functionName: 'setup', args }) !== data.toLowerCase()) return null
    const [owners, threshold, to, bytes] = args
    if (threshold > BigInt(Number.MAX_SAFE_INTEGER)) return null
    const first = { owners, threshold: Number(threshold), to, data: bytes }
    const none = { fallbackHandler: zeroAddress, paymentToken: zeroAddress, payment: 0n, paymentReceiver: zeroAddress }
    if (args.length === 4) return { ...first, ...none }
    if (args.length === 7)
      return { ...first, ...none, paymentToken: args[4], payment: args[5], paymentReceiver: args[6] }
    return {
      ...first,
      fallbackHandler: args[4],
      paymentToken: args[5],
      payment: args[6],
      paymentReceiver: args[7],
    }
  } catch {
    return null
  }
}

/** Code that `setup` runs as the new Safe. Judged by its address: compare its code on the chain. */
export type SetupAction =
  | { kind: 'none' }
  /** SafeToL2Setup: on every chain but 1, the Safe then runs this singleton. */
  | { kind: 'to-l2'; library: Deployment; l2Singleton: Address }
  /** AddModulesLib or SafeModuleSetup: these modules may then move everything. */
  | { kind: 'enable-modules'; library: Deployment; modules: readonly Address[] }
  /** It may have changed anything in the Safe, and nobody sees it afterwards. */
  | { kind: 'unknown'; to: Address; data: Hex }

const actionAbi = parseAbi(['function setupToL2(address l2Singleton)', 'function enableModules(address[] modules)'])

/**
 * Names the code that a `setup` runs as the new Safe: nothing, one of two official libraries, or unknown.
 *
 * @example
 * describeSetupAction(setup).kind === 'unknown' // do not trust this Safe before someone has read that code
 */
export function describeSetupAction({ to, data }: Pick<SafeSetup, 'to' | 'data'>): SetupAction {
  if (isSameAddress(to, zeroAddress)) return { kind: 'none' }
  const unknown: SetupAction = { kind: 'unknown', to, data }
  const library = deploymentAt(to)
  if (library === null) return unknown
  try {
    const call = decodeFunctionData({ abi: actionAbi, data })
    if (encodeFunctionData({ abi: actionAbi, ...call }) !== data.toLowerCase()) return unknown
    if (call.functionName === 'setupToL2' && library.kind === 'l2-setup')
      return { kind: 'to-l2', library, l2Singleton: call.args[0] }
    if (call.functionName === 'enableModules' && library.kind === 'module-setup')
      return { kind: 'enable-modules', library, modules: call.args[0] }
    return unknown
  } catch {
    return unknown
  }
}

/**
 * The `to` and `data` of a `setup` that gives a Safe the same address on every chain, and the L2 singleton on every chain
 * but 1: create it with the L1 singleton and these.
 *
 * @throws CountersignError `UNSUPPORTED_SAFE_VERSION` before 1.4.1, which has no such library.
 *
 * @example
 * encodeSetup({ owners, threshold: 2, ...encodeSetupToL2('1.4.1') })
 */
export function encodeSetupToL2(
  version: string,
  place: Deployment['place'] = 'canonical',
): Pick<SafeSetup, 'to' | 'data'> {
  const library = officialDeployment('l2-setup', version, place)
  const l2Singleton = officialDeployment('singleton-l2', version, place)
  if (library === null || l2Singleton === null) throw fail('UNSUPPORTED_SAFE_VERSION', { reason: 'l2', version, place })
  const data = encodeFunctionData({ abi: actionAbi, functionName: 'setupToL2', args: [l2Singleton.address] })
  return { to: library.address, data }
}

/** As `setupOwners` checks it (GS200 to GS204), and that every field is of its type. */
function assertSetup({ owners, threshold, to, data, fallbackHandler, ...payment }: SafeSetup): void {
  if (owners.length === 0) throw fail('SAFE_SETUP_INVALID', { reason: 'no-owner', field: 'owners' })
  const seen = new Set<string>()
  for (const owner of owners) {
    addressWord('owners', owner)
    if (isSameAddress(owner, zeroAddress) || isSameAddress(owner, SENTINEL))
      throw fail('SAFE_SETUP_INVALID', { reason: 'reserved', field: 'owners', owner })
    if (seen.has(getAddress(owner))) throw fail('SAFE_SETUP_INVALID', { reason: 'twice', field: 'owners', owner })
    seen.add(getAddress(owner))
  }
  if (!Number.isSafeInteger(threshold) || threshold < 1 || threshold > owners.length)
    throw fail('SAFE_SETUP_INVALID', {
      reason: 'threshold',
      field: 'threshold',
      threshold: showValue(threshold),
      owners: owners.length,
    })
  addressWord('to', to)
  assertBytes('data', data)
  addressWord('fallbackHandler', fallbackHandler)
  addressWord('paymentToken', payment.paymentToken)
  uintWord('payment', payment.payment)
  addressWord('paymentReceiver', payment.paymentReceiver)
}
