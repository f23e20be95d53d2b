import { isSameAddress, type MessageContent, type MessageTypedData } from '@countersign/safe'
import { type Address, isAddress } from 'viem'
import { kindOfTypedData, valuesOfTypedData } from '../findings/messages/typed-data.ts'
import type { Outflows } from './policy-outflows.ts'

/** Fields that name somebody who gets something, or may take it. */
const receiving =
  /^(?:to|recipient|receiver|spender|operator|delegatee?|authorized|taker|destination|beneficiary|account|filler)$/i

/** Lists of a permit of Permit2, and one entry of it. */
const permitted = ['details', 'permitted'] as const
const permit2 = /^Permit(?:Single|Batch)?(?:Witness)?(?:TransferFrom)?$/

/**
 * Adds up what a message lets others take: a permit counts like the allowance that it is, an order like its sale. Where
 * a right is given whose amount these fields do not tell, every asset is unbounded; what is signed for a contract that
 * nobody knows may move that contract's own asset.
 *
 * @example
 * outflowsOfMessage(content, safeAddress).amounts.get(token.toLowerCase())
 */
export function outflowsOfMessage(content: MessageContent, safeAddress: Address): Outflows {
  const outflows: Outflows = { amounts: new Map(), unbounded: new Map(), receivers: [] }
  // Bytes stay closed by themselves, and a text gives nothing away.
  if (content.encoding !== 'EIP712') return outflows
  const { typedData } = content
  const kind = kindOfTypedData(typedData)
  if (kind.of === 'familiar') return outflows
  const { values, isWhole } = valuesOfTypedData(typedData.message)
  const named = values.filter(({ name }) => receiving.test(name)).map(({ value }) => value)
  for (const value of named) receive(outflows, value, safeAddress)
  const contract = addressOf(typedData.domain.verifyingContract)
  const moved = kind.of === 'right' && isWhole ? amountsOf(typedData, contract) : null
  if (moved !== null) {
    for (const { token, amount } of moved) add(outflows, token, amount)
    if (outflows.receivers.length === 0) receive(outflows, null, safeAddress)
    return outflows
  }
  if (kind.of === 'unknown' && isWhole) {
    if (contract !== null) {
      receive(outflows, contract, safeAddress)
      outflows.unbounded.set(contract.toLowerCase(), [])
    }
    return outflows
  }
  outflows.unbounded.set('*', [])
  if (named.length === 0) receive(outflows, null, safeAddress)
  return outflows
}

type Moved = { token: Address; amount: bigint }

/** Reads the permits and orders whose fields are known; null where nobody can tell how much. */
function amountsOf({ primaryType, message }: MessageTypedData, contract: Address | null): Moved[] | null {
  for (const name of permitted) {
    const inner = message[name]
    if (inner === undefined || !permit2.test(primaryType)) continue
    const entries = (Array.isArray(inner) ? inner : [inner]).map((entry) => movedOf(entry, 'token', 'amount'))
    return entries.every((entry) => entry !== null) ? entries : null
  }
  const own = { ...message, token: contract }
  switch (primaryType) {
    case 'Permit':
      return message.allowed === undefined ? listOf(movedOf(own, 'token', 'value')) : null
    case 'TransferWithAuthorization':
    case 'ReceiveWithAuthorization':
      return listOf(movedOf(own, 'token', 'value'))
    case 'Order': {
      const sale = movedOf(message, 'sellToken', 'sellAmount')
      const fee = uintOf(message.feeAmount ?? 0n)
      return sale === null || fee === null ? null : [{ ...sale, amount: sale.amount + fee }]
    }
    default:
      return null
  }
}

function listOf(moved: Moved | null): Moved[] | null {
  return moved && [moved]
}

function movedOf(fields: unknown, token: string, amount: string): Moved | null {
  if (typeof fields !== 'object' || fields === null) return null
  const found: Record<string, unknown> = { ...fields }
  const [address, value] = [addressOf(found[token]), uintOf(found[amount])]
  return address === null || value === null ? null : { token: address, amount: value }
}

function addressOf(value: unknown): Address | null {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? value : null
}

/** Numbers as typed data has them: bigint, number, decimal or hex. */
function uintOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value < 0n ? null : value
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  return typeof value === 'string' && /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(value) ? BigInt(value) : null
}

function add({ amounts }: Outflows, token: Address, amount: bigint): void {
  const key = token.toLowerCase()
  amounts.set(key, (amounts.get(key) ?? 0n) + amount)
}

function receive({ receivers }: Outflows, value: unknown, safeAddress: Address): void {
  const address = addressOf(value)
  if (address === null || !isSameAddress(address, safeAddress)) receivers.push({ address, call: [] })
}
