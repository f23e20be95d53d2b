import { Link, Outlet, useParams, useRouter } from '@tanstack/react-router'
import { type TextKey, text } from '../text/text.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Name of the page among the screens of a Safe, which stand in the order of their routes. */
    tab?: TextKey
  }
}

/** The address of any screen of a Safe: all have the same parameters. */
type ScreenPath = '/safes/$chainId/$safeAddress'

/** Where not all fit side by side, the one that is shown is in sight. */
function showWhole(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
}

/** Frame of every page of a Safe: the way to its other screens. Their names do not move when one is opened. */
export function SafeLayout() {
  const params = useParams({ from: '/signed-in/safes/$chainId/$safeAddress' })
  const { routesById } = useRouter()
  return (
    <>
      <nav
        aria-label={text('safe.screens')}
        data-screens
        className="-mx-4 mb-6 overflow-x-auto border-b border-rule px-4 [scrollbar-width:none] sm:mx-0 sm:mb-8 sm:px-0"
      >
        <ul className="-mb-px flex gap-x-5 sm:gap-x-7">
          {Object.values(routesById).map(({ id, fullPath, options: { staticData } }) =>
            staticData?.tab === undefined ? null : (
              <li key={id}>
                <Link
                  to={fullPath as ScreenPath}
                  params={params}
                  // A filter of the list does not make it another screen; what is below a screen is part of it.
                  activeOptions={{ exact: fullPath.endsWith('/'), includeSearch: false }}
                  activeProps={{ className: 'border-accent text-ink', ref: showWhole }}
                  inactiveProps={{
                    className: 'border-transparent text-ink-soft hover:text-ink hover:border-rule-strong',
                  }}
                  className="inline-flex min-h-11 items-center border-b-2 font-medium whitespace-nowrap -outline-offset-2 transition-colors"
                >
                  {text(staticData.tab)}
                </Link>
              </li>
            ),
          )}
        </ul>
      </nav>
      <Outlet />
    </>
  )
}
