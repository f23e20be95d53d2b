import {
  comparePacks,
  compareReviews,
  examine,
  judgeSources,
  openPack,
  type PackSubject,
  parseProofPack,
  readVouchedBlock,
  writeProofPack,
} from '@countersign/review'
import { hashSafeTx } from '@countersign/safe'
import { type Hex, keccak256, stringToBytes } from 'viem'
import { fail } from '../../text/fail.ts'
import type { HashSources } from '../proof/hash-sources.ts'
import { packEngine } from '../simulation/pack-engine.ts'
import { askPage, requestByPage } from '../worker/ask-page.ts'
import type { CheckedPack, PackFile, PackQuestion } from './checked-pack.ts'

/**
 * Makes the pack of a transaction on the newest block: everything is read and run for it once more.
 *
 * @throws CountersignError `PROOF_PACK_INVALID` where the chain gives no proofs; as `examine`
 */
export async function makePack({ subject, sources }: PackQuestion): Promise<PackFile> {
  const { block, examined } = await examineNow(subject, sources)
  const said = block.vouching.sources.map(({ name, hash }) => ({ name, hash }))
  const { kept: proofs, review } = examined
  const text = writeProofPack({ ...subject, header: block.header.raw, sources: said, proofs, review })
  return { text, hash: hashOf(text), blockNumber: block.header.number }
}

/**
 * Runs a pack again without any network, and compares it with the chain where that can be read.
 *
 * @param question.subject the transaction of the pack
 * @throws CountersignError `PROOF_PACK_INVALID`, `PROOF_INVALID`
 */
export async function checkPack({ text, subject, sources }: PackQuestion & { text: string }): Promise<CheckedPack> {
  const pack = parseProofPack(text)
  if (placeOf(pack) !== placeOf(subject)) throw fail('PROOF_PACK_INVALID', { reason: 'other', hash: hashOf(text) })
  const examined = await examine(pack, openPack(pack), packEngine)
  // The proofs are in the file.
  const { kept: _, ...packed } = examined
  const { number, hash } = packed.block
  const [asked, live] = await Promise.all([
    askPage('askForHash', { chainId: pack.chainId, blockNumber: number, wallet: sources.wallet }),
    // With today's signatures: those of the pack may be fewer.
    examineNow({ ...subject, executor: pack.executor }, sources).catch(() => null),
  ])
  return {
    hash: hashOf(text),
    packed,
    claimed: compareReviews(pack.review, packed.review),
    vouching: asked.length === 0 ? null : judgeSources(hash, asked, sources.needed),
    differences: live === null ? null : comparePacks(examined, live.examined),
  }
}

/** Names the fields of a transaction and its Safe, whatever version hashes them. */
function placeOf({ chainId, safeAddress, safeTx }: PackSubject): Hex {
  return hashSafeTx({ chainId, safeAddress, version: '1.4.1', safeTx }).safeTxHash
}

async function examineNow(subject: PackSubject, sources: HashSources) {
  const { chainId } = subject
  const { wallet, needed } = sources
  const request = requestByPage(chainId)
  const askSources = (blockNumber: bigint) => askPage('askForHash', { chainId, blockNumber, wallet })
  const block = await readVouchedBlock({ chainId, request, askSources, needed })
  const { header } = block
  if (header === null) throw fail('PROOF_PACK_INVALID', { reason: 'missing', what: 'header' })
  const node = { block: { ...block, header }, request }
  return { block: node.block, examined: await examine(subject, node, packEngine) }
}

function hashOf(text: string): Hex {
  return keccak256(stringToBytes(text))
}
