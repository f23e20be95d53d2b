import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useConfiguration } from '../../api/configuration.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { noteSignedIn, wasSignedIn } from '../../device/seen-signed-in.ts'
import { useTour } from '../../device/tour-step.ts'
import { text, withTexts } from '../../text/text.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Loading } from '../../ui/loading.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { TextAnchor, TextLink } from '../../ui/text-link.tsx'
import { ConnectButton, useSession } from '../../wallet/index.ts'
import { Banner } from './banner.tsx'
import { Keyboard } from './keyboard.tsx'
import { LiveIndicator } from './live-indicator.tsx'
import { Wordmark } from './wordmark.tsx'

const width = 'mx-auto w-full max-w-5xl px-4 sm:px-8'

/** Ways to the pages come after the frame: their place is kept, so that nothing moves when they are there. */
const Side = lazyPart(async () => (await withTexts(() => import('./side.tsx'))).Side)
const TabBar = lazyPart(async () => (await withTexts(() => import('./tab-bar.tsx'))).TabBar)

const Tour = lazyPart(async () => (await withTexts(() => import('../../features/tour/tour.tsx'))).Tour)
/** News of others come after the page. */
const ActivityToasts = lazyPart(
  async () => (await withTexts(() => import('../feedback/activity-toasts.tsx'))).ActivityToasts,
)

/**
 * The frame of every page. A visitor has a head and a foot; whoever is signed in has a column at the side with the ways to
 * all pages, and on a phone a bar above and one within reach of the thumb. Signing in and out changes what stands in the
 * frame, never the frame itself: the button that has the focus and the page are not drawn anew.
 */
export function Shell() {
  const { status, ended } = useSession()
  const isKnown = status === 'authenticated' || ended !== null
  // Until the session is known, the frame keeps the room of the last visit. It shows nothing of a session.
  const isWorkspace = isKnown || (status === 'loading' && wasSignedIn(guardedStorage))
  useEffect(() => {
    if (status !== 'loading') noteSignedIn(guardedStorage, status === 'authenticated')
  }, [status])
  const look = isWorkspace ? workspaceLook : publicLook
  return (
    <div className={look.frame}>
      <SkipLink />
      <div data-head className={look.head}>
        {isKnown ? (
          <Suspense fallback={<SidePlace />}>
            <Side />
          </Suspense>
        ) : (
          isWorkspace && <SidePlace />
        )}
        <header className={look.account}>
          {isKnown ? (
            <LiveIndicator />
          ) : (
            !isWorkspace && (
              <Link to="/" className="shrink-0 rounded-control">
                <Wordmark />
              </Link>
            )
          )}
          <ConnectButton />
        </header>
      </div>
      <div className={look.rest}>
        <Content isWide={isWorkspace} isKnown={isKnown} />
        {isKnown && (
          <Suspense>
            <TabBar />
          </Suspense>
        )}
      </div>
      {status === 'authenticated' && (
        <OptionalPart>
          <Suspense>
            <ActivityToasts />
          </Suspense>
        </OptionalPart>
      )}
      <OptionalPart>
        <Keyboard />
      </OptionalPart>
    </div>
  )
}

/** Loads an optional part. If its code does not load, the page stays unchanged and requests the code again later. */
function OptionalPart({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={(_, reset) => <RetryLater act={reset} />}>{children}</ErrorBoundary>
}

const LATER_MS = 10_000

function RetryLater({ act }: { act: () => void }) {
  useEffect(() => {
    const timer = setTimeout(act, LATER_MS)
    return () => clearTimeout(timer)
  })
  return null
}

const workspaceLook = {
  frame: 'lg:grid lg:grid-cols-[14.75rem_minmax(0,1fr)]',
  head: '@container/head flex min-h-13 items-center gap-3 border-b border-rule bg-sunk px-4 lg:sticky lg:top-0 lg:h-dvh lg:flex-col lg:items-stretch lg:gap-2.5 lg:overflow-y-auto lg:border-r lg:border-b-0 lg:px-3 lg:py-4',
  account:
    'ml-auto flex shrink-0 items-center gap-x-3 gap-y-2 lg:mt-auto lg:ml-0 lg:flex-wrap lg:justify-between lg:border-t lg:border-rule lg:px-1 lg:pt-3',
  rest: 'flex min-h-dvh min-w-0 flex-col',
}
const publicLook = {
  frame: 'flex min-h-dvh flex-col',
  head: 'border-b border-rule',
  account: `${width} flex items-center justify-between gap-x-3 py-3`,
  rest: 'flex flex-1 flex-col',
}

/** The upper end of the column before the rest is there. A picture of it: the link comes with the ways to the pages. */
function SidePlace() {
  return (
    <div aria-hidden="true" className="hidden px-2 lg:block">
      <Wordmark />
    </div>
  )
}

function SkipLink() {
  return (
    <a href="#content" className="absolute -top-20 left-4 z-30 bg-accent px-4 py-2 text-on-accent focus:top-2">
      {text('app.skip')}
    </a>
  )
}

/** The page and the foot. As high as the window, so that the content does not push the foot; in a workspace the foot is below. */
function Content({ isWide, isKnown }: { isWide: boolean; isKnown: boolean }) {
  const { version } = useConfiguration()
  const { status } = useSession()
  const room = isWide ? 'mx-auto w-full max-w-[69.5rem] px-4 sm:px-9' : width
  return (
    <>
      <main
        id="content"
        tabIndex={-1}
        className={`${room} flex-1 pt-6 pb-8 outline-none ${isWide ? 'min-h-dvh sm:pt-7' : 'min-h-[calc(100dvh-3.75rem)] sm:pt-12'} sm:pb-12`}
      >
        <Banner />
        {isWide && <TourPlace isKnown={isKnown} />}
        <Page />
      </main>
      <footer className="border-t border-rule">
        <div className={`${room} flex flex-wrap justify-between gap-x-6 gap-y-1 py-5 text-small text-ink-faint`}>
          <span>{text('app.footer')}</span>
          <span className="flex flex-wrap gap-x-6">
            {status === 'authenticated' && <TextLink to="/chains">{text('app.footer.chains')}</TextLink>}
            <TextAnchor href="/THIRD-PARTY-NOTICES.txt">{text('app.footer.licences')}</TextAnchor>
            {text('app.footer.version', { version })}
          </span>
        </div>
      </footer>
    </>
  )
}

/** A page takes the place of one that can still be read: it is told of when it is not there after this. */
const LATE_MS = 250

/**
 * The page, or that it is still coming. Of the first one the router says so, at once; it would not say it of a page that a
 * pointer on a link has announced. A page that came is drawn before the router gives it the focus and its place.
 */
function Page() {
  const isLoading = useRouterState({
    select: (state) => state.isLoading && state.matches.at(-1)?.pathname !== state.location.pathname,
  })
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setIsLate, LATE_MS, isLoading)
    return () => clearTimeout(timer)
  }, [isLoading])
  return isLoading && isLate ? <Coming /> : <Outlet />
}

export function Coming() {
  return <Loading label={text('app.loading')} />
}

/** The tour comes with code of its own, into a place that is as high as it is. */
function TourPlace({ isKnown }: { isKnown: boolean }) {
  const tour = useTour(guardedStorage)
  if (!tour?.isOpen) return null
  const place = <div className="mb-6 min-h-36" />
  return isKnown ? (
    <Suspense fallback={place}>
      <Tour />
    </Suspense>
  ) : (
    place
  )
}

/** The frame before anything is known. */
export function BareShell({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <header className="border-b border-rule">
        <div className={`${width} flex min-h-15 items-center py-3`}>
          <Wordmark />
        </div>
      </header>
      <main className={`${width} py-8 sm:py-12`}>{children}</main>
    </div>
  )
}
