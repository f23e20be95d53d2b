import { Link, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useConfiguration } from '../api/configuration.ts'
import { type LiveStatus, useLiveStatus } from '../api/live-status.ts'
import { text } from '../text/text.ts'
import { Notice } from '../ui/notice.tsx'
import { TextAnchor, TextLink } from '../ui/text-link.tsx'
import { ConnectButton, useSession } from '../wallet/index.ts'

const width = 'mx-auto w-full max-w-5xl px-4 sm:px-8'

/** Head, content and foot of every page. */
export function Shell() {
  const { version } = useConfiguration()
  const { status: sessionStatus } = useSession()
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="absolute -top-20 left-4 z-10 bg-accent px-4 py-2 text-on-accent focus:top-2">
        {text('app.skip')}
      </a>
      <header className="border-b border-rule">
        <div className={`${width} flex items-center justify-between gap-x-3 py-3`}>
          <Link to="/" className="shrink-0 rounded-control">
            <Wordmark />
          </Link>
          <div className="flex min-w-0 items-center justify-end gap-2.5 sm:gap-4">
            <LiveIndicator />
            <ConnectButton />
          </div>
        </div>
      </header>
      {/*
       * The way to the screens of a Safe stands close under the head, below whatever is to be said first. As high as the
       * window: the foot does not jump away when the content is there.
       */}
      <main
        id="content"
        tabIndex={-1}
        className={`${width} min-h-[calc(100dvh-3.75rem)] flex-1 pt-8 pb-8 outline-none has-[[data-screens]]:pt-4 sm:pt-12 sm:pb-12 sm:has-[[data-screens]]:pt-4`}
      >
        <OfflineNote />
        <ChainTroubles />
        <Outlet />
      </main>
      <footer className="border-t border-rule">
        <div className={`${width} flex flex-wrap justify-between gap-x-6 gap-y-1 py-5 text-small text-ink-faint`}>
          <span>{text('app.footer')}</span>
          <span className="flex gap-x-6">
            {sessionStatus === 'authenticated' && <TextLink to="/chains">{text('app.footer.chains')}</TextLink>}
            <TextAnchor href="/THIRD-PARTY-NOTICES.txt">{text('app.footer.licences')}</TextAnchor>
            {text('app.footer.version', { version })}
          </span>
        </div>
      </footer>
    </div>
  )
}

/** Said once, on every page: what waits for the network would otherwise wait without a word. */
function OfflineNote() {
  if (useLiveStatus() !== 'offline') return null
  return (
    <div className="mb-8" data-offline>
      <Notice tone="warning" isAnnounced title={text('app.offline')}>
        {text('app.offline.sentence')}
      </Notice>
    </div>
  )
}

/** Chains whose node is of no use now, on every page. */
function ChainTroubles() {
  const { chains } = useConfiguration()
  return (
    <div className="grid gap-4 not-empty:mb-8">
      {chains.map(({ chainId, name, status }) =>
        status === 'ok' ? null : (
          <Notice key={chainId} tone="warning" isAnnounced title={text(`app.chain.${status}`, { name })}>
            {text(`app.chain.${status}.sentence`, { chainId })}
          </Notice>
        ),
      )}
    </div>
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

/** The mark: a ruled line with the second signature on it. */
function Wordmark() {
  return (
    <span className="flex items-center gap-2 text-body font-semibold sm:gap-2.5 sm:text-lead tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 text-accent" fill="none" stroke="currentColor">
        <path d="M2 6.5h20M2 20.5h13" strokeWidth="1.5" />
        <path d="M4 13.5l4.5 4L20 9.5" strokeWidth="2.75" />
      </svg>
      <span className="max-[359px]:sr-only">{text('app.name')}</span>
    </span>
  )
}

/** Each has a shape of its own, so that it is told apart without its colour and without its word. */
const marks = {
  live: { look: 'text-accent', shape: <circle cx="6" cy="6" r="3.25" fill="currentColor" stroke="none" /> },
  connecting: { look: 'breathing text-warning', shape: <circle cx="6" cy="6" r="4" strokeDasharray="3 2" /> },
  offline: {
    look: 'text-danger',
    shape: (
      <>
        <circle cx="6" cy="6" r="4.5" />
        <path d="M3 9l6-6" />
      </>
    ),
  },
} satisfies Record<LiveStatus, unknown>

/** Where it is narrow the word is left to the mark's title and to screen readers: the head stays one line. */
function LiveIndicator() {
  const status = useLiveStatus()
  const { status: sessionStatus } = useSession()
  if (sessionStatus !== 'authenticated') return null
  const { look, shape } = marks[status]
  return (
    <span
      role="status"
      data-live-status={status}
      title={text(`live.${status}.title`)}
      className="flex items-center gap-1.5 text-small text-ink-soft"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 12 12"
        className={`size-3 ${look}`}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
      >
        {shape}
      </svg>
      <span className="sr-only sm:not-sr-only">{text(`live.${status}`)}</span>
    </span>
  )
}
