import { type Confirmation, isSameAddress, MAX_CONFIRMATIONS, recoverConfirmation } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { ReviewInput, SubjectInput } from '../../input.ts'
import type { Finding, ReviewedConfirmation } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { isCancellation } from './nonce.ts'

const where = { field: 'signatures' } as const

type Claimed = { owner: Address; signature: Hex }
type Reviewed = { confirmation: ReviewedConfirmation; findings: Finding[] }

async function recoverOrNull(safeTxHash: Hex, signature: Hex): Promise<Confirmation | null> {
  try {
    return await recoverConfirmation(safeTxHash, signature)
  } catch {
    return null
  }
}

/** A list of thousands of proposals must not keep a browser busy for ever. */
const MAX_OTHER_RECOVERIES = 500

type Search = { left: number }

/**
 * The other transaction for which this signature is an owner's, if it is one that is known. When the search is given up,
 * the signature is named all the same: it does not fit.
 */
async function findOtherTransaction(
  signature: Hex,
  isTheirs: (owner: Address) => boolean,
  input: SubjectInput,
  search: Search,
): Promise<Hex | null> {
  const { others } = input
  const isNear = ({ nonce }: { nonce: bigint }) => input.kind === 'transaction' && nonce === input.safeTx.nonce
  const nearest = [...others.filter(isNear), ...others.filter((other) => !isNear(other))]
  for (const { safeTxHash } of nearest) {
    if (search.left-- <= 0) return null
    const recovered = await recoverOrNull(safeTxHash, signature)
    const isEcdsa = recovered?.signatureType === 'EOA' || recovered?.signatureType === 'ETH_SIGN'
    if (recovered !== null && isEcdsa && isTheirs(recovered.owner)) return safeTxHash
  }
  return null
}

function isAmong(addresses: readonly Address[] | undefined, address: Address): boolean {
  return addresses?.some((other) => isSameAddress(other, address)) ?? false
}

async function reviewConfirmation(
  safeTxHash: Hex,
  claimed: Claimed,
  input: SubjectInput,
  search: Search,
): Promise<Reviewed> {
  const owners = input.state?.owners
  const recovered = await recoverOrNull(safeTxHash, claimed.signature)
  const isClaimed = recovered !== null && isSameAddress(recovered.owner, claimed.owner)
  const isNoOwner = owners !== undefined && !isAmong(owners, claimed.owner)
  if (isClaimed && !isNoOwner) return reviewOwnersSignature(recovered, claimed, input)

  const signatureType = recovered?.signatureType ?? null
  const evidence = { owner: claimed.owner, recovered: recovered?.owner }
  if (isClaimed && isAmong(input.formerOwners, claimed.owner)) {
    // It was good once. It counts for nothing now, and takes nothing from the others.
    const stale = finding('SIG-STALE-OWNER', 'high', evidence, where)
    return { confirmation: { ...claimed, signatureType, status: 'not-owner' }, findings: [stale] }
  }
  const isTheirs = (owner: Address) =>
    owners === undefined ? isSameAddress(owner, claimed.owner) : isAmong(owners, owner)
  const otherSafeTxHash = await findOtherTransaction(claimed.signature, isTheirs, input, search)
  const mismatch = finding('SIG-MISMATCH', 'critical', evidence, where)
  if (otherSafeTxHash === null) {
    const status = isClaimed ? 'not-owner' : 'invalid'
    return { confirmation: { ...claimed, signatureType, status }, findings: [mismatch] }
  }
  const otherFinding = finding('SIG-OTHER-TX', 'critical', { ...evidence, otherSafeTxHash }, where)
  return {
    confirmation: { ...claimed, signatureType, status: 'invalid', otherSafeTxHash },
    findings: [mismatch, otherFinding],
  }
}

/** Reviews a signature that claims to be of an owner. The owner's contract or the chain may still reject it. */
function reviewOwnersSignature(
  { owner, signatureType }: Confirmation,
  claimed: Claimed,
  input: SubjectInput,
): Reviewed {
  const evidence = { owner: claimed.owner, recovered: owner }
  const key = claimed.owner.toLowerCase()
  const reviewed = (status: ReviewedConfirmation['status'], ...findings: Finding[]): Reviewed => ({
    confirmation: { ...claimed, signatureType, status },
    findings,
  })
  const valid = input.state?.owners === undefined ? 'not-checked' : 'valid'
  switch (signatureType) {
    case 'APPROVED_HASH': {
      const isApproved = input.approvedHashes?.[key]
      if (isApproved) return reviewed(valid)
      // Not critical: a node that is a few blocks behind does not know a recent approval.
      if (isApproved === false) return reviewed('invalid', finding('SIG-APPROVED-DENIED', 'high', evidence, where))
      return reviewed('not-checked', finding('SIG-APPROVED-UNVERIFIED', 'medium', evidence, where))
    }
    case 'CONTRACT_SIGNATURE': {
      const isAccepted = input.contractSignatures?.[key]
      if (isAccepted) return reviewed(valid)
      if (isAccepted === false) return reviewed('invalid', finding('SIG-MISMATCH', 'critical', evidence, where))
      return reviewed('not-checked', finding('SIG-CONTRACT-UNVERIFIED', 'medium', evidence, where))
    }
    case 'ETH_SIGN':
      return reviewed(valid, finding('SIG-ETHSIGN', 'medium', evidence, where))
    case 'EOA':
      return reviewed(valid)
  }
}

/**
 * Owners who were brought to sign more than once for one nonce: somebody may be collecting a second signature. An owner
 * who is only said to have signed the other proposal has not: each signature is held against its own hash.
 */
async function findRepeated(
  safeTxHash: Hex,
  reviewed: readonly ReviewedConfirmation[],
  input: ReviewInput,
): Promise<Finding[]> {
  const competing = input.others.filter(
    (other) => other.nonce === input.safeTx.nonce && other.safeTxHash.toLowerCase() !== safeTxHash,
  )
  const said = competing.flatMap((other) =>
    other.confirmations.map((confirmation) => ({ ...confirmation, hash: other.safeTxHash })),
  )
  const ofOthers = await Promise.all(
    said.slice(0, MAX_OTHER_RECOVERIES).map(async ({ owner, signature, hash }) => {
      const recovered = await recoverOrNull(hash, signature)
      return recovered !== null && isSameAddress(recovered.owner, owner) ? [{ owner, signature, hash }] : []
    }),
  )
  const ofThis = reviewed
    .filter(({ status }) => status === 'valid' || status === 'not-checked')
    .map((confirmation) => ({ ...confirmation, hash: safeTxHash }))
  const signed = new Map<string, { owner: Address; signatures: Set<string>; hashes: Set<string> }>()
  for (const { owner, signature, hash } of [...ofThis, ...ofOthers.flat()]) {
    const known = signed.get(owner.toLowerCase()) ?? { owner, signatures: new Set(), hashes: new Set() }
    known.signatures.add(signature.toLowerCase())
    known.hashes.add(hash.toLowerCase())
    signed.set(owner.toLowerCase(), known)
  }
  const severity = isCancellation(input) ? 'info' : 'high'
  // An on-chain approval has the same bytes under every proposal, so it proves nothing about the other proposals.
  return [...signed.values()]
    .filter(({ signatures, hashes }) => signatures.size > 1 && hashes.size > 1)
    .map(({ owner, hashes }) => {
      const evidence = { owner, signatures: hashes.size, nonce: input.safeTx.nonce }
      return finding('SIG-REPEATED', severity, evidence, where)
    })
}

/** A server that lists an owner's valid signature again must not make one confirmation look like two. */
function onceOfEach(confirmations: readonly ReviewedConfirmation[]): ReviewedConfirmation[] {
  const counted = new Set<string>()
  return confirmations.filter(({ owner, status }) => {
    if (status !== 'valid') return true
    const isFirst = !counted.has(owner.toLowerCase())
    counted.add(owner.toLowerCase())
    return isFirst
  })
}

/** Verifies every collected signature against the hash computed here, and looks for what the wrong ones belong to. */
export async function reviewSignatures(
  hash: Hex,
  claimed: readonly Claimed[],
  input: SubjectInput,
): Promise<{ confirmations: ReviewedConfirmation[]; findings: Finding[] }> {
  const search = { left: MAX_OTHER_RECOVERIES }
  const reviewed = await Promise.all(
    claimed.slice(0, MAX_CONFIRMATIONS).map((claim) => reviewConfirmation(hash, claim, input, search)),
  )
  const beyond = claimed
    .slice(MAX_CONFIRMATIONS)
    .map((claim) => ({ ...claim, signatureType: null, status: 'not-checked' }) as const)
  const findings = reviewed.flatMap((confirmation) => confirmation.findings)
  if (beyond.length > 0) {
    findings.push(finding('DECODE-BUDGET', 'critical', { signatures: claimed.length }, where))
  }
  const confirmations = onceOfEach(reviewed.map(({ confirmation }) => confirmation))
  if (input.kind === 'transaction') findings.push(...(await findRepeated(hash, confirmations, input)))
  return { confirmations: [...confirmations, ...beyond], findings }
}

/**
 * Compares what a wallet returned with what was reviewed, before it is stored or sent: with Bybit, this would have
 * stopped the first signer.
 *
 * @param signature - as `normalizeSignature` gives it
 * @returns null when it is the account's own signature on this hash
 *
 * @example
 * const finding = await reviewReturnedSignature(review.hashes.safeTxHash, signature, account)
 * if (finding) refuse(finding)
 */
export async function reviewReturnedSignature(
  safeTxHash: Hex,
  signature: Hex,
  account: Address,
): Promise<Finding | null> {
  const recovered = await recoverOrNull(safeTxHash, signature)
  if (recovered?.signatureType === 'EOA' && isSameAddress(recovered.owner, account)) return null
  const evidence = { account, recovered: recovered?.owner, computed: safeTxHash }
  return finding('SIG-RETURNED-MISMATCH', 'critical', evidence, where)
}
