import {
  type Address,
  getAddress,
  type Hex,
  hashTypedData,
  isAddress,
  isHash,
  isHex,
  size,
  slice,
  zeroAddress,
} from 'viem'
import { showValue } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'
import { isRecord } from '../json.ts'
import { isSameAddress } from '../same-address.ts'

/** GPv2Settlement of CoW Protocol: one address on every chain. */
export const cowSettlement: Address = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'

/** Characters of a file with an order; what services answer about one holds more than its fields. */
const MAX_ORDER_FILE = 100_000

/** An order of CoW Protocol, as owners sign it. Amounts in base units; times in seconds since 1970. */
export type CowOrder = {
  sellToken: Address
  buyToken: Address
  /** The zero address: the owner of the order. */
  receiver: Address
  sellAmount: bigint
  buyAmount: bigint
  validTo: number
  appData: Hex
  /** On top of what is sold, in the same token. */
  feeAmount: bigint
  kind: string
  partiallyFillable: boolean
  sellTokenBalance: string
  buyTokenBalance: string
}

const orderType = [
  { name: 'sellToken', type: 'address' },
  { name: 'buyToken', type: 'address' },
  { name: 'receiver', type: 'address' },
  { name: 'sellAmount', type: 'uint256' },
  { name: 'buyAmount', type: 'uint256' },
  { name: 'validTo', type: 'uint32' },
  { name: 'appData', type: 'bytes32' },
  { name: 'feeAmount', type: 'uint256' },
  { name: 'kind', type: 'string' },
  { name: 'partiallyFillable', type: 'bool' },
  { name: 'sellTokenBalance', type: 'string' },
  { name: 'buyTokenBalance', type: 'string' },
] as const

/**
 * Computes the digest of an order: the first 32 bytes of its uid.
 *
 * @example
 * hashCowOrder(order, 1) === slice(orderUid, 0, 32)
 */
export function hashCowOrder(order: CowOrder, chainId: number): Hex {
  return hashTypedData({
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: cowSettlement },
    types: { Order: orderType },
    primaryType: 'Order',
    message: order,
  })
}

/**
 * Takes an order's uid apart: digest, owner and end of validity; null for bytes of another length.
 *
 * @example
 * parseOrderUid(uid)?.owner
 */
export function parseOrderUid(uid: Hex): { digest: Hex; owner: Address; validTo: number } | null {
  if (size(uid) !== 56) return null
  return {
    digest: slice(uid, 0, 32),
    owner: getAddress(slice(uid, 32, 52)),
    validTo: Number(BigInt(slice(uid, 52, 56))),
  }
}

/**
 * Finds among orders the one that a uid stands for: of this owner, by its hash.
 *
 * @example
 * orderOf(uid, orders, { chainId: 1, owner: safeAddress })?.sellAmount
 */
export function orderOf(
  uid: Hex,
  orders: readonly CowOrder[],
  { chainId, owner }: { chainId: number; owner: Address },
): CowOrder | null {
  const read = parseOrderUid(uid)
  if (read === null || !isSameAddress(read.owner, owner)) return null
  return orders.find((order) => order.validTo === read.validTo && hashCowOrder(order, chainId) === read.digest) ?? null
}

/**
 * Reads an order from JSON: the fields that are signed, alone, as the `message` of typed data, or among those that the
 * protocol's service answers. Nothing in it is believed before its hash is compared.
 *
 * @throws CountersignError `FIELD_MALFORMED`, naming the first field that is missing or cannot be read
 * @example
 * const order = parseCowOrder(pasted)
 */
export function parseCowOrder(text: string): CowOrder {
  if (text.length > MAX_ORDER_FILE)
    throw fail('FIELD_MALFORMED', { reason: 'file-length', length: text.length, limit: MAX_ORDER_FILE })
  const read = readFields(text)
  const address = (field: string, value = read[field]): Address => {
    if (typeof value !== 'string' || !isAddress(value, { strict: value !== value.toLowerCase() }))
      throw fail('FIELD_MALFORMED', { reason: 'address', field, value: showValue(value, 80) })
    return getAddress(value)
  }
  const uint = (field: string, bits: number): bigint => {
    const written = Number.isSafeInteger(read[field]) ? String(read[field]) : read[field]
    if (
      typeof written !== 'string' ||
      !/^(?:0|[1-9][0-9]{0,77})$/.test(written) ||
      BigInt(written) >> BigInt(bits) > 0n
    )
      throw fail('FIELD_MALFORMED', { reason: 'number', field, value: showValue(read[field], 80), bits })
    return BigInt(written)
  }
  const word = (field: string, value: unknown, words: readonly string[]): string => {
    if (typeof value !== 'string' || !words.includes(value))
      throw fail('FIELD_MALFORMED', { reason: 'value', field, value: showValue(value, 80), type: words.join(', ') })
    return value
  }
  const appData = [read.appData, read.appDataHash].find((value) => isHex(value) && isHash(value))
  if (!isHex(appData))
    throw fail('FIELD_MALFORMED', { reason: 'hash', field: 'appData', value: showValue(read.appData, 80) })
  const { partiallyFillable } = read
  if (typeof partiallyFillable !== 'boolean')
    throw fail('FIELD_MALFORMED', {
      reason: 'value',
      field: 'partiallyFillable',
      type: 'true, false',
      value: showValue(partiallyFillable, 80),
    })
  return {
    sellToken: address('sellToken'),
    buyToken: address('buyToken'),
    receiver: address('receiver', read.receiver ?? zeroAddress),
    sellAmount: uint('sellAmount', 256),
    buyAmount: uint('buyAmount', 256),
    validTo: Number(uint('validTo', 32)),
    appData,
    feeAmount: uint('feeAmount', 256),
    kind: word('kind', read.kind, ['sell', 'buy']),
    partiallyFillable,
    sellTokenBalance: word('sellTokenBalance', read.sellTokenBalance ?? 'erc20', ['erc20', 'external', 'internal']),
    buyTokenBalance: word('buyTokenBalance', read.buyTokenBalance ?? 'erc20', ['erc20', 'internal']),
  }
}

function readFields(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    const inner = isRecord(read) ? (read.message ?? read.order ?? read) : read
    if (isRecord(inner)) return inner
  } catch {
    // Said below.
  }
  throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 80) })
}
