import type { MultisigTransaction } from '@countersign/contract'
import { nextFreeNonce, type SafeState, type SafeTx } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChain } from '../../api/configuration.ts'
import { parseAmount } from '../../review/amount.ts'
import { currencyOf, tokenAt } from '../../review/names.ts'
import { proposalsOf } from '../../review/proposals.ts'
import { text } from '../../review/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { formatAmount } from '../../ui/format-amount.ts'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { parseAddress } from '../../ui/typed-address.ts'
import { type Asset, type Draft, type DraftErrors, emptyDraft, parseDraft } from './draft.ts'
import { tokenQuery } from './token.ts'

type FormProps = {
  draft: Draft
  onChange: (draft: Draft) => void
  onDiscard: () => void
  onReview: (safeTx: SafeTx, origin: string | null) => void
  state: SafeState
  transactions: readonly MultisigTransaction[]
}

/** The fields of a transfer, each with its own error, shown once the review was asked for. */
export function ProposeForm({ draft, onChange, onDiscard, onReview, state, transactions }: FormProps) {
  const chain = useChain(state.chainId)
  const [isAsked, setIsAsked] = useState(false)
  const tokenAddress = tokenAddressOf(draft)
  const token = useQuery(tokenQuery(state.chainId, state.address, tokenAddress))
  const currency = currencyOf(chain)
  const listed = tokenAddress ? tokenAt(tokenAddress, chain) : undefined
  const isCall = draft.kind === 'call'
  const asset: Asset | null =
    isCall || draft.asset === 'native'
      ? { address: null, symbol: currency.symbol, decimals: currency.decimals }
      : tokenAddress && (listed ?? token.data)
        ? {
            address: tokenAddress,
            symbol: (listed ?? token.data)?.symbol ?? '',
            decimals: (listed ?? token.data)?.decimals ?? 0,
          }
        : null
  const balance = isCall || draft.asset === 'native' ? state.balance : token.data?.balance
  const nextNonce = nextFreeNonce(proposalsOf(transactions), state.nonce)
  const read = parseDraft(draft, { asset, safeAddress: state.address, safeNonce: state.nonce, nextNonce })
  const errors: DraftErrors = isAsked && !read.ok ? read.errors : {}
  const set = (part: Partial<Draft>) => onChange({ ...draft, ...part })

  return (
    <Section title={text('propose.edit.title')}>
      <Form
        submit={text('propose.review')}
        state={{
          onSubmit: () => {
            setIsAsked(true)
            if (read.ok) onReview(read.safeTx, read.origin)
          },
        }}
        actions={
          <>
            {JSON.stringify(draft) !== JSON.stringify(emptyDraft) && (
              <Button variant="quiet" onClick={onDiscard}>
                {text('propose.draft.discard')}
              </Button>
            )}
            <p className="text-small text-ink-faint">{text('propose.draft.kept')}</p>
          </>
        }
      >
        <SelectField
          label={text('propose.kind')}
          value={draft.kind}
          onChange={(event) => set({ kind: event.target.value === 'call' ? 'call' : 'transfer' })}
        >
          <option value="transfer">{text('propose.kind.transfer')}</option>
          <option value="call">{text('propose.kind.call')}</option>
        </SelectField>
        {!isCall && (
          <SelectField
            label={text('propose.token')}
            value={draft.asset}
            onChange={(event) => set({ asset: event.target.value })}
            error={draft.asset === 'other' ? undefined : errors.asset}
          >
            <option value="native">{text('propose.token.named', plain(currency))}</option>
            {chain?.tokens.map((token) => (
              <option key={token.address} value={token.address}>
                {text('propose.token.named', plain(token))}
              </option>
            ))}
            <option value="other">{text('propose.token.other')}</option>
          </SelectField>
        )}
        {!isCall && draft.asset === 'other' && (
          <Field
            label={text('propose.tokenAddress')}
            isFigures
            value={draft.tokenAddress}
            onChange={(event) => set({ tokenAddress: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            placeholder="0x"
            error={errors.asset}
            hint={
              token.isFetching
                ? text('propose.tokenAddress.reading')
                : token.data
                  ? text('propose.tokenAddress.found', { ...plain(token.data), decimals: token.data.decimals })
                  : tokenAddress && token.data === null
                    ? text('propose.tokenAddress.none')
                    : undefined
            }
          />
        )}
        {token.error && <Problem error={token.error} onRetry={() => void token.refetch()} />}
        <Field
          label={text(isCall ? 'propose.contract' : 'propose.recipient')}
          isFigures
          value={draft.recipient}
          onChange={(event) => set({ recipient: event.target.value })}
          autoComplete="off"
          spellCheck={false}
          placeholder="0x"
          error={errors.recipient}
          hint={text('propose.recipient.hint')}
        />
        {isCall && (
          <TextField
            label={text('propose.data')}
            isFigures
            rows={4}
            value={draft.data}
            onChange={(event) => set({ data: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            placeholder="0x"
            error={errors.data}
            hint={text('propose.data.hint')}
          />
        )}
        <Field
          label={text(isCall ? 'propose.value' : 'propose.amount')}
          inputMode="decimal"
          value={draft.amount}
          onChange={(event) => set({ amount: event.target.value })}
          autoComplete="off"
          suffix={asset ? showUntrusted(asset.symbol, 20) : undefined}
          error={errors.amount}
          warning={amountWarning(draft, asset, balance)}
          hint={amountHint(asset, balance)}
        />
        <Field
          label={text('propose.nonce')}
          inputMode="numeric"
          value={draft.nonce ?? nextNonce.toString()}
          onChange={(event) => set({ nonce: event.target.value })}
          autoComplete="off"
          error={errors.nonce}
          hint={nonceHint(draft, nextNonce, transactions)}
        />
        <Field
          label={text('propose.origin')}
          value={draft.origin}
          onChange={(event) => set({ origin: event.target.value })}
          autoComplete="off"
          error={errors.origin}
          hint={text('propose.origin.hint')}
        />
      </Form>
    </Section>
  )
}

function tokenAddressOf({ kind, asset, tokenAddress }: Draft) {
  if (kind === 'call' || asset === 'native') return null
  const read = parseAddress(asset === 'other' ? tokenAddress : asset.toLowerCase())
  return read.ok ? read.address : null
}

function plain({ name, symbol }: { name: string; symbol: string }): { name: string; symbol: string } {
  return { name: showUntrusted(name, 60), symbol: showUntrusted(symbol, 20) }
}

function amountHint(asset: Asset | null, balance: bigint | undefined): string {
  if (!asset || balance === undefined) return text('propose.amount.hint')
  return `${text('propose.balance', { amount: withUnit(balance, asset) })} ${text('propose.amount.hint')}`
}

/** More than there is can be proposed, since it may come in before the execution; but not without a word. */
function amountWarning(draft: Draft, asset: Asset | null, balance: bigint | undefined): string | undefined {
  if (!asset || balance === undefined) return undefined
  const typed = parseAmount(draft.amount, asset.decimals)
  if (!typed.ok || typed.value <= balance) return undefined
  return text('propose.amount.over', {
    amount: withUnit(balance, asset),
    missing: withUnit(typed.value - balance, asset),
  })
}

function withUnit(value: bigint, { decimals, symbol }: Asset): string {
  return `${formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
}

function nonceHint(draft: Draft, nextNonce: bigint, transactions: readonly MultisigTransaction[]): string {
  const isTaken = transactions.some(
    ({ safeTx }) => draft.nonce !== null && safeTx?.nonce.toString() === draft.nonce.trim(),
  )
  return isTaken ? text('propose.nonce.conflict') : text('propose.nonce.hint', { nonce: nextNonce })
}
