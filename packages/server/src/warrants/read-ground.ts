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

/** Accounts that are looked at: a tree of owners may have any size. The signature is asked about again all the same. */
const MAX_ACCOUNTS = 40

/** A Safe whose owners decided that a signature was valid, as it stood. */
export type Ground = { safeAddress: Address; authority: Hex; blockNumber: number }

/** A signature that the contract of an account took for its own. */
export type AccountSignature = { account: Address; hash: Hex; signature: Hex }

/**
 * Reads the Safes that a signature of a contract account rests on: the account, and the nested owners that signed, at any
 * depth. Where the bytes do not tell who signed, all owners count.
 *
 * @returns no Safe for an account that is none. `signers`: owners of the account, as far as they are known.
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

/** Reads a Safe; null for what is none. */
export async function readSafeOrNull(chain: Chain, address: Address): Promise<SafeReading | null> {
  try {
    return await chain.readSafe(address)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'NOT_A_SAFE') return null
    throw error
  }
}

/** Null where a contract may read the bytes in another way. */
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
