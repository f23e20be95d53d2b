import type { Facts, Review } from '@countersign/review'
import { isSameAddress, type SafeState } from '@countersign/safe'
import type { Address as AddressType } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { Address } from '../../ui/address.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CardPart } from '../../ui/card.tsx'

/** Leads an owner of an owner: where a Safe is an owner of this one and the reader is an owner of it, it can approve. */
export function ApproveAs({
  review,
  accounts,
  state,
  account,
  chainId,
  names,
}: {
  review: Review
  /** The chain's answer about the owners of this Safe. */
  accounts: Facts['ownerAccounts']
  state: SafeState | undefined
  account: AddressType | null
  chainId: number
  names: Names
}) {
  // A Safe that is not on the chain yet keeps no approval.
  const owners = state === undefined || state.creation ? [] : state.owners
  const children = owners.filter((owner) => {
    const hasApproved = review.confirmations.some(
      (confirmation) => isSameAddress(confirmation.owner, owner) && confirmation.status === 'valid',
    )
    const ofOwner = accounts?.[owner.toLowerCase()]?.owners ?? []
    return !hasApproved && account !== null && ofOwner.some((candidate) => isSameAddress(candidate, account))
  })
  if (children.length === 0) return null
  return (
    <CardPart title={text('approveAs.title')}>
      <p className="text-small text-ink-soft">{text('approveAs.what')}</p>
      <ul className="mt-3 grid gap-3">
        {children.map((child) => (
          <li key={child} data-approve-as={child} className="grid gap-2">
            <p>
              {nameOf(child, names)} <Address address={child} hasAvatar={false} />
            </p>
            <div>
              <ButtonLink
                to="/safes/$chainId/$safeAddress/new"
                params={{ chainId, safeAddress: child }}
                search={{ approve: review.hash, of: names.safeAddress }}
              >
                {text('approveAs.propose')}
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
    </CardPart>
  )
}
