import { type Address, getAddress, type Hex, hashMessage, hashTypedData, keccak256, stringToHex } from 'viem'
import { fail } from '../error-sentences.ts'

/*
 * Typed data of the Safe Transaction Service, which people sign to name or remove a delegate and to delete a
 * proposal. It holds the hour, so that a signature is of use for two hours at the most.
 */

const SECONDS_PER_HOUR = 3_600
const name = 'Safe Transaction Service'
const version = '1.0'

/** A request that names or removes a delegate. */
export type DelegateRequest = {
  /** Null: without a chain in the domain, for every chain. */
  chainId: number | null
  delegate: Address
  /** As {@link serviceHour} gives it. */
  totp: number
}

/** A request that deletes a proposal. */
export type DeleteRequest = { chainId: number; safeAddress: Address; safeTxHash: Hex; totp: number }

/**
 * The hour that a request is signed in (the service's TOTP): full hours since 1970.
 *
 * @param unixSeconds - seconds since 1970, UTC
 * @throws CountersignError `FIELD_MALFORMED` when it is negative or no number.
 * @example
 * serviceHour(Date.now() / 1000)
 */
export function serviceHour(unixSeconds: number): number {
  if (Number.isFinite(unixSeconds) && unixSeconds >= 0) return Math.floor(unixSeconds / SECONDS_PER_HOUR)
  throw fail('FIELD_MALFORMED', { reason: 'seconds', field: 'unixSeconds', value: unixSeconds })
}

/**
 * The EIP-712 typed data by which a delegator names a delegate, or either of them ends it (Safe Transaction Service,
 * delegates v2). The Safe is no part of it, nor is what is asked: what names also removes, within its two hours.
 *
 * @example
 * await wallet.signTypedData(delegateTypedData({ chainId, delegate, totp: serviceHour(Date.now() / 1000) }))
 */
export function delegateTypedData({ chainId, delegate, totp }: DelegateRequest) {
  return {
    domain: { name, version, ...(chainId === null ? {} : { chainId }) },
    types: {
      Delegate: [
        { name: 'delegateAddress', type: 'address' },
        { name: 'totp', type: 'uint256' },
      ],
    },
    primaryType: 'Delegate',
    message: { delegateAddress: delegate, totp: BigInt(totp) },
  } as const
}

/**
 * The EIP-712 typed data by which a proposer deletes a proposal (Safe Transaction Service, `DeleteRequest`).
 *
 * @example
 * await wallet.signTypedData(deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp }))
 */
export function deleteRequestTypedData({ chainId, safeAddress, safeTxHash, totp }: DeleteRequest) {
  return {
    domain: { name, version, chainId, verifyingContract: safeAddress },
    types: {
      DeleteRequest: [
        { name: 'safeTxHash', type: 'bytes32' },
        { name: 'totp', type: 'uint256' },
      ],
    },
    primaryType: 'DeleteRequest',
    message: { safeTxHash, totp: BigInt(totp) },
  } as const
}

/**
 * Returns every hash that a signature for this delegate may sign now: for this hour and the one before. As typed data, the
 * chain is in the domain or not. The first form of these requests (Safe Transaction Service, delegates v1) is a text, the
 * delegate's address with its checksum and the hour, without a chain: it is hashed as it is, or as a message (EIP-191).
 *
 * @param unixSeconds - seconds since 1970, UTC
 * @throws CountersignError `FIELD_MALFORMED` when the time is none.
 * @example
 * delegateHashes({ form: 'typed-data', chainId, delegate }, Date.now() / 1000).includes(signedHash)
 */
export function delegateHashes(
  { form, chainId, delegate }: { form: 'typed-data' | 'text'; chainId: number; delegate: Address },
  unixSeconds: number,
): Hex[] {
  return hoursAt(unixSeconds).flatMap((totp) => {
    const text = `${getAddress(delegate)}${totp}`
    if (form === 'text') return [keccak256(stringToHex(text)), hashMessage(text)]
    return [chainId, null].map((chain) => hashTypedData(delegateTypedData({ chainId: chain, delegate, totp })))
  })
}

/**
 * Every hash that a signature for this deletion may be of at a moment: of this hour and the one before.
 *
 * @param unixSeconds - seconds since 1970, UTC
 * @throws CountersignError `FIELD_MALFORMED` when the time is none.
 * @example
 * deleteRequestHashes({ chainId, safeAddress, safeTxHash }, Date.now() / 1000).includes(signedHash)
 */
export function deleteRequestHashes(request: Omit<DeleteRequest, 'totp'>, unixSeconds: number): Hex[] {
  return hoursAt(unixSeconds).map((totp) => hashTypedData(deleteRequestTypedData({ ...request, totp })))
}

function hoursAt(unixSeconds: number): number[] {
  const hour = serviceHour(unixSeconds)
  return hour === 0 ? [0] : [hour, hour - 1]
}
