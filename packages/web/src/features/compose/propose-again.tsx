import { newSafeTx, type SafeTx } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { useNames } from '../../safe/names/use-names.ts'
import { isBeingAsked, nextNonceOver, useOtherService } from '../../safe/other-service.ts'
import { proposalsOf } from '../../safe/proposals.ts'
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
  const others = proposals.filter(
    (other) => !other.isExecuted && other.nonce >= state.nonce && other.nonce !== before.nonce,
  )
  // Where the other one takes its place, the two are no repetition. A link alone does not say so: the queue does.
  const isSwap =
    partner !== null ||
    (given !== null &&
      proposals.some(
        ({ isExecuted, nonce: at, safeTx }) => !isExecuted && at === before.nonce && !isSameCall(safeTx, before),
      ))
  const ask = () => {
    setIsWanted(true)
    if (nonce !== null && error === undefined && asking === undefined)
      setAgain(newSafeTx({ to, value, data, operation, nonce }))
  }
  return (
    <div className="grid max-w-2xl gap-6">
      <p className="font-semibold text-pretty wrap-anywhere">{transactionTitle(before, names)}</p>
      {isWaiting && !isSwap && <Notice tone="warning">{text('again.twice', { nonce: before.nonce })}</Notice>}
      {given !== null && isSwap && <Notice>{text('again.second', { nonce: given })}</Notice>}
      <Form submit={text('propose.review')} state={{ onSubmit: ask }}>
        {isWaiting && given === null && others.length > 0 && (
          <SelectField
            label={text('again.swap')}
            value={partner ?? ''}
            hint={text(partner === null ? 'again.swap.hint' : 'again.swap.what')}
            onChange={({ target }) => {
              const chosen = others.find((other) => other.safeTxHash === target.value)
              setPartner(chosen?.safeTxHash ?? null)
              setTyped(chosen ? chosen.nonce.toString() : null)
            }}
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

function isSameCall(one: SafeTx | null, other: SafeTx): boolean {
  return one !== null && one.to === other.to && one.value === other.value && one.data === other.data
}
