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

/** What every page of a Safe has: the way to its other screens. */
export function SafeLayout() {
  const params = useParams({ from: '/signed-in/safes/$chainId/$safeAddress' })
  return (
    <>
      <nav aria-label={text('safe.screens')} data-screens className="mb-6 border-b border-rule sm:mb-8">
        <ul className="-mb-px flex flex-wrap gap-x-5 sm:gap-x-7">
          {screens.map(({ to, label, isExact }) => (
            <li key={to}>
              <Link
                to={to}
                params={params}
                // A filter of the list does not make it another screen.
                activeOptions={{ exact: isExact, includeSearch: false }}
                activeProps={{ className: 'border-accent text-ink font-semibold' }}
                inactiveProps={{
                  className: 'border-transparent text-ink-soft hover:text-ink hover:border-rule-strong',
                }}
                className="inline-flex min-h-11 items-center border-b-2 transition-colors"
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
