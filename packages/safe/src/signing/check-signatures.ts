import {
  type Address,
  bytesToHex,
  concatHex,
  getAddress,
  type Hex,
  hashMessage,
  keccak256,
  recoverAddress,
  slice,
  toHex,
  zeroAddress,
} from 'viem'
import { addressWord, assertBytes, assertHash, uintWord } from '../abi/abi-word.ts'
import { isVersionBefore } from '../safe/safe-version.ts'
import { type ContractAnswer, type ContractQuestion, contractQuestion } from './contract-signature.ts'
import { SIGNATURE_SIZE } from './signature.ts'
import { checkPointer, type PointerProblem, signaturesBytes, wordAt } from './signatures.ts'

/** Everything that the outcome of `checkSignatures` depends on. */
export type SignatureFacts = {
  /** Version of the Safe that checks. */
  version: string
  /** Hash that the owners sign: the safeTxHash, or the safeMessageHash. */
  hash: Hex
  /** The argument `data`: what `hash` is the hash of. For a transaction, {@link encodeSafeTxPreimage}. */
  preimage: Hex
  /** The argument `signatures`. */
  signatures: Hex
  owners: readonly Address[]
  threshold: number
  /** Sender of `execTransaction`. The contract counts the sender as having approved. */
  executor: Address
  /** Owners for whom `approvedHashes(owner, hash)` is not zero. */
  approvedBy: readonly Address[]
  /** Whether `execTransaction` checks, not `isValidSignature`: before 1.3.0 it uses approvals up while it counts. */
  isExecution: boolean
  /** Answer of a contract; null while nobody has asked it. */
  answerOf: (question: ContractQuestion) => ContractAnswer | null
}

/** The Safe's code for the reason. Before 1.3.0 there were sentences instead, with the same meaning. */
export type RefusalCode = 'GS001' | 'GS020' | 'GS021' | 'GS022' | 'GS023' | 'GS024' | 'GS025' | 'GS026' | 'GS027'

/** Outcome of a Safe's check of signatures. */
export type SignatureCheck =
  | {
      outcome: 'accepted'
      /** Whose signatures counted, ascending. */
      owners: Address[]
      /** Approvals on the chain that the execution uses up: before 1.3.0 they are good for one time. */
      approvalsSpent: Address[]
    }
  | {
      outcome: 'refused'
      /** Which signature, from 0; null when it is all of them. */
      index: number | null
      /** Null when the contract fails without a reason of its own: an overflow, or an owner's contract reverts. */
      code: RefusalCode | null
      /** The text of the revert; empty when there is none; null when it is the one of an owner's contract. */
      revertText: string | null
    }
  | {
      outcome: 'unknown'
      index: number
      /** `NOT_ASKED`: ask the contract. `UNDEFINED`: Safe 0.1.0 reads memory that is none of the signatures. */
      reason: 'NOT_ASKED' | 'UNDEFINED' | 'OVER_BUDGET'
      question: ContractQuestion | null
    }

/** Bytes of contract signatures that are read for one check: far more than fits into a block. */
export const CONTRACT_SIGNATURE_BUDGET = 1_048_576

const SENTINEL = 1n
const WORD_LIMIT = 2n ** 256n

const legacyText: Record<RefusalCode, string> = {
  GS001: 'Threshold needs to be defined!',
  GS020: 'Signatures data too short',
  GS021: 'Invalid contract signature location: inside static part',
  GS022: 'Invalid contract signature location: length not present',
  GS023: 'Invalid contract signature location: data not complete',
  GS024: 'Invalid contract signature provided',
  GS025: 'Hash has not been approved',
  GS026: 'Invalid owner provided',
  GS027: '',
}

const pointerCodes: Record<PointerProblem, RefusalCode> = {
  POINTER_IN_FIXED_PART: 'GS021',
  POINTER_OUT_OF_BOUNDS: 'GS022',
  LENGTH_OUT_OF_BOUNDS: 'GS023',
}

function refuse({ version, isExecution }: SignatureFacts, index: number | null, code: RefusalCode): SignatureCheck {
  if (isVersionBefore(version, 1, 0)) {
    return { outcome: 'refused', index, code, revertText: isExecution ? 'Invalid signatures provided' : '' }
  }
  return { outcome: 'refused', index, code, revertText: isVersionBefore(version, 1, 3) ? legacyText[code] : code }
}

/** Result of the precompile: the zero address for a signature that no key can have made. */
async function ecrecover(hash: Hex, v: number, r: Hex, s: Hex): Promise<Address> {
  if (v !== 27 && v !== 28) return zeroAddress
  try {
    return await recoverAddress({ hash, signature: concatHex([r, s, toHex(v)]) })
  } catch {
    return zeroAddress
  }
}

type Reading = { owner: Address } | SignatureCheck

/** State of a check in progress. */
type Progress = { bytes: Uint8Array; budgetLeft: number; spent: Address[] }

/** A contract signature: what the owner says, or why it is not even asked. */
function checkContract(facts: SignatureFacts, progress: Progress, index: number): Reading {
  const { version } = facts
  const { bytes } = progress
  const start = index * SIGNATURE_SIZE
  const offset = wordAt(bytes, start + 32)
  const fixedEnd = facts.threshold * SIGNATURE_SIZE
  // Only 1.4.0 and 1.4.1 look whether data and hash belong together.
  const isPreimageChecked = !isVersionBefore(version, 1, 4) && isVersionBefore(version, 1, 5)
  if (isPreimageChecked && keccak256(facts.preimage) !== facts.hash.toLowerCase()) return refuse(facts, index, 'GS027')

  const problem = checkPointer(bytes, offset, isVersionBefore(version, 1, 0) ? 0 : fixedEnd)
  if (problem !== null) {
    if (isVersionBefore(version, 1, 0)) return { outcome: 'unknown', index, reason: 'UNDEFINED', question: null }
    // SafeMath stops without a word when a sum does not fit.
    if (isOverflow(problem, bytes, offset)) return { outcome: 'refused', index, code: null, revertText: '' }
    return refuse(facts, index, pointerCodes[problem])
  }
  const place = Number(offset)
  const length = Number(wordAt(bytes, place))
  progress.budgetLeft -= length
  if (progress.budgetLeft < 0) return { outcome: 'unknown', index, reason: 'OVER_BUDGET', question: null }
  const owner = getAddress(bytesToHex(bytes.subarray(start + 12, start + 32)))
  const signature = bytesToHex(bytes.subarray(place + 32, place + 32 + length))
  const question = contractQuestion(version, { owner, hash: facts.hash, preimage: facts.preimage, signature })
  switch (facts.answerOf(question)) {
    case 'accepts':
      return { owner }
    case 'rejects':
      return refuse(facts, index, 'GS024')
    case 'reverts':
      return { outcome: 'refused', index, code: null, revertText: null }
    case null:
      return { outcome: 'unknown', index, reason: 'NOT_ASKED', question }
  }
}

function isOverflow(problem: PointerProblem, bytes: Uint8Array, offset: bigint): boolean {
  const end = offset + 32n
  if (problem === 'POINTER_OUT_OF_BOUNDS') return end >= WORD_LIMIT
  return problem === 'LENGTH_OUT_OF_BOUNDS' && end + wordAt(bytes, Number(offset)) >= WORD_LIMIT
}

async function readNextSignature(facts: SignatureFacts, progress: Progress, index: number): Promise<Reading> {
  const head = progress.bytes.subarray(index * SIGNATURE_SIZE, (index + 1) * SIGNATURE_SIZE)
  const [r, s] = [bytesToHex(head.subarray(0, 32)), bytesToHex(head.subarray(32, 64))]
  const v = head[64] ?? 0
  if (v === 0) return checkContract(facts, progress, index)
  if (v === 1) return checkApproval(facts, progress, index, getAddress(slice(r, 12)))
  if (v > 30 && !isVersionBefore(facts.version, 1, 1)) {
    return { owner: await ecrecover(hashMessage({ raw: facts.hash }), v - 4, r, s) }
  }
  return { owner: await ecrecover(facts.hash, v, r, s) }
}

function checkApproval(facts: SignatureFacts, { spent }: Progress, index: number, owner: Address): Reading {
  if (BigInt(owner) === BigInt(facts.executor)) return { owner }
  const hasApproved = facts.approvedBy.some((account) => BigInt(account) === BigInt(owner))
  if (!hasApproved || spent.includes(owner)) return refuse(facts, index, 'GS025')
  if (facts.isExecution && isVersionBefore(facts.version, 1, 3)) spent.push(owner)
  return { owner }
}

/**
 * Repeats the check of signatures by the contract of this version, and gives the reason: `checkSignatures` of
 * Safe.sol, rule by rule, 0.1.0 to 1.5.0. Only the first `threshold` signatures count; owners are to be strictly
 * ascending.
 *
 * A contract signature needs the answer of the owner. As long as `answerOf` gives null the outcome is `unknown`, with
 * the question to ask: ask it by `eth_call`, and check again.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when the signatures are not hex, `FIELD_MALFORMED` when another fact is
 * impossible.
 * @example
 * const check = await checkSignatures({ ...facts, isExecution: true, answerOf: () => null })
 * check.outcome === 'refused' && check.code // GS026
 */
export async function checkSignatures(facts: SignatureFacts): Promise<SignatureCheck> {
  const { version, threshold } = facts
  const bytes = signaturesBytes(facts.signatures)
  uintWord('threshold', threshold)
  assertHash('hash', facts.hash)
  assertBytes('preimage', facts.preimage)
  addressWord('executor', facts.executor)
  for (const approver of facts.approvedBy) addressWord('approvedBy', approver)
  const owners = new Set(facts.owners.map((owner) => BigInt(addressWord('owners', owner))))

  if (threshold === 0 && !isVersionBefore(version, 1, 1)) return refuse(facts, null, 'GS001')
  if (bytes.length < threshold * SIGNATURE_SIZE) return refuse(facts, null, 'GS020')

  const counted: Address[] = []
  const progress: Progress = { bytes, budgetLeft: CONTRACT_SIGNATURE_BUDGET, spent: [] }
  let last = 0n
  for (let index = 0; index < threshold; index += 1) {
    const reading = await readNextSignature(facts, progress, index)
    if ('outcome' in reading) return reading
    const current = BigInt(reading.owner)
    if (current <= last || current === SENTINEL || !owners.has(current)) return refuse(facts, index, 'GS026')
    last = current
    counted.push(reading.owner)
  }
  return { outcome: 'accepted', owners: counted, approvalsSpent: progress.spent }
}
