import { isSameAddress, type MessageContent, type MessageTypedData } from '@countersign/safe'
import type { Address } from 'viem'
import { readCancellation, readPermit, toAddress } from '../findings/messages/permits.ts'
import { kindOfTypedData, valuesOfTypedData } from '../findings/messages/typed-data.ts'
import type { Outflows } from './policy-outflows.ts'

/** Fields that name somebody who gets something, or may take it. */
const receiving =
  /^(?:to|recipient|receiver|spender|operator|delegatee?|authorized|taker|destination|beneficiary|account|filler)$/i

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
  if (kind.of === 'familiar' || isRevocation(typedData)) return outflows
  const { values, isWhole } = valuesOfTypedData(typedData.message)
  const named = values.filter(({ name }) => receiving.test(name)).map(({ value }) => value)
  for (const value of named) receive(outflows, value, safeAddress)
  const contract = toAddress(typedData.domain.verifyingContract)
  const moved = kind.of === 'right' && isWhole ? amountsOf(typedData) : null
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

/** Whether a message of a known form only revokes a permission. */
function isRevocation(typedData: MessageTypedData): boolean {
  const permit = readPermit(typedData)
  const isRevoked = permit?.isAllowance && permit.assets.every(({ amount }) => amount === 0n)
  return isRevoked || readCancellation(typedData) !== null
}

type Moved = { token: Address; amount: bigint }

/** Reads the permits and orders of known forms. Null if they do not show how much can be taken. */
function amountsOf(typedData: MessageTypedData): Moved[] | null {
  // DAI allows everything or nothing, and does not name an amount.
  const permit = typedData.message.allowed === undefined ? readPermit(typedData) : null
  const moved = permit?.assets.map(({ token, amount }) => (amount === null ? null : { token, amount }))
  return moved?.every((entry) => entry !== null) ? moved : null
}

function add({ amounts }: Outflows, token: Address, amount: bigint): void {
  const key = token.toLowerCase()
  amounts.set(key, (amounts.get(key) ?? 0n) + amount)
}

function receive({ receivers }: Outflows, value: unknown, safeAddress: Address): void {
  const address = toAddress(value)
  if (address === null || !isSameAddress(address, safeAddress)) receivers.push({ address, call: [] })
}
