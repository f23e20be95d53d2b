import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, hashMessage, isHex, parseAbi } from 'viem'
import type { Chain } from './clients.ts'
import { isRevert } from './errors.ts'
import { recoverSigner } from './recover.ts'

const currentAbi = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const legacyAbi = parseAbi(['function isValidSignature(bytes data, bytes signature) view returns (bytes4)'])
const CURRENT_MAGIC = '0x1626ba7e'
const LEGACY_MAGIC = '0x20c13b0b'

/**
 * Whether a signed text is the account's: its own key first, which needs no node, then its contract (ERC-1271, both
 * forms). `unavailable`: the chain was needed and did not answer, which says nothing about the signature.
 */
export async function verifyAccountSignature(
  chain: Chain,
  { account, message, signature }: { account: Address; message: string; signature: Hex },
): Promise<'valid' | 'invalid' | 'unavailable'> {
  const hash = hashMessage(message)
  if ((await recoverSigner(hash, signature)) === account) return 'valid'
  try {
    const [chainId, code] = await Promise.all([
      chain.request({ method: 'eth_chainId' }),
      chain.request({ method: 'eth_getCode', params: [account, 'latest'] }),
    ])
    if (Number(chainId) !== chain.settings.chainId) return 'unavailable'
    if (code === '0x' || code === null) return 'invalid'
    const current = encodeFunctionData({ abi: currentAbi, args: [hash, signature] })
    if (await answers(chain, account, current, CURRENT_MAGIC)) return 'valid'
    const legacy = encodeFunctionData({ abi: legacyAbi, args: [hash, signature] })
    return (await answers(chain, account, legacy, LEGACY_MAGIC)) ? 'valid' : 'invalid'
  } catch {
    return 'unavailable'
  }
}

async function answers(chain: Chain, account: Address, data: Hex, magic: Hex): Promise<boolean> {
  try {
    const answer = await chain.request({ method: 'eth_call', params: [{ to: account, data }, 'latest'] })
    if (!isHex(answer) || answer.length < 66) return false
    return decodeAbiParameters([{ type: 'bytes32' }], answer)[0] === `${magic}${'0'.repeat(56)}`
  } catch (error) {
    if (isRevert(error)) return false
    throw error
  }
}
