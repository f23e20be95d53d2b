import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { safeQuery, useRole } from '../../safe/safe.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from './icons.tsx'
import { openPalette } from './keyboard.tsx'
import { type Place, usePlace } from './place.ts'
import { isIn, own, pathOf, records, type Section, work } from './sections.ts'
import { text } from './text.ts'
import { WaitingIn } from './waiting.tsx'

// Large text leaves no room for five of them beside each other: then they are their words alone, in two lines.
// Padding that follows the text changes the width that is measured: without it, text made larger on the open page is not heard of.
const bar = '@container px-[0.0625rem]'
const tabs = 'flex @max-[17rem]:flex-wrap'
const tab =
  'relative flex min-h-14 flex-col items-center justify-center gap-0.5 text-[0.75rem] leading-[1.35] @max-[17rem]:min-h-[44px] @max-[17rem]:flex-row @max-[17rem]:gap-1.5 @max-[17rem]:px-1.5 @max-[17rem]:[&>svg]:hidden'
const waiting = 'absolute top-1 left-1/2 ml-1 @max-[17rem]:static @max-[17rem]:ml-0'
const look = (isHere: boolean) => (isHere ? 'font-semibold text-accent' : 'text-ink-soft')

/** The bar at the lower edge of a phone. It gives way to the bar of a decision. */
export function TabBar() {
  const place = usePlace()
  return (
    <div
      data-tabs
      className="sticky bottom-0 z-10 border-t border-rule bg-sunk pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {place ? <SafeTabs key={`${place.chainId} ${place.safeAddress}`} place={place} /> : <AccountTabs />}
    </div>
  )
}

function SafeTabs({ place }: { place: Place }) {
  const { pathname } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  const role = useRole(place.chainId, place.safeAddress)
  const { data: safe } = useQuery(safeQuery(place.chainId, place.safeAddress))
  const [home, transactions, assets, messages] = work
  const rest = messages ? [messages, ...records] : records
  const link = (section: Section | undefined, aside?: ReactNode) =>
    section && (
      <li className="min-w-0 flex-auto">
        <Link
          to={pathOf(section)}
          params={place}
          activeOptions={{ exact: section.path === '', includeSearch: false }}
          className={`${tab} ${look(isIn(section, pathname))}`}
        >
          <Icon of={section.icon} size={22} />
          <span className="max-w-full truncate">{text(section.label)}</span>
          {aside && <span className={waiting}>{aside}</span>}
        </Link>
      </li>
    )
  return (
    <nav aria-label={text('safe.screens')} className={bar}>
      <ul className={tabs}>
        {link(home)}
        {link(transactions, <WaitingIn section="transactions" safe={safe} />)}
        {(role === 'owner' || role === 'proposer') && (
          <li className="min-w-0 flex-auto">
            <Link to="/safes/$chainId/$safeAddress/new" params={place} className={`${tab} text-ink-soft`}>
              <Icon of="new" size={22} />
              {text('workspace.new.short')}
            </Link>
          </li>
        )}
        {link(assets)}
        <li className="min-w-0 flex-auto">
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setIsOpen(true)}
            className={`${tab} w-full ${look(rest.some((section) => isIn(section, pathname)))}`}
          >
            <Icon of="more" size={22} />
            {text('workspace.more')}
            <span className={waiting}>
              <WaitingIn section="messages" safe={safe} />
            </span>
          </button>
        </li>
      </ul>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={text('workspace.more')} place="side">
        <ul>
          <Choice icon="search">
            <button
              type="button"
              onClick={() => {
                setIsOpen(false)
                openPalette()
              }}
              className="flex min-h-12 flex-1 items-center text-left"
            >
              {text('palette.title')}
            </button>
          </Choice>
          {rest.map((section) => (
            <Choice key={section.id} icon={section.icon}>
              <Link
                to={pathOf(section)}
                params={place}
                activeOptions={{ includeSearch: false }}
                onClick={() => setIsOpen(false)}
                className="flex min-h-12 flex-1 items-center"
              >
                {text(section.label)}
                <WaitingIn section={section.id} safe={safe} />
              </Link>
            </Choice>
          ))}
        </ul>
      </Dialog>
    </nav>
  )
}

function Choice({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li className="flex items-center gap-4 border-b border-rule last:border-b-0">
      <Icon of={icon} size={20} />
      {children}
    </li>
  )
}

function AccountTabs() {
  return (
    <nav aria-label={text('workspace.you')} className={bar}>
      <ul className={tabs}>
        {own.map(({ to, label, icon }) => (
          <li key={to} className="min-w-0 flex-1 @max-[17rem]:flex-auto">
            <Link
              to={to}
              activeOptions={{ exact: true }}
              activeProps={{ className: look(true) }}
              inactiveProps={{ className: look(false) }}
              className={tab}
            >
              <Icon of={icon} size={22} />
              {text(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
