import { fail } from '@countersign/contract'
import { type CountersignError, contractSignatureBytes, splitSignatures } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { type Chain, unreachable } from '../rpc/clients.ts'
import { recoverConfirmationOwner } from './recover.ts'
import { askAccount } from './verify-signature.ts'

/**
 * Which of some accounts signed which of some hashes: a request that says more than one way to write it, with the hour in
 * it. Keys are recovered; a contract is asked about each hash, and nobody else's word is taken for it.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED`, `SIGNATURE_DUPLICATED` when there are several,
 * `SIGNATURE_KIND_NOT_SUPPORTED` for an approval on the chain; `SIGNATURE_OF_ANOTHER` when none of them made it;
 * `SIGNATURE_INVALID` when the contract that it names refuses it; `CHAIN_UNREACHABLE` when it could not be asked.
 */
export async function verifyRequest(
  chain: Chain,
  { hashes, accounts, signature }: { hashes: readonly Hex[]; accounts: readonly Address[]; signature: Hex },
): Promise<{ owner: Address; hash: Hex; contractSignature: Hex | null }> {
  const [parsed, second] = splitSignatures(signature)
  if (!parsed) throw fail('SIGNATURE_MALFORMED', { reason: 'none', signature })
  if (second) throw fail('SIGNATURE_DUPLICATED', { reason: 'request' })
  if (parsed.signatureType === 'APPROVED_HASH') throw fail('SIGNATURE_KIND_NOT_SUPPORTED', { reason: 'request' })
  if (parsed.signatureType === 'CONTRACT_SIGNATURE') {
    if (!accounts.includes(parsed.owner)) throw ofAnother(accounts)
    const contractSignature = contractSignatureBytes(parsed.signature)
    const hash = await requireContractsWord(chain, { hashes, account: parsed.owner, signature: contractSignature })
    return { owner: parsed.owner, hash, contractSignature }
  }
  for (const hash of hashes) {
    const { owner } = await recoverConfirmationOwner(hash, parsed.signature)
    if (accounts.includes(owner)) return { owner, hash, contractSignature: null }
  }
  throw ofAnother(accounts)
}

async function requireContractsWord(
  chain: Chain,
  { hashes, account, signature }: { hashes: readonly Hex[]; account: Address; signature: Hex },
): Promise<Hex> {
  let isSilent = false
  for (const hash of hashes) {
    const verdict = await askAccount(chain, { account, hash, signature })
    if (verdict === 'valid') return hash
    isSilent ||= verdict === 'unavailable'
  }
  if (isSilent) throw unreachable(chain.settings, new Error('the contract could not be asked'))
  throw fail('SIGNATURE_INVALID', { reason: 'account', account })
}

function ofAnother(accounts: readonly Address[]): CountersignError {
  return fail('SIGNATURE_OF_ANOTHER', { accounts })
}
