import { Link } from '@tanstack/react-router'
import type { Address } from 'viem'
import { text } from '../text/safe.ts'
import { ofTransactions, pathOf } from './shell/sections.ts'

/** The way between queue and history where there is no column at the side. */
export function TransactionTabs(place: { chainId: number; safeAddress: Address }) {
  return (
    <nav aria-label={text('safe.screens.transactions')} className="-mt-4 mb-5 lg:hidden">
      <ul className="flex flex-wrap gap-x-6 border-b border-rule">
        {ofTransactions.map(({ path, label }) => (
          <li key={path} className="-mb-px">
            <Link
              to={pathOf({ path })}
              params={place}
              activeOptions={{ includeSearch: false }}
              activeProps={{ className: 'border-accent font-semibold' }}
              inactiveProps={{ className: 'border-transparent text-ink-soft' }}
              className="flex min-h-11 items-center border-b-2"
            >
              {text(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
