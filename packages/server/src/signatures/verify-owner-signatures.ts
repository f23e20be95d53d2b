import { fail } from '@countersign/contract'
import {
  type CountersignError,
  contractQuestion,
  contractSignatureBytes,
  decodeContractAnswer,
  domainVersion,
  encodeContractQuestion,
  isVersionBefore,
  type ParsedSignature,
  type SignatureType,
  safeAbi,
  splitSignatures,
} from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, numberToHex, size } from 'viem'
import { askContract } from '../rpc/ask-contract.ts'
import { type Chain, unreachable } from '../rpc/clients.ts'
import type { SafeReading } from '../rpc/state-reader.ts'
import { recoverConfirmationOwner } from './recover.ts'

/** For one owner. Verifying costs thousands for a key, some 400,000 for P-256; a nested Safe asks further owners. */
const GAS_PER_CONTRACT = 5_000_000n
const GAS_OF_APPROVAL = 500_000n
/** Owners that are asked for one request, and how many of them at a time. */
const MAX_QUESTIONS = 32
const AT_A_TIME = 8
/** Bytes of one owner's signature; a nested Safe of seventy owners fits. It is kept, and sent with each list. */
const MAX_SIGNATURE_BYTES = 5_000

/** A signature that an owner gave, as it is kept. */
export type VerifiedSignature = {
  owner: Address
  signatureType: SignatureType
  /** Standing alone: of a contract with its own bytes right behind the fixed part. */
  signature: Hex
  /** The block that owners, contract and approval were read at. */
  verifiedBlock: number
  /** Hash of that block for an approved hash; the block may still be lost. */
  verifiedBlockHash: Hex | null
}

export type SignaturesToVerify = {
  /** As it was just read: of its block everything is asked. */
  state: SafeReading
  /** The safeTxHash or the safeMessageHash. */
  hash: Hex
  /** Bytes that were hashed: Safes up to 1.4.1 hand them to an owner that is a contract. */
  preimage: Hex
  /** One signature or several. */
  signatures: Hex
  /** Whose signatures are taken; the owners when it is left out. */
  signers?: readonly Address[]
  /** Whether an owner may have approved the hash on the chain: transactions alone. */
  hasApprovals: boolean
}

/**
 * Verifies signatures of every kind as the Safe itself would: keys are recovered, contracts asked by the Safe in the
 * words of its version, approvals read. All of them are of different signers and all are right, or it throws.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED`, `SIGNATURE_KIND_NOT_SUPPORTED`, `SIGNATURE_INVALID`,
 * `SIGNATURE_NOT_FROM_OWNER`, `SIGNATURE_DUPLICATED`; `CHAIN_UNREACHABLE` when the chain was needed and did not answer,
 * which says nothing about the signature.
 */
export async function verifyOwnerSignatures(chain: Chain, given: SignaturesToVerify): Promise<VerifiedSignature[]> {
  const { state, hash, signers = state.owners } = given
  const verifiedBlock = Number(state.blockNumber)
  const found: VerifiedSignature[] = []
  const named: NamedSignature[] = []
  // Each is of another signer, so it ends after as many as there are, however many are sent.
  for (const parsed of splitSignatures(given.signatures)) {
    checkKind(parsed, given)
    const { owner, signatureType, signature } =
      'owner' in parsed ? parsed : await recoverConfirmationOwner(hash, parsed.signature)
    if (size(signature) > MAX_SIGNATURE_BYTES)
      throw fail('SIGNATURE_MALFORMED', {
        reason: 'too-long',
        signer: owner,
        bytes: size(signature),
        limit: MAX_SIGNATURE_BYTES,
      })
    if (!signers.includes(owner))
      throw fail('SIGNATURE_NOT_FROM_OWNER', {
        signer: owner,
        signature,
        safeAddress: state.address,
        owners: state.owners,
      })
    if (found.some((earlier) => earlier.owner === owner)) throw fail('SIGNATURE_DUPLICATED', { reason: 'owner', owner })
    const verifiedBlockHash = signatureType === 'APPROVED_HASH' ? state.blockHash : null
    found.push({ owner, signatureType, signature, verifiedBlock, verifiedBlockHash })
    if ('owner' in parsed) named.push(parsed)
  }
  if (named.length > MAX_QUESTIONS)
    throw fail('SIGNATURE_MALFORMED', { reason: 'too-many', count: named.length, limit: MAX_QUESTIONS })
  await verifyNamed(chain, given, named)
  return found
}

/** A signature that only names its owner: alone it proves nothing. */
type NamedSignature = Extract<ParsedSignature, { owner: Address }>

function checkKind({ signatureType }: ParsedSignature, { state, hasApprovals }: SignaturesToVerify): void {
  const version = domainVersion(state)
  const isUnknown = signatureType === 'ETH_SIGN' && isVersionBefore(version, 1, 1)
  if (!isUnknown && (hasApprovals || signatureType !== 'APPROVED_HASH')) return
  throw fail('SIGNATURE_KIND_NOT_SUPPORTED', { reason: isUnknown ? 'version' : 'message', signatureType, version })
}

async function verifyNamed(chain: Chain, given: SignaturesToVerify, named: readonly NamedSignature[]): Promise<void> {
  let silence: unknown
  for (let at = 0; at < named.length; at += AT_A_TIME) {
    const some = named.slice(at, at + AT_A_TIME)
    const verdicts = await Promise.all(some.map((question) => askAbout(chain, given, question)))
    for (const [index, verdict] of verdicts.entries()) {
      const signature = some[index]
      if (verdict === 'valid' || !signature) continue
      if (verdict === 'invalid') throw refused(signature, given)
      silence ??= verdict.cause
    }
  }
  if (silence !== undefined) throw unreachable(chain.settings, silence)
}

async function askAbout(
  chain: Chain,
  { state, hash, preimage }: SignaturesToVerify,
  { owner, signatureType, signature }: NamedSignature,
): Promise<'valid' | 'invalid' | { cause: unknown }> {
  const block = numberToHex(state.blockNumber)
  const version = domainVersion(state)
  const from = state.address
  if (signatureType === 'APPROVED_HASH') {
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'approvedHashes', args: [owner, hash] })
    const reply = await askContract(chain, { from, to: from, data, gas: numberToHex(GAS_OF_APPROVAL) }, block)
    if (reply.kind === 'unavailable') return reply
    return reply.kind === 'answer' && reply.data.length === 66 && BigInt(reply.data) !== 0n ? 'valid' : 'invalid'
  }
  const bytes = contractSignatureBytes(signature)
  const data = encodeContractQuestion(contractQuestion(version, { owner, hash, preimage, signature: bytes }))
  // Some contracts look who asks: at execution it is the Safe.
  const reply = await askContract(chain, { from, to: owner, data, gas: numberToHex(GAS_PER_CONTRACT) }, block)
  if (reply.kind === 'unavailable') return reply
  const answer = decodeContractAnswer(version, reply.kind === 'answer' ? reply.data : null)
  return answer === 'accepts' ? 'valid' : 'invalid'
}

function refused({ owner, signatureType, signature }: NamedSignature, { hash }: SignaturesToVerify): CountersignError {
  return fail('SIGNATURE_INVALID', {
    reason: signatureType === 'APPROVED_HASH' ? 'approval' : 'contract',
    owner,
    signature,
    hash,
  })
}
