import {
  type Address,
  concatHex,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  hashMessage,
  keccak256,
  numberToHex,
  size,
  slice,
  stringToHex,
  zeroAddress,
} from 'viem'
import { askContract } from '../rpc/ask-contract.ts'
import type { Chain } from '../rpc/clients.ts'
import { recoverSigner } from './recover.ts'
import { signatureCheckCode } from './signature-check.data.ts'

/**
 * Gas that the account, and that a factory, may use up. Verifying costs thousands for a key and some 400,000 for
 * P-256.
 */
const GAS_PER_CALL = 5_000_000n
/** The factory's call and two questions, and what brings them there; below what a transaction may cost (EIP-7825). */
const GAS_ALTOGETHER = 16_500_000n
/** Nobody's. Some contracts let the zero address do more, as a sign that a call is only tried. */
const asker = slice(keccak256(stringToHex('countersign: who asks for signatures')), 12)
const ERC_6492_SUFFIX = `0x${'6492'.repeat(16)}` as const

const answer = [{ type: 'uint256' }, { type: 'uint256' }] as const
const verdicts = ['no-contract', 'valid', 'refused'] as const

export type SignatureVerdict = 'valid' | 'invalid' | 'unavailable'
export type SignatureProof = { verdict: SignatureVerdict; by: 'key' | 'contract' }

/**
 * Whether a signed text is the account's: its own key first, which needs no node and also holds for accounts that
 * delegate to code (EIP-7702); then its contract: ERC-1271, its draft with bytes, and ERC-6492 for accounts that are
 * not deployed. An empty signature is a question too: whether the account approved the text on the chain.
 *
 * `unavailable`: the chain was needed and did not answer, which says nothing about the signature.
 */
export async function verifyAccountSignature(
  chain: Chain,
  { account, message, signature }: { account: Address; message: string; signature: Hex },
): Promise<SignatureProof> {
  const hash = hashMessage(message)
  if ((await recoverSigner(hash, signature)) === account) return { verdict: 'valid', by: 'key' }
  return { verdict: await askAccount(chain, { account, hash, signature }), by: 'contract' }
}

type Question = { account: Address; hash: Hex; signature: Hex }

/** Asks the account's contract. */
export async function askAccount(chain: Chain, question: Question): Promise<SignatureVerdict> {
  const call = encodeQuestion(question)
  if (!call) return 'invalid'
  const answer = await askContract(chain, call, 'latest')
  // It reverts only when the account has used up all gas.
  if (answer.kind === 'revert') return 'invalid'
  return answer.kind === 'answer' ? decodeAnswer(answer.data, chain.settings.chainId) : 'unavailable'
}

function encodeQuestion({ account, hash, signature }: Question): { from: Address; data: Hex; gas: Hex } | null {
  const wrapped = unwrapErc6492(signature)
  if (!wrapped) return null
  const args = encodeAbiParameters(
    [
      { type: 'address' },
      { type: 'bytes32' },
      { type: 'bytes' },
      { type: 'address' },
      { type: 'bytes' },
      { type: 'uint256' },
    ],
    [account, hash, wrapped.signature, wrapped.factory, wrapped.factoryData, GAS_PER_CALL],
  )
  return { from: asker, data: concatHex([signatureCheckCode, args]), gas: numberToHex(GAS_ALTOGETHER) }
}

/** The parts of an ERC-6492 signature; any other comes back as it is. Null when it has the suffix and no parts. */
export function unwrapErc6492(signature: Hex): { factory: Address; factoryData: Hex; signature: Hex } | null {
  if (size(signature) < 32 || slice(signature, -32) !== ERC_6492_SUFFIX)
    return { factory: zeroAddress, factoryData: '0x', signature }
  try {
    const [factory, factoryData, inner] = decodeAbiParameters(
      [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
      slice(signature, 0, -32),
    )
    return { factory, factoryData, signature: inner }
  } catch {
    return null
  }
}

/** An answer that is not two words of our own is none: a node that cannot do this, or is on another chain. */
function decodeAnswer(data: Hex, chainId: number): SignatureVerdict {
  if (data.length !== 2 + 128) return 'unavailable'
  const [verdict, answeredBy] = decodeAbiParameters(answer, data)
  const found = verdicts[Number(verdict)]
  if (!found || answeredBy !== BigInt(chainId)) return 'unavailable'
  return found === 'valid' ? 'valid' : 'invalid'
}
