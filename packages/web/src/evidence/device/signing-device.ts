import { assertBytes, type SafeTx } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type Hex, keccak256, numberToHex, size } from 'viem'

/** Whether a device shows something: always, under a condition, never, or nobody has found out. */
export type DeviceDisplay = 'shown' | 'sometimes' | 'not-shown' | 'unknown'

/**
 * A thing that a device may show of what owners sign: the hashes of EIP-712 and of ERC-8213, where the signature counts, the ten
 * fields of a transaction or the one of a message, what the call means, and the calls inside it.
 */
export type DevicePart =
  | 'domainHash'
  | 'messageHash'
  | 'eip712Digest'
  | 'calldataDigest'
  | 'chainId'
  | 'safeAddress'
  | keyof SafeTx
  | 'callMeaning'
  | 'innerCalls'
  | 'message'
  | 'messageMeaning'

/** Where a fact about a device was read, and when. */
export type DeviceSource = { says: string; url: string; readOn: string }

/** A device or wallet, and the parts that it shows when a Safe's owner signs by it. */
export type SigningDevice = {
  id: 'ledger' | 'ledger-clear' | 'trezor' | 'trezor-one' | 'keystone' | 'metamask' | 'rabby' | 'other'
  isHardware: boolean
  /** The release that the facts are of, where one was read. */
  release: string | null
  /** Day of the newest fact, `2026-11-22`. */
  checkedOn: string
  letterCase: 'upper' | 'lower' | 'unknown'
  parts: Record<DevicePart, DeviceDisplay>
  /** Differences when a message is signed. */
  ofMessage: Partial<Record<DevicePart, DeviceDisplay>>
  sources: readonly DeviceSource[]
}

/** The parts of one transaction or message by how a device shows them, in the order of {@link DevicePart}. */
export type DeviceScreen = Record<DeviceDisplay, DevicePart[]>

const ofTransaction: readonly DevicePart[] = [
  'domainHash',
  'messageHash',
  'eip712Digest',
  'chainId',
  'safeAddress',
  'to',
  'value',
  'data',
  'operation',
  'nonce',
  'safeTxGas',
  'baseGas',
  'gasPrice',
  'gasToken',
  'refundReceiver',
  'callMeaning',
  'innerCalls',
  'calldataDigest',
]
const ofMessage: readonly DevicePart[] = [
  'domainHash',
  'messageHash',
  'eip712Digest',
  'chainId',
  'safeAddress',
  'message',
  'messageMeaning',
]
const refund: readonly DevicePart[] = ['safeTxGas', 'baseGas', 'gasPrice', 'gasToken', 'refundReceiver']

/**
 * Sorts the parts of a transaction by how a device shows them. Fields of the refund are named only when they hold
 * something, call data and inner calls only when there are some.
 *
 * @param call - the call tree that {@link describeCall} read from the same bytes.
 * @example
 * deviceScreen(signingDevice('ledger'), safeTx, describeCall({ ...safeTx, safeAddress }))['not-shown'] // ['eip712Digest', … 'nonce']
 */
export function deviceScreen(device: SigningDevice, safeTx: SafeTx, call: Pick<Call, 'calls'>): DeviceScreen {
  const hasData = size(safeTx.data) > 0
  return sort(ofTransaction, device.parts, (part) => {
    if (part === 'innerCalls') return (call.calls?.length ?? 0) > 0
    if (part === 'callMeaning' || part === 'calldataDigest') return hasData
    return !refund.includes(part) || BigInt(safeTx[part as keyof SafeTx]) > 0n
  })
}

/**
 * Sorts the parts of a message by how a device shows them. Owners sign `SafeMessage(bytes message)`: a hash in a hash.
 *
 * @example
 * deviceScreenOfMessage(signingDevice('keystone')).shown // ['chainId', 'safeAddress', 'message']
 */
export function deviceScreenOfMessage(device: SigningDevice): DeviceScreen {
  return sort(ofMessage, { ...device.parts, ...device.ofMessage }, () => true)
}

function sort(
  parts: readonly DevicePart[],
  displays: Record<DevicePart, DeviceDisplay>,
  matters: (part: DevicePart) => boolean,
): DeviceScreen {
  const screen: DeviceScreen = { shown: [], sometimes: [], 'not-shown': [], unknown: [] }
  for (const part of parts) if (matters(part)) screen[displays[part]].push(part)
  return screen
}

/**
 * The ERC-8213 digest of call data: keccak256(uint256(length in bytes) ‖ data). Wallets that know the standard show it of
 * transactions, so that two people can compare long call data by 32 bytes.
 *
 * @throws CountersignError `FIELD_MALFORMED` when `data` is not whole bytes in hex.
 * @example
 * calldataDigest(safeTx.data)
 */
export function calldataDigest(data: Hex): Hex {
  assertBytes('data', data)
  return keccak256(`${numberToHex(size(data), { size: 32 })}${data.slice(2)}`)
}
