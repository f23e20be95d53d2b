import type { Facts } from '@countersign/review'
import {
  CountersignError,
  isSameAddress,
  isVersionBefore,
  normalizeEthSignature,
  normalizeSignature,
  type ParsedSignature,
  recoverConfirmation,
  type SignatureType,
  splitSignatures,
} from '@countersign/safe'
import { type Address, type Hex, isHex, size, slice } from 'viem'
import { errorSentenceText } from '../../text/errors.ts'

/** Facts by which a pasted signature is judged: everything was computed or read in this browser. */
export type ImportContext = {
  /** That the owners sign. */
  hash: Hex
  version: string
  owners: readonly Address[]
  /** Whose valid confirmation is there already. */
  confirmed: readonly Address[]
  /** Other hashes that an owner may have signed instead. */
  otherHashes: readonly Hex[]
  /** Whether an approval on the chain counts: for transactions alone. */
  takesApprovals: boolean
  /** Asks the chain about signatures that only name their owner. */
  ask: (
    named: readonly { owner: Address; signature: Hex }[],
  ) => Promise<Pick<Facts, 'contractSignatures' | 'approvedHashes'>>
}

export type ImportedSignature = { owner: Address; signatureType: SignatureType; signature: Hex }

export type ImportProblem =
  /** `sentence`: what is wrong with the bytes. */
  | { kind: 'malformed'; sentence: string }
  | { kind: 'other-hash'; owner: Address; otherHash: Hex }
  | { kind: 'not-owner'; signer: Address }
  | { kind: 'kind-not-known'; signatureType: SignatureType }
  | { kind: 'twice' | 'confirmed' | 'not-accepted' | 'not-approved' | 'not-asked'; owner: Address }

export type ImportReading = { ok: true; signatures: ImportedSignature[] } | { ok: false; problem: ImportProblem }

/** Hex as people paste it: with line breaks, without its 0x. */
export function hexOf(typed: string): Hex | null {
  const joined = typed.replace(/\s+/g, '')
  const hex = /^0x/i.test(joined) ? `0x${joined.slice(2)}` : `0x${joined}`
  return isHex(hex) && hex.length > 2 && hex.length % 2 === 0 ? hex : null
}

/**
 * Says whose signatures these are and of what kind, or what is wrong with the first one that does not fit. Keys are
 * recovered; contracts and approvals are asked about on the chain: what nobody answered is no signature here.
 */
export async function readImport(signatures: Hex, context: ImportContext): Promise<ImportReading> {
  try {
    const found: ImportedSignature[] = []
    for (const parsed of splitSignatures(withoutRecoveryId(signatures))) {
      const attributed = await whoseIs(parsed, context)
      if ('problem' in attributed) return { ok: false, problem: attributed.problem }
      if (!isKindTaken(attributed.signatureType, context))
        return refuse({ kind: 'kind-not-known', signatureType: attributed.signatureType })
      const { owner } = attributed
      if (found.some((other) => isSameAddress(other.owner, owner))) return refuse({ kind: 'twice', owner })
      if (context.confirmed.some((other) => isSameAddress(other, owner))) return refuse({ kind: 'confirmed', owner })
      found.push(attributed)
    }
    return (await askAbout(found, context)) ?? { ok: true, signatures: found }
  } catch (error) {
    if (error instanceof CountersignError) return refuse({ kind: 'malformed', sentence: errorSentenceText(error) })
    throw error
  }
}

function isKindTaken(signatureType: SignatureType, { version, takesApprovals }: ImportContext): boolean {
  if (signatureType === 'ETH_SIGN') return !isVersionBefore(version, 1, 1)
  return signatureType !== 'APPROVED_HASH' || takesApprovals
}

function refuse(problem: ImportProblem): ImportReading {
  return { ok: false, problem }
}

/**
 * Tools write a signature of a key in 64 bytes (EIP-2098), or end it with 0 or 1 where the Safe expects 27 or 28, and takes 0 and 1 for contracts and
 * approvals. Those begin with an owner's address after twelve zero bytes, which no key's signature does.
 */
function withoutRecoveryId(signature: Hex): Hex {
  if (size(signature) === 64) return normalizeSignature(signature)
  if (size(signature) !== 65) return signature
  const isOfKey = Number(slice(signature, 64)) < 2 && BigInt(slice(signature, 0, 12)) !== 0n
  return isOfKey ? normalizeSignature(signature) : signature
}

async function whoseIs(
  parsed: ParsedSignature,
  { hash, version, owners, otherHashes }: ImportContext,
): Promise<ImportedSignature | { problem: ImportProblem }> {
  const isOwner = (account: Address) => owners.some((owner) => isSameAddress(owner, account))
  const confirmation = await recoverConfirmation(hash, parsed.signature)
  if (isOwner(confirmation.owner)) return confirmation
  if ('owner' in parsed) return { problem: { kind: 'not-owner', signer: confirmation.owner } }
  if (parsed.signatureType === 'EOA' && !isVersionBefore(version, 1, 1)) {
    // Signed as a message, which the tool did not write into it.
    const asMessage = await recoverConfirmation(hash, normalizeEthSignature(parsed.signature))
    if (isOwner(asMessage.owner)) return asMessage
  }
  for (const otherHash of otherHashes) {
    const { owner } = await recoverConfirmation(otherHash, parsed.signature)
    if (isOwner(owner)) return { problem: { kind: 'other-hash', owner, otherHash } }
  }
  return { problem: { kind: 'not-owner', signer: confirmation.owner } }
}

/** Null: nothing speaks against them. */
async function askAbout(found: readonly ImportedSignature[], { ask }: ImportContext): Promise<ImportReading | null> {
  const named = found.filter(({ signatureType }) => signatureType !== 'EOA' && signatureType !== 'ETH_SIGN')
  if (named.length === 0) return null
  const facts = await ask(named)
  for (const { owner, signatureType } of named) {
    const isApproval = signatureType === 'APPROVED_HASH'
    const answer = isApproval
      ? facts.approvedHashes?.[owner.toLowerCase()]
      : facts.contractSignatures?.[owner.toLowerCase()]
    if (answer === undefined) return refuse({ kind: 'not-asked', owner })
    if (!answer) return refuse({ kind: isApproval ? 'not-approved' : 'not-accepted', owner })
  }
  return null
}
