import type { OtherProposal } from '@countersign/contract'
import { domainVersion, type Review, type SafeState, type SafeTx } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { useTeamNames } from '../../api/team-names.ts'
import { ImportSignature } from '../../review/import-signature.tsx'
import { namesOf } from '../../review/names.ts'
import { readSignatureFacts } from '../../review/signature-facts.ts'
import type { Offer } from '../../review/signing-permission.ts'
import { useImportConfirmations } from './use-confirm-transaction.ts'

/** The form for this transaction: what was reviewed is what a pasted signature is compared with. */
export function ImportConfirmations({
  place,
  offer,
  review,
  state,
  safeTx,
  others,
  account,
}: {
  place: { chainId: number; safeAddress: Address; safeTxHash: Hex }
  offer: Offer
  review: Review
  state: SafeState
  safeTx: SafeTx
  others: readonly OtherProposal[]
  account: Address | null
}) {
  const { chainId, safeAddress } = place
  const names = namesOf(safeAddress, state, account, useChain(chainId), useTeamNames(chainId, safeAddress))
  const version = domainVersion(state)
  return (
    <ImportSignature
      offer={offer}
      names={names}
      importing={useImportConfirmations(place)}
      context={{
        hash: review.hashes.safeTxHash,
        version,
        owners: state.owners,
        confirmed: review.confirmations.filter(({ status }) => status === 'valid').map(({ owner }) => owner),
        otherHashes: others.map(({ safeTxHash }) => safeTxHash),
        takesApprovals: true,
        ask: (named) => readSignatureFacts(chainRequest(chainId), { chainId, safeAddress, version, safeTx }, named),
      }}
    />
  )
}
