import { Link, Outlet, useParams } from '@tanstack/react-router'
import { text } from '../text/text.ts'

/** The screens of one Safe, in the order of the navigation. A screen is listed once it exists. */
const screens = [
  { to: '/safes/$chainId/$safeAddress', label: 'safe.screens.overview', isExact: true },
  { to: '/safes/$chainId/$safeAddress/messages', label: 'safe.screens.messages', isExact: false },
  { to: '/safes/$chainId/$safeAddress/team', label: 'safe.screens.team', isExact: false },
  { to: '/safes/$chainId/$safeAddress/book', label: 'safe.screens.book', isExact: false },
  { to: '/safes/$chainId/$safeAddress/activity', label: 'safe.screens.activity', isExact: false },
] as const

/** Where not all fit side by side, the one that is shown is in sight. */
function showWhole(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
}

/** What every page of a Safe has: the way to its other screens. Their names do not move when one is gone to. */
export function SafeLayout() {
  const params = useParams({ from: '/signed-in/safes/$chainId/$safeAddress' })
  return (
    <>
      <nav
        aria-label={text('safe.screens')}
        data-screens
        className="-mx-4 mb-6 overflow-x-auto border-b border-rule px-4 [scrollbar-width:none] sm:mx-0 sm:mb-8 sm:px-0"
      >
        <ul className="-mb-px flex gap-x-5 sm:gap-x-7">
          {screens.map(({ to, label, isExact }) => (
            <li key={to}>
              <Link
                to={to}
                params={params}
                // A filter of the list does not make it another screen.
                activeOptions={{ exact: isExact, includeSearch: false }}
                activeProps={{ className: 'border-accent text-ink', ref: showWhole }}
                inactiveProps={{
                  className: 'border-transparent text-ink-soft hover:text-ink hover:border-rule-strong',
                }}
                className="inline-flex min-h-11 items-center border-b-2 font-medium whitespace-nowrap transition-colors -outline-offset-2"
              >
                {text(label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </>
  )
}
