import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { safeQuery, useRole } from '../../safe/safe.ts'
import { Icon } from './icons.tsx'
import { openPalette } from './keyboard.tsx'
import { type Place, usePlace } from './place.ts'
import { isIn, ofTransactions, own, pathOf, records, type Section, work } from './sections.ts'
import { Switcher } from './switcher.tsx'
import { text } from './text.ts'
import { WaitingIn } from './waiting.tsx'
import { Wordmark } from './wordmark.tsx'

const row =
  'flex min-h-9 items-center gap-2.5 rounded-control border-l-3 py-1.5 pr-2.5 pl-2 leading-5 transition-colors'
const look = (isHere: boolean) =>
  isHere ? 'border-accent bg-raised font-semibold text-ink' : 'border-transparent text-ink-soft hover:text-ink'

/** The column of the workspace: the Safe, the ways to its pages. On a phone the Safe alone. */
export function Side() {
  const place = usePlace()
  return (
    <>
      <nav aria-label={text('workspace.safes')} className="flex min-w-0 flex-col gap-3">
        <Link to="/" className="hidden rounded-control px-2 lg:block">
          <Wordmark />
        </Link>
        <Switcher place={place} />
      </nav>
      <PaletteButton />
      {place ? <SafeLinks place={place} /> : <AccountLinks />}
    </>
  )
}

/** The way to everything by its name. */
function PaletteButton() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={openPalette}
      className="hidden min-h-9 items-center gap-2.5 rounded-control border border-rule bg-paper px-2.5 text-small text-ink-soft hover:border-rule-strong hover:text-ink lg:flex"
    >
      <Icon of="search" size={16} />
      <span className="min-w-0 flex-1 truncate text-left">{text('palette.title')}</span>
      <kbd className="font-sans text-[0.75rem] text-ink-faint">
        {text(/Mac|iPhone|iPad/.test(navigator.platform) ? 'workspace.palette.key.mac' : 'workspace.palette.key')}
      </kbd>
    </button>
  )
}

function SafeLinks({ place }: { place: Place }) {
  const { pathname } = useLocation()
  const role = useRole(place.chainId, place.safeAddress)
  const { data: safe } = useQuery(safeQuery(place.chainId, place.safeAddress))
  const isWithTransactions = work.some((section) => section.id === 'transactions' && isIn(section, pathname))
  const link = (section: Section, aside?: ReactNode) => (
    <li key={section.id}>
      <Link
        to={pathOf(section)}
        params={place}
        activeOptions={{ exact: section.path === '', includeSearch: false }}
        className={`${row} ${look(isIn(section, pathname))}`}
      >
        <Icon of={section.icon} />
        {text(section.label)}
        {aside}
      </Link>
      {section.id === 'transactions' && isWithTransactions && <ListLinks place={place} />}
    </li>
  )
  return (
    <nav aria-label={text('safe.screens')} className="hidden lg:block">
      {(role === 'owner' || role === 'proposer') && (
        <Link
          to="/safes/$chainId/$safeAddress/new"
          params={place}
          className="mb-2.5 flex min-h-10 items-center justify-center gap-2 rounded-control border border-rule-strong bg-raised font-semibold leading-5 hover:border-ink"
        >
          <Icon of="new" size={16} />
          {text('workspace.new')}
        </Link>
      )}
      <ul className="grid gap-0.5 border-b border-rule pb-2.5">
        {work.map((section) => link(section, <WaitingIn section={section.id} safe={safe} />))}
      </ul>
      <ul className="grid gap-0.5 pt-2.5">{records.map((section) => link(section))}</ul>
    </nav>
  )
}

/** Queue and history, while one is in either. */
function ListLinks({ place }: { place: Place }) {
  return (
    <ul className="my-0.5 grid pl-9">
      {ofTransactions.map(({ path, label }) => (
        <li key={path}>
          <Link
            to={pathOf({ path })}
            params={place}
            activeOptions={{ includeSearch: false }}
            activeProps={{ className: 'font-semibold text-accent' }}
            inactiveProps={{ className: 'text-ink-soft hover:text-ink' }}
            className="flex min-h-7.5 items-center text-small"
          >
            {text(label)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Pages that are about no Safe. */
function AccountLinks() {
  return (
    <nav aria-label={text('workspace.you')} className="hidden lg:block">
      <ul className="grid gap-0.5">
        {own.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true }}
              activeProps={{ className: look(true) }}
              inactiveProps={{ className: look(false) }}
              className={row}
            >
              <Icon of={icon} />
              {text(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
