import type { SafeTx } from '@countersign/safe'
import fc from 'fast-check'
import { type Address, bytesToHex, getAddress, type Hex, numberToHex } from 'viem'
import { demoAccounts } from './accounts.ts'
import { canonicalContract, type SafeVersion, safeVersions } from './canonical-contracts.ts'
import { deploySafe } from './deploy-safe.ts'
import { deployOldSafe, type OldSafeVersion, oldSafeVersions } from './old-safes.ts'

/** For tests alone: one Safe of every release, and calls of it by the hundred. */
export const allVersions = [...oldSafeVersions, ...safeVersions] as const
export type AnyVersion = (typeof allVersions)[number]

function isOld(version: AnyVersion): version is OldSafeVersion {
  return oldSafeVersions.some((other) => other === version)
}

/** A Safe of any release. Those that can have a fallback handler get the CompatibilityFallbackHandler. */
export async function deployAnySafe(safe: {
  rpcUrl: string
  chainId: number
  version: AnyVersion
  owners: readonly Address[]
  threshold: number
  saltNonce: bigint
}): Promise<Address> {
  const { version } = safe
  if (!isOld(version)) return deploySafe({ ...safe, version, l2: false })
  return deployOldSafe({ ...safe, version, fallbackHandler: handlerOf('1.4.1') })
}

export function handlerOf(version: SafeVersion): Address {
  return canonicalContract(version, 'compatibility_fallback_handler').address
}

export type ChainCall = {
  to: Address
  data: Hex
  from?: Address
  /** Storage during the call, by account and slot. */
  storage?: Record<Address, Record<Hex, Hex>>
}

export type CallResult = { isReverted: false; data: Hex } | { isReverted: true; data: Hex }

type NodeAnswer = { id: number; result?: Hex; error?: { code: number; message: string; data?: Hex } }

/** Calls without changing the chain, all in one batch. A revert is a result. */
export async function callAll(rpcUrl: string, calls: readonly ChainCall[]): Promise<CallResult[]> {
  if (calls.length === 0) return []
  const requests = calls.map(({ to, data, from = demoAccounts[9].address, storage }, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_call',
    params: [{ from, to, data, gas: numberToHex(20_000_000) }, 'latest', ...(storage ? [mapStorage(storage)] : [])],
  }))
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests),
    signal: AbortSignal.timeout(30_000),
  })
  const answers = (await response.json()) as NodeAnswer[]
  const byId = new Map(answers.map((answer) => [answer.id, answer]))
  return calls.map((_, id) => {
    const answer = byId.get(id)
    if (answer?.result !== undefined) return { isReverted: false, data: answer.result }
    if (answer?.error?.code === 3) return { isReverted: true, data: answer.error.data ?? '0x' }
    throw new Error(`The node did not answer call ${id}: ${answer?.error?.message}`)
  })
}

function mapStorage(storage: Record<Address, Record<Hex, Hex>>) {
  return Object.fromEntries(Object.entries(storage).map(([account, stateDiff]) => [account, { stateDiff }]))
}

const uint256 = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 255n, 2n ** 256n - 1n),
)

export function bytesOf(minLength: number, maxLength: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength, maxLength }).map((bytes) => bytesToHex(bytes))
}

export const anyAddress = fc.oneof(
  bytesOf(20, 20).map((hex) => getAddress(hex)),
  fc.constantFrom<Address[]>(
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000000001',
    '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF',
  ),
)

/** A SafeTx with anything in each of its ten fields. */
export const anySafeTx: fc.Arbitrary<SafeTx> = fc.record({
  to: anyAddress,
  value: uint256,
  data: fc.oneof(bytesOf(0, 100), bytesOf(0, 2000)),
  operation: fc.constantFrom<(0 | 1)[]>(0, 1),
  safeTxGas: uint256,
  baseGas: uint256,
  gasPrice: uint256,
  gasToken: anyAddress,
  refundReceiver: anyAddress,
  nonce: uint256,
})
