import type { MultisigTransaction, OtherProposal } from '@countersign/contract'
import { canCancel, canDelete, canReplace, newCancellation, type SafeState } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import { useRole } from '../../safe/safe.ts'
import { text } from '../../safe/text.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Writing } from '../../wallet/signing.ts'
import { DeleteButton } from './delete-button.tsx'

/** Offers the other actions on a proposal, apart from confirming it. */
export function ProposalActions({
  chainId,
  safeAddress,
  safeTxHash,
  transaction,
  others,
  state,
  account,
  isForbidden,
}: {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  transaction: MultisigTransaction
  others: readonly OtherProposal[]
  state: SafeState | undefined
  account: Address | null
  /** It must not be signed: then to block it is what comes next. */
  isForbidden: boolean
}) {
  const role = useRole(chainId, safeAddress)
  const { safeTx } = transaction
  if (!state || safeTx === null) return null
  const facts = {
    safe: state,
    transaction: { ...transaction, nonce: safeTx.nonce },
    account,
    // That the account is a proposer, the server says; it checks it again when something is proposed.
    delegates:
      role === 'proposer' && account !== null
        ? state.owners.map((delegator) => ({ delegate: account, delegator }))
        : [],
  }
  const cancellations = others.filter((other) => other.isCancellation)
  const proposals = [safeTx, ...cancellations.map(({ nonce }) => newCancellation(safeAddress, nonce))]
  const cancel = canCancel({ ...facts, proposals })
  const mayReplace = canReplace(facts).ok
  const mayDelete = canDelete({ ...facts, transaction }).ok
  if (!mayReplace && !mayDelete) return null
  const params = { chainId, safeAddress }
  const nonce = safeTx.nonce.toString()
  return (
    <CardPart title={text('instead.title')}>
      <div className="grid gap-3" data-instead>
        {mayReplace && (
          <>
            <p className="text-small text-ink-soft">
              {text(cancel.ok || cancel.code !== 'CANCELLATION_EXISTS' ? 'instead.what' : 'instead.cancel.exists')}
            </p>
            <div className="flex flex-wrap gap-2">
              {cancel.ok && (
                <ButtonLink
                  variant={isForbidden ? 'primary' : 'secondary'}
                  to="/safes/$chainId/$safeAddress/new"
                  params={params}
                  search={{ nonce, cancel: true }}
                >
                  {text('instead.cancel')}
                </ButtonLink>
              )}
              <ButtonLink to="/safes/$chainId/$safeAddress/new" params={params} search={{ nonce }}>
                {text('instead.replace')}
              </ButtonLink>
              <ButtonLink to="/safes/$chainId/$safeAddress/new" params={params} search={{ again: safeTxHash }}>
                {text('instead.again')}
              </ButtonLink>
            </div>
          </>
        )}
        {mayDelete && (
          <Writing>
            <DeleteButton chainId={chainId} safeAddress={safeAddress} safeTxHash={safeTxHash} />
          </Writing>
        )}
      </div>
    </CardPart>
  )
}
