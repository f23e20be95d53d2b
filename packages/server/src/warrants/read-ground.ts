import {
  CountersignError,
  contractSignatureBytes,
  domainVersion,
  hashSafeMessage,
  type ParsedSignature,
  splitSignatures,
} from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Chain } from '../rpc/clients.ts'
import type { SafeReading } from '../rpc/state-reader.ts'
import { recoverConfirmationOwner } from '../signatures/recover.ts'
import { unwrapErc6492 } from '../signatures/verify-signature.ts'
import { hashAuthority } from './authority.ts'

/** Limit of accounts to read, because a tree of owners can have any size. The signature itself is always checked again. */
const MAX_ACCOUNTS = 40

/** State of a Safe whose owners made a signature valid, at that time. */
export type Ground = { safeAddress: Address; authority: Hex; blockNumber: number }

/** A signature that the account's contract accepted. */
export type AccountSignature = { account: Address; hash: Hex; signature: Hex }

/**
 * Reads the Safes that a contract account's signature depends on: the account and the nested owners that signed, at any
 * depth. If the bytes do not show who signed, all owners count.
 *
 * @returns no Safes if the account is not a Safe. `signers`: owners of the account that are known to have signed.
 * @throws CountersignError `CHAIN_UNREACHABLE`
 */
export async function readGround(
  chain: Chain,
  { account, hash, signature }: AccountSignature,
): Promise<{ ground: Ground[]; signers: Address[] }> {
  const ground = new Map<Address, Ground>()
  const visited = new Set<Address>()
  const own = unwrapErc6492(signature)?.signature ?? '0x'

  async function visit(address: Address, bytes: Hex | null): Promise<SafeReading | null> {
    if (visited.has(address) || visited.size >= MAX_ACCOUNTS) return null
    visited.add(address)
    const state = await readSafeOrNull(chain, address)
    if (!state) return null
    ground.set(address, {
      safeAddress: address,
      authority: hashAuthority(state),
      blockNumber: Number(state.blockNumber),
    })
    const parts = bytes && split(bytes)
    if (!parts) for (const owner of state.owners) await visit(owner, null)
    for (const part of parts ?? []) {
      if (part.signatureType === 'CONTRACT_SIGNATURE') await visit(part.owner, contractSignatureBytes(part.signature))
      if (part.signatureType === 'APPROVED_HASH') await visit(part.owner, null)
    }
    return state
  }

  const state = await visit(account, own)
  return { ground: [...ground.values()], signers: state ? await findSigners(state, hash, own) : [] }
}

/** Reads a Safe. Null if the account is not a Safe. */
export async function readSafeOrNull(chain: Chain, address: Address): Promise<SafeReading | null> {
  try {
    return await chain.readSafe(address)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'NOT_A_SAFE') return null
    throw error
  }
}

/** Returns null if a contract may read the bytes differently. */
function split(bytes: Hex): ParsedSignature[] | null {
  try {
    return splitSignatures(bytes)
  } catch {
    return null
  }
}

async function findSigners(state: SafeReading, signedHash: Hex, bytes: Hex): Promise<Address[]> {
  const { chainId, address: safeAddress, owners } = state
  const context = { chainId, safeAddress, version: domainVersion(state) }
  const { safeMessageHash } = hashSafeMessage({ ...context, content: { encoding: 'RAW', bytes: signedHash } })
  const signers = await Promise.all(
    (split(bytes) ?? []).map(async (part) => {
      if ('owner' in part) return part.owner
      return recoverConfirmationOwner(safeMessageHash, part.signature).then(
        ({ owner }) => owner,
        () => null,
      )
    }),
  )
  return owners.filter((owner) => signers.includes(owner))
}
