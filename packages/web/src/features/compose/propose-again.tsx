import { newSafeTx, type SafeTx } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { isBeingAsked, nextNonceOver, useOtherService } from '../../api/other-service.ts'
import { parseNonce } from '../../review/amount.ts'
import { proposalsOf } from '../../review/proposals.ts'
import { transactionQuery } from '../../review/queries.ts'
import { transactionTitle } from '../../review/title/transaction-title.ts'
import { useNames } from '../../review/use-names.ts'
import { Button } from '../../ui/button.tsx'
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
}: {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
}) {
  const served = useQuery(transactionQuery(chainId, safeTxHash))
  return (
    <NewTransaction {...{ chainId, safeAddress }} parent="queue" title={text('again.title')} of={served}>
      {({ transaction: { safeTx, isExecuted } }, facts) =>
        safeTx ? (
          <Again {...facts} before={safeTx} isWaiting={!isExecuted && safeTx.nonce >= facts.state.nonce} />
        ) : (
          <Notice tone="warning">{text('again.unknown')}</Notice>
        )
      }
    </NewTransaction>
  )
}

/** Which transaction, and at which nonce; then its review. Refunds of the earlier one are not repeated. */
function Again({
  state,
  transactions,
  review,
  before,
  isWaiting,
}: NewTransactionFacts & {
  before: SafeTx
  /** Whether the earlier one can still be executed, too. */
  isWaiting: boolean
}) {
  const names = useNames(state.chainId, state.address)
  const [typed, setTyped] = useState<string | null>(null)
  const [again, setAgain] = useState<SafeTx | null>(null)
  const [isWanted, setIsWanted] = useState(false)
  const elsewhere = useOtherService(state)
  if (again)
    return (
      <>
        <div className="mb-8">
          <Button onClick={() => setAgain(null)}>{text('propose.back')}</Button>
        </div>
        {review(again)}
      </>
    )
  const proposals = proposalsOf(transactions)
  const nextNonce = nextNonceOver(proposals, elsewhere, state.nonce)
  const nonce = typed === null ? nextNonce : parseNonce(typed)
  const error =
    nonce === null
      ? text('field.nonce.not-a-number')
      : nonce < state.nonce
        ? text('field.nonce.past', { nonce, safeNonce: state.nonce })
        : isWaiting && nonce === before.nonce
          ? text('again.same', { nonce })
          : undefined
  const asking =
    typed === null && elsewhere && isBeingAsked(elsewhere)
      ? text('compose.nonce.thereAsking', { host: elsewhere.host })
      : undefined
  const { to, value, data, operation } = before
  const ask = () => {
    setIsWanted(true)
    if (nonce !== null && error === undefined && asking === undefined)
      setAgain(newSafeTx({ to, value, data, operation, nonce }))
  }
  return (
    <div className="grid max-w-2xl gap-6">
      <p className="font-semibold text-pretty wrap-anywhere">{transactionTitle(before, names)}</p>
      {isWaiting && <Notice tone="warning">{text('again.twice', { nonce: before.nonce })}</Notice>}
      <Form submit={text('propose.review')} state={{ onSubmit: ask }}>
        <NonceField
          {...{ nonce: typed, nextNonce, proposals, names, elsewhere, error: error ?? (isWanted ? asking : undefined) }}
          onChange={setTyped}
        />
      </Form>
    </div>
  )
}
