import { domainVersion, hashSafeMessage, type SafeState } from '@countersign/safe-core'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { ImportSignature } from '../../review/import-signature.tsx'
import type { Names } from '../../review/names.ts'
import type { Offer } from '../../review/signing-permission.ts'
import { contextOf, readMessageFacts } from './message-facts.ts'
import type { MessageReview } from './use-message-review.ts'
import { useImportMessageConfirmations } from './use-message-verbs.ts'

/** The form for this message. Who signs the message itself, and not what the Safe makes of it, is told so. */
export function ImportMessageConfirmations({
  place,
  offer,
  reviewed: { review, content },
  state,
  names,
}: {
  place: { chainId: number; safeAddress: Address; safeMessageHash: Hex }
  offer: Offer
  reviewed: MessageReview
  state: SafeState
  names: Names
}) {
  const context = contextOf(place, content, state)
  return (
    <ImportSignature
      offer={offer}
      names={names}
      importing={useImportMessageConfirmations(place)}
      context={{
        hash: review.hashes.safeMessageHash,
        version: domainVersion(state),
        owners: state.owners,
        confirmed: review.confirmations.filter(({ status }) => status === 'valid').map(({ owner }) => owner),
        otherHashes: [hashSafeMessage(context).message],
        takesApprovals: false,
        ask: async (named) => {
          const { contractSignatures } = await readMessageFacts(chainRequest(place.chainId), context, state, named)
          return { contractSignatures, approvedHashes: {} }
        },
      }}
    />
  )
}
