import {
  CountersignError,
  type CreationCall,
  describeUndeployedSafe,
  encodeProxyCreation,
  encodeSetup,
  isSameAddress,
  parseJson,
} from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddress, isHex, zeroAddress } from 'viem'
import { fail } from '../../text/fail.ts'
import type { PlannedSafe } from './creation-draft.ts'

/** Characters of what is pasted or chosen. */
const MAX_TEXT = 5_000_000
const MAX_SAFES = 50

/** A Safe of somebody else's tool, or why it cannot be taken. */
export type GivenCreation = { chainId: number; safeAddress: Address | null } & (
  | { planned: PlannedSafe }
  | { error: CountersignError }
)

/**
 * Reads Safes that were predicted elsewhere: the data export of Safe{Wallet} (`data.undeployedSafes` by chain and address), or
 * the call itself as `{ "factory" or "to": …, "data": … }`. Addresses are computed again, and compared where one is given.
 *
 * @param chainId of the call itself; the export names its own
 * @returns null when it is neither
 * @example
 * parseGivenCreations('{"to":"0x4e1D…","data":"0x1688f0b9…"}', 1)
 */
export function parseGivenCreations(text: string, chainId: number): GivenCreation[] | null {
  if (text.length > MAX_TEXT) return null
  const given = asObject(parseJson(text))
  const { undeployedSafes } = asObject(given.data)
  if (typeof undeployedSafes === 'object' && undeployedSafes !== null) return readExport(undeployedSafes)
  const factory = given.factory ?? given.to
  const data = given.data ?? given.factoryData
  if (!isAddressText(factory) || !isHex(data)) return null
  return [readCall({ factory: getAddress(factory), data }, chainId, null)]
}

function readExport(byChain: object): GivenCreation[] {
  const all = Object.entries(byChain).flatMap(([chainId, safes]) =>
    Object.entries(asObject(safes)).map(([address, entry]) => ({ chainId: Number(chainId), address, entry })),
  )
  return all.slice(0, MAX_SAFES).flatMap(({ chainId, address, entry }): GivenCreation[] => {
    if (!Number.isSafeInteger(chainId) || !isAddressText(address)) return []
    const safeAddress = getAddress(address)
    const creation = callOf(asObject(asObject(entry).props))
    if (typeof creation !== 'string') return [readCall(creation, chainId, safeAddress)]
    return [{ chainId, safeAddress, error: fail('CREATION_REFUSED', { reason: creation }) }]
  })
}

/**
 * The call that the exported fields stand for; `incomplete` where one is missing, or is not of its type, `setup` where no Safe
 * takes them.
 */
function callOf(props: Record<string, unknown>): CreationCall | 'incomplete' | 'setup' {
  const { factoryAddress: factory, masterCopy: singleton, saltNonce, safeVersion, safeAccountConfig } = props
  const { owners, threshold, to, data = '0x', fallbackHandler, ...paid } = asObject(safeAccountConfig)
  const salt = parseAmount(saltNonce)
  const payment = parseAmount(paid.payment ?? 0)
  const addresses = [to, fallbackHandler, paid.paymentToken, paid.paymentReceiver].map((one) => one ?? zeroAddress)
  if (!isAddressText(factory) || !isAddressText(singleton) || salt === null || payment === null) return 'incomplete'
  if (!Array.isArray(owners) || !owners.every(isAddressText) || typeof threshold !== 'number') return 'incomplete'
  if (!addresses.every(isAddressText) || !isHex(data) || typeof safeVersion !== 'string') return 'incomplete'
  const [runs = zeroAddress, handler = zeroAddress, paymentToken = zeroAddress, paymentReceiver = zeroAddress] =
    addresses.map((address) => getAddress(address))
  try {
    const setup = { owners: owners.map((owner) => getAddress(owner)), threshold, to: runs, data, payment }
    const whole = { ...setup, fallbackHandler: handler, paymentToken, paymentReceiver }
    const initializer = encodeSetup(whole, safeVersion)
    const of = { singleton: getAddress(singleton), initializer, saltNonce: salt, callback: null }
    return { factory: getAddress(factory), data: encodeProxyCreation({ method: 'createProxyWithNonce', ...of }) }
  } catch (error) {
    if (error instanceof CountersignError) return 'setup'
    throw error
  }
}

function readCall(creation: CreationCall, chainId: number, expected: Address | null): GivenCreation {
  try {
    const { address: safeAddress, owners, threshold } = describeUndeployedSafe(creation, chainId)
    if (expected !== null && !isSameAddress(expected, safeAddress))
      throw fail('CREATION_REFUSED', { reason: 'address', computed: safeAddress, address: expected })
    const planned = { chainIds: [chainId], safeAddress, ...creation, owners, threshold, name: '', names: [] }
    return { chainId, safeAddress, planned }
  } catch (error) {
    if (error instanceof CountersignError) return { chainId, safeAddress: expected, error }
    throw error
  }
}

/** A whole number as text or JSON number, in decimal or hex; null for anything else. */
function parseAmount(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  if (typeof value !== 'string' || !/^(?:\d{1,78}|0x[0-9a-f]{1,64})$/i.test(value)) return null
  return BigInt(value)
}

/** An address in capital and small letters has to have the right ones. */
function isAddressText(value: unknown): value is Hex {
  return typeof value === 'string' && isAddress(value, { strict: value !== value.toLowerCase() })
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
