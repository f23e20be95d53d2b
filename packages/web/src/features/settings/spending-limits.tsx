import type { SafeState, SpendingLimit } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { type Address as AddressType, zeroAddress } from 'viem'
import { currencyOf, nameOf, tokenAt } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { limitsQuery } from '../../safe/spending-limits.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { text } from './text.ts'

/** Accounts that may spend of the Safe without its owners, as one Allowance Module says, and the ways to change that. */
export function SpendingLimits({ state, module }: { state: SafeState; module: AddressType }) {
  const limits = useQuery(limitsQuery(state.chainId, state.address, module))
  return (
    <Section title={text('safe.limits')} aside={<Address address={module} hasAvatar={false} />}>
      <List
        of={limits}
        rows={limits.data?.limits ?? []}
        keyOf={({ delegate, token }) => `${delegate} ${token}`}
        label={text('safe.limits')}
        loading={text('safe.limits.loading')}
        lines={1}
        empty={<p className="text-ink-soft">{text('safe.limits.none')}</p>}
      >
        {(limit) => <LimitRow state={state} limit={limit} />}
      </List>
      {limits.data?.isWhole === false && <p className="mt-2 text-small text-warning">{text('safe.limits.more')}</p>}
    </Section>
  )
}

function LimitRow({ state: { chainId, address }, limit }: { state: SafeState; limit: SpendingLimit }) {
  const chain = useListedChain(chainId)
  const names = useNames(chainId, address)
  const { module, delegate, token, amount, spent, resetMinutes } = limit
  const known = token === zeroAddress ? currencyOf(chain) : tokenAt(token, chain)
  const unit = known ? showUntrusted(known.symbol, 20) : text('safe.limits.units')
  const shown = (value: bigint) => formatAmount(value, known?.decimals ?? 0)
  return (
    <div data-limit={delegate} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <Address address={delegate} name={nameOf(delegate, names)} />
        <p className="tabular-nums">
          {text('safe.limits.spent', { spent: shown(spent), amount: shown(amount), symbol: unit })}
        </p>
        {!known && <Address address={token} hasAvatar={false} />}
        <p className="text-small text-ink-soft">{text('safe.limits.every', periodOf(resetMinutes))}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {(['set-limit', 'reset-limit', 'delete-limit'] as const).map((change) => (
          <ButtonLink
            key={change}
            isCompact
            to="/safes/$chainId/$safeAddress/new"
            params={{ chainId, safeAddress: address }}
            search={{ change, module, delegate, token }}
          >
            {text(`safe.limits.${change}`)}
          </ButtonLink>
        ))}
      </div>
    </div>
  )
}

/** The period in the largest unit that it is a whole number of. */
function periodOf(minutes: number): { unit: string; count: number } {
  if (minutes === 0) return { unit: 'never', count: 0 }
  if (minutes % 1440 === 0) return { unit: 'day', count: minutes / 1440 }
  return minutes % 60 === 0 ? { unit: 'hour', count: minutes / 60 } : { unit: 'minute', count: minutes }
}
