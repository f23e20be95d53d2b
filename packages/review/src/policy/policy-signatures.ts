import { CountersignError, fail, isRevert, isSameAddress, type RpcRequest } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, isHex, parseAbi, recoverAddress, size, slice } from 'viem'
import { hashAllowEntry, hashPolicy, hashWithdrawal, type TeamPolicy } from './team-policy.ts'

/** A signature and whose it is said to be. */
export type PolicySignature = { owner: Address; signature: Hex }

/** A withdrawal of an entry. `isProved` is false if the block contradicts the answer of the owner's contract. */
export type FoundWithdrawal = { entryHash: Hex; owner: Address; isProved: boolean }

/** More than the owners of any Safe. Of a longer list none counts: the rest could be what matters. */
export const MAX_POLICY_SIGNATURES = 200
/** Bytes; what an owner that is a contract may need for its own owners. */
const MAX_SIGNATURE_SIZE = 16_384

const abi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature)'])
const MAGIC = '0x1626ba7e'

/**
 * Finds the accounts with a valid signature on a hash: keys by recovery, contracts by ERC-1271.
 *
 * @param hash by `hashPolicy` or `hashWithdrawal`
 * @param request the way to the chain; without it contracts are not asked, and do not count
 * @returns each account once
 * @throws CountersignError `POLICY_MALFORMED` for more signatures than are looked at; whatever `request` throws, unless the
 *   contract reverts
 * @example
 * const signers = await policySigners(hashPolicy(policy), signatures, request)
 */
export async function policySigners(
  hash: Hex,
  signatures: readonly PolicySignature[],
  request?: RpcRequest,
): Promise<Address[]> {
  return findSigners(signatures, (signature) => isSignedBy(hash, signature, request))
}

/**
 * Verifies the approvals of a policy and the withdrawals of its entries. If the block contradicts a contract's answer,
 * its approval does not count and its withdrawal counts. An owner's contract can cause this. The other signatures are still verified.
 *
 * @throws CountersignError `POLICY_MALFORMED` for too many signatures; errors of `request` other than `PROOF_INVALID` and reverts
 * @example
 * const { signers, unprovedSigners } = await verifyPolicySignatures(policy, { approvals, withdrawals }, request)
 */
export async function verifyPolicySignatures(
  policy: TeamPolicy,
  given: {
    approvals: readonly PolicySignature[]
    withdrawals: readonly (PolicySignature & { entryHash: Hex })[]
  },
  request: RpcRequest,
): Promise<{ signers: Address[]; unprovedSigners: Address[]; withdrawals: FoundWithdrawal[] }> {
  const { chainId, safeAddress } = policy
  const policyHash = hashPolicy(policy)
  const unprovedSigners: Address[] = []
  const isApproval = async (signature: PolicySignature) => {
    const isSigned = await isSignedOrUnproved(policyHash, signature, request)
    if (isSigned === null) unprovedSigners.push(signature.owner)
    return isSigned === true
  }
  const findWithdrawals = async (entryHash: Hex): Promise<FoundWithdrawal[]> => {
    const hash = hashWithdrawal({ chainId, safeAddress, policyHash, entryHash })
    const signatures = given.withdrawals.filter((withdrawal) => withdrawal.entryHash === entryHash)
    const unproved: Address[] = []
    const mayBeValid = async (signature: PolicySignature) => {
      const isSigned = await isSignedOrUnproved(hash, signature, request)
      if (isSigned === null) unproved.push(signature.owner)
      return isSigned !== false
    }
    const found = await findSigners(signatures, mayBeValid)
    return found.map((owner) => ({ entryHash, owner, isProved: !unproved.includes(owner) }))
  }
  const [signers, withdrawals] = await Promise.all([
    findSigners(given.approvals, isApproval),
    Promise.all(policy.allowed.map(hashAllowEntry).map(findWithdrawals)),
  ])
  return { signers, unprovedSigners, withdrawals: withdrawals.flat() }
}

/** Returns null if the block contradicts the answer of the account's contract. */
async function isSignedOrUnproved(hash: Hex, signature: PolicySignature, request: RpcRequest): Promise<boolean | null> {
  try {
    return await isSignedBy(hash, signature, request)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'PROOF_INVALID') return null
    throw error
  }
}

async function findSigners(
  signatures: readonly PolicySignature[],
  isSigned: (signature: PolicySignature) => Promise<boolean>,
): Promise<Address[]> {
  const { length: count } = signatures
  const limit = MAX_POLICY_SIGNATURES
  if (count > limit) throw fail('POLICY_MALFORMED', { reason: 'many', field: 'signatures', count, limit })
  const verified = await Promise.all(
    signatures.map(async (signature) => ((await isSigned(signature)) ? signature.owner : null)),
  )
  const signers: Address[] = []
  for (const owner of verified) {
    if (owner !== null && !signers.some((known) => isSameAddress(known, owner))) signers.push(owner)
  }
  return signers
}

async function isSignedBy(hash: Hex, { owner, signature }: PolicySignature, request?: RpcRequest): Promise<boolean> {
  if (!isHex(signature) || size(signature) > MAX_SIGNATURE_SIZE) return false
  if (size(signature) === 65) {
    try {
      if (isSameAddress(await recoverAddress({ hash, signature }), owner)) return true
    } catch {
      // No key has made it; a contract may take it all the same.
    }
  }
  if (request === undefined) return false
  try {
    const data = encodeFunctionData({ abi, args: [hash, signature] })
    const answer = await request({ method: 'eth_call', params: [{ to: owner, data }, 'latest'] })
    return isHex(answer) && size(answer) >= 32 && slice(answer, 0, 4) === MAGIC
  } catch (error) {
    if (isRevert(error)) return false
    // Without an answer it is unknown whether the account has signed.
    throw error
  }
}
