import {
  comparePacks,
  compareReviews,
  type Examined,
  examine,
  judgeSources,
  MAX_PROOF_PACK,
  openPack,
  type PackDifference,
  type PackSubject,
  parseProofPack,
  readVouchedBlock,
  type Vouching,
  writeProofPack,
} from '@countersign/review'
import { hashSafeTx } from '@countersign/safe'
import { type Hex, keccak256, stringToBytes } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { fail } from '../../text/fail.ts'
import { askForHash } from '../proof/ask-for-hash.ts'
import type { HashSources } from '../proof/hash-sources.ts'
import { packEngine } from '../simulation/pack-engine.ts'

/** A proof pack as a file, with the hash by which it is known. */
export type PackFile = { text: string; hash: Hex; blockNumber: bigint }

/** A pack that was run again here, beside what is on the chain now. */
export type CheckedPack = {
  hash: Hex
  packed: Examined
  /** Sources that name the block of the pack now; null where nobody could be asked. */
  vouching: Vouching | null
  /** Parts of the review in the file that its own proofs give otherwise; null: a pack of the first format has none. */
  claimed: readonly PackDifference[] | null
  /** Parts that are different now; null where the chain could not be read. */
  differences: readonly PackDifference[] | null
}

/**
 * Makes the pack of a transaction on the newest block: everything is read and run for it once more.
 *
 * @throws CountersignError `PROOF_PACK_INVALID` where the chain gives no proofs; as `examine`
 */
export async function makePack(subject: PackSubject, sources: HashSources): Promise<PackFile> {
  const { block, examined } = await examineNow(subject, sources)
  const said = block.vouching.sources.map(({ name, hash }) => ({ name, hash }))
  const { kept: proofs, review } = examined
  const text = writeProofPack({ ...subject, header: block.header.raw, sources: said, proofs, review })
  return { text, hash: hashOf(text), blockNumber: block.header.number }
}

/**
 * Reads a chosen file, unless it has more bytes than a pack may have characters.
 *
 * @throws CountersignError `PROOF_PACK_INVALID`
 */
export function readPackFile(file: File): Promise<string> {
  if (file.size > MAX_PROOF_PACK)
    throw fail('PROOF_PACK_INVALID', { reason: 'long', count: file.size, limit: MAX_PROOF_PACK })
  return file.text()
}

/**
 * Runs a pack again without any network, and compares it with the chain where that can be read.
 *
 * @param expected the transaction that the pack is to be of
 * @throws CountersignError `PROOF_PACK_INVALID`, `PROOF_INVALID`
 */
export async function checkPack(text: string, expected: PackSubject, sources: HashSources): Promise<CheckedPack> {
  const pack = parseProofPack(text)
  if (placeOf(pack) !== placeOf(expected)) throw fail('PROOF_PACK_INVALID', { reason: 'other', hash: hashOf(text) })
  const packed = await examine(pack, openPack(pack), packEngine)
  const { number, hash } = packed.block
  const [asked, live] = await Promise.all([
    askForHash(pack.chainId, number, sources.wallet),
    // With today's signatures: those of the pack may be fewer.
    examineNow({ ...expected, executor: pack.executor }, sources).catch(() => null),
  ])
  return {
    hash: hashOf(text),
    packed,
    claimed: compareReviews(pack.review, packed.review),
    vouching: asked.length === 0 ? null : judgeSources(hash, asked, sources.needed),
    differences: live === null ? null : comparePacks(packed, live.examined),
  }
}

/** Names the fields of a transaction and its Safe, whatever version hashes them. */
function placeOf({ chainId, safeAddress, safeTx }: PackSubject): Hex {
  return hashSafeTx({ chainId, safeAddress, version: '1.4.1', safeTx }).safeTxHash
}

async function examineNow(subject: PackSubject, sources: HashSources) {
  const { chainId } = subject
  const request = chainRequest(chainId)
  const askSources = (blockNumber: bigint) => askForHash(chainId, blockNumber, sources.wallet)
  const block = await readVouchedBlock({ chainId, request, askSources, needed: sources.needed })
  const { header } = block
  if (header === null) throw fail('PROOF_PACK_INVALID', { reason: 'missing', what: 'header' })
  const node = { block: { ...block, header }, request }
  return { block: node.block, examined: await examine(subject, node, packEngine) }
}

function hashOf(text: string): Hex {
  return keccak256(stringToBytes(text))
}
