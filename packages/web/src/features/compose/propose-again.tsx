import { newSafeTx, type SafeTx } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import type { Names } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { isBeingAsked, nextNonceOver, type OtherService, useOtherService } from '../../safe/other-service.ts'
import { type Proposal, proposalsOf } from '../../safe/proposals.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { parseNonce } from '../../safe/worth/amount.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NonceField } from './fields/nonce-field.tsx'
import { NewTransaction, type NewTransactionFacts } from './new-transaction.tsx'
import { text } from './text.ts'

/**
 * Proposes what is proposed, or was executed, once more at another nonce: a payment that recurs, or another place in the
 * queue. It is a new transaction, with a review and a signature of its own.
 */
export function ProposeAgain({
  chainId,
  safeAddress,
  safeTxHash,
  nonce,
}: {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  /** The place of the one that took its own; null where none did. */
  nonce: string | null
}) {
  const served = useQuery(transactionQuery(chainId, safeTxHash))
  return (
    <NewTransaction chainId={chainId} safeAddress={safeAddress} parent="queue" title={text('again.title')} of={served}>
      {({ transaction: { safeTx, isExecuted } }, facts) =>
        safeTx ? (
          <ProposeAgainForm
            {...facts}
            nonce={nonce}
            before={safeTx}
            isWaiting={!isExecuted && safeTx.nonce >= facts.state.nonce}
          />
        ) : (
          <Notice tone="warning">{text('again.unknown')}</Notice>
        )
      }
    </NewTransaction>
  )
}

/**
 * Which transaction, and at which nonce; then its review. Refunds of the earlier one are not repeated. Two that change places
 * are two new proposals, one behind the other.
 */
function ProposeAgainForm({
  state,
  transactions,
  review,
  nonce: given,
  before,
  isWaiting,
}: NewTransactionFacts & {
  nonce: string | null
  before: SafeTx
  /** Whether the earlier one can still be executed, too. */
  isWaiting: boolean
}) {
  const names = useNames(state.chainId, state.address)
  const [typed, setTyped] = useState<string | null>(given)
  const [partner, setPartner] = useState<Hex | null>(null)
  const [again, setAgain] = useState<SafeTx | null>(null)
  const [isWanted, setIsWanted] = useState(false)
  const elsewhere = useOtherService(state)
  if (again)
    return (
      <>
        <div className="mb-8">
          <Button onClick={() => setAgain(null)}>{text('propose.back')}</Button>
        </div>
        {review(again, partner && { again: partner, nonce: before.nonce.toString() })}
      </>
    )
  const proposals = proposalsOf(transactions)
  const nextNonce = nextNonceOver(proposals, elsewhere, state.nonce)
  const nonce = typed === null ? nextNonce : parseNonce(typed)
  const error = nonceProblem(nonce, state.nonce, isWaiting ? before.nonce : null)
  const asking = typed === null ? askingText(elsewhere) : undefined
  const { to, value, data, operation } = before
  const others = otherProposals(proposals, before, state.nonce)
  const isSwap = partner !== null || (given !== null && isReplaced(before, proposals))
  const ask = () => {
    setIsWanted(true)
    if (nonce !== null && error === undefined && asking === undefined)
      setAgain(newSafeTx({ to, value, data, operation, nonce }))
  }
  return (
    <div className="grid max-w-2xl gap-6">
      <p className="font-semibold text-pretty wrap-anywhere">{transactionTitle(before, names)}</p>
      {isSwap
        ? given !== null && <Notice>{text('again.second', { nonce: given })}</Notice>
        : isWaiting && <Notice tone="warning">{text('again.twice', { nonce: before.nonce })}</Notice>}
      <Form submit={text('propose.review')} state={{ onSubmit: ask }}>
        {isWaiting && given === null && (
          <SwapField
            others={others}
            partner={partner}
            names={names}
            onChoose={(chosen) => {
              setPartner(chosen?.safeTxHash ?? null)
              setTyped(chosen ? chosen.nonce.toString() : null)
            }}
          />
        )}
        <NonceField
          nonce={typed}
          nextNonce={nextNonce}
          proposals={proposals}
          names={names}
          elsewhere={elsewhere}
          error={error ?? (isWanted ? asking : undefined)}
          onChange={(written) => {
            setTyped(written)
            setPartner(null)
          }}
        />
      </Form>
    </div>
  )
}

/** Chooses another proposal that the repeated one swaps its nonce with. */
function SwapField({
  others,
  partner,
  names,
  onChoose,
}: {
  others: readonly Proposal[]
  partner: Hex | null
  names: Names
  onChoose: (other: Proposal | undefined) => void
}) {
  if (others.length === 0) return null
  return (
    <SelectField
      label={text('again.swap')}
      value={partner ?? ''}
      hint={text(partner === null ? 'again.swap.hint' : 'again.swap.what')}
      onChange={({ target }) => onChoose(others.find((other) => other.safeTxHash === target.value))}
    >
      <option value="">{text('again.swap.none')}</option>
      {others.map((other) => (
        <option key={other.safeTxHash} value={other.safeTxHash}>
          {text('again.swap.with', {
            nonce: other.nonce,
            title: other.safeTx ? transactionTitle(other.safeTx, names) : other.safeTxHash,
          })}
        </option>
      ))}
    </SelectField>
  )
}

/** The proposals that can still be executed, at any other nonce. */
function otherProposals(proposals: readonly Proposal[], before: SafeTx, safeNonce: bigint): Proposal[] {
  return proposals.filter(({ isExecuted, nonce }) => !isExecuted && nonce >= safeNonce && nonce !== before.nonce)
}

/** Says that another service is still asked which nonces are taken there. */
function askingText(elsewhere: OtherService | null): string | undefined {
  if (!elsewhere || !isBeingAsked(elsewhere)) return undefined
  return text('compose.nonce.thereAsking', { host: elsewhere.host })
}

/** Why a nonce cannot be used; `waiting` is the nonce of the earlier transaction while that can still be executed. */
function nonceProblem(nonce: bigint | null, safeNonce: bigint, waiting: bigint | null): string | undefined {
  if (nonce === null) return text('field.nonce.not-a-number')
  if (nonce < safeNonce) return text('field.nonce.past', { nonce, safeNonce })
  return nonce === waiting ? text('again.same', { nonce }) : undefined
}

/** Whether another proposal has taken the nonce, so that nothing is repeated. Only the queue shows this, not the link. */
function isReplaced(before: SafeTx, proposals: readonly Proposal[]): boolean {
  return proposals.some(
    ({ isExecuted, nonce, safeTx }) => !isExecuted && nonce === before.nonce && !isSameCall(safeTx, before),
  )
}

function isSameCall(one: SafeTx | null, other: SafeTx): boolean {
  return one !== null && one.to === other.to && one.value === other.value && one.data === other.data
}
