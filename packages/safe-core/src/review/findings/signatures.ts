import { type Address, type Hex, isAddressEqual } from 'viem'
import { type Confirmation, recoverConfirmation } from '../../confirmation.ts'
import type { Finding, ReviewedConfirmation, ReviewInput } from '../types.ts'

async function recoverOrNull(safeTxHash: Hex, signature: Hex): Promise<Confirmation | null> {
  try {
    return await recoverConfirmation(safeTxHash, signature)
  } catch {
    return null
  }
}

/** The other transaction for which this signature is an owner's, if it is one that is known. */
async function findOtherTransaction(
  signature: Hex,
  isTheirs: (owner: Address) => boolean,
  others: ReviewInput['others'],
): Promise<Hex | null> {
  for (const { safeTxHash } of others) {
    const recovered = await recoverOrNull(safeTxHash, signature)
    const isEcdsa = recovered?.signatureType === 'EOA' || recovered?.signatureType === 'ETH_SIGN'
    if (recovered !== null && isEcdsa && isTheirs(recovered.owner)) return safeTxHash
  }
  return null
}

async function reviewConfirmation(
  safeTxHash: Hex,
  claimed: { owner: Address; signature: Hex },
  input: ReviewInput,
): Promise<{ confirmation: ReviewedConfirmation; findings: Finding[] }> {
  const owners = input.state?.owners ?? null
  const isOwner = (address: Address) => owners?.some((owner) => isAddressEqual(owner, address)) ?? false
  const recovered = await recoverOrNull(safeTxHash, claimed.signature)
  const base = { ...claimed, signatureType: recovered?.signatureType ?? null }
  const evidence = { owner: claimed.owner, recovered: recovered?.owner ?? '' }

  const isClaimed = recovered !== null && isAddressEqual(recovered.owner, claimed.owner)
  if (recovered === null || !isClaimed || (owners !== null && !isOwner(recovered.owner))) {
    const isTheirs = (owner: Address) => (owners === null ? isAddressEqual(owner, claimed.owner) : isOwner(owner))
    const otherSafeTxHash = await findOtherTransaction(claimed.signature, isTheirs, input.others)
    const mismatch: Finding = { id: 'SIG-MISMATCH', severity: 'critical', evidence }
    if (otherSafeTxHash === null) {
      return { confirmation: { ...base, status: isClaimed ? 'not-owner' : 'invalid' }, findings: [mismatch] }
    }
    const otherFinding: Finding = {
      id: 'SIG-OTHER-TX',
      severity: 'critical',
      evidence: { ...evidence, otherSafeTxHash },
    }
    return { confirmation: { ...base, status: 'invalid', otherSafeTxHash }, findings: [mismatch, otherFinding] }
  }

  switch (recovered.signatureType) {
    case 'APPROVED_HASH':
      return {
        confirmation: { ...base, status: 'not-checked' },
        findings: [{ id: 'SIG-APPROVED-UNVERIFIED', severity: 'medium', evidence }],
      }
    case 'CONTRACT_SIGNATURE':
      return {
        confirmation: { ...base, status: 'not-checked' },
        findings: [{ id: 'SIG-CONTRACT-UNVERIFIED', severity: 'medium', evidence }],
      }
    case 'ETH_SIGN':
      return {
        confirmation: { ...base, status: owners === null ? 'not-checked' : 'valid' },
        findings: [{ id: 'SIG-ETHSIGN', severity: 'medium', evidence }],
      }
    case 'EOA':
      return { confirmation: { ...base, status: owners === null ? 'not-checked' : 'valid' }, findings: [] }
  }
}

/** Verifies every collected signature against the hash computed here, and looks for what the wrong ones belong to. */
export async function reviewSignatures(
  safeTxHash: Hex,
  input: ReviewInput,
): Promise<{ confirmations: ReviewedConfirmation[]; findings: Finding[] }> {
  const reviewed = await Promise.all(input.confirmations.map((one) => reviewConfirmation(safeTxHash, one, input)))
  return {
    confirmations: reviewed.map(({ confirmation }) => confirmation),
    findings: reviewed.flatMap(({ findings }) => findings),
  }
}
