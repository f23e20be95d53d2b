import { lazy, type ReactNode, Suspense } from 'react'
import { useChains } from '../../api/configuration.ts'
import { loadTexts, text } from '../../text/text.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { PageHead, usePageTitle } from '../../ui/page-head.tsx'
import { ConnectButton, RequireSession, useSession } from '../../wallet/index.ts'

/** The list comes once somebody is signed in: a visitor needs none of it. */
const MySafes = lazy(async () => {
  const { MySafes: view } = await import('./my-safes.tsx')
  await loadTexts()
  return { default: view }
})

/** Signed out: what this is and how to begin. Signed in: the account's Safes, and what may be missing among them. */
export function HomePage({ coverage }: { coverage: ReactNode }) {
  const { status, ended, error } = useSession()
  if (status === 'unauthenticated' && !ended && !error) return <Welcome />
  return (
    <RequireSession>
      <PageHead title={text('safes.title')} />
      {coverage}
      <Suspense fallback={<Skeleton label={text('safes.loading')} lines={3} />}>
        <MySafes />
      </Suspense>
    </RequireSession>
  )
}

function Welcome() {
  usePageTitle()
  const isDevnet = useChains().some((chain) => chain.isDevnet)
  return (
    <div className="max-w-2xl py-6 sm:py-12">
      <h1 className="mb-4 text-display font-semibold tracking-tight">{text('home.title')}</h1>
      <p className="mb-8 max-w-prose text-lead text-ink-soft">{text('home.what')}</p>
      <ConnectButton />
      {isDevnet && (
        <section className="mt-12" aria-labelledby="try">
          <h2 id="try" className="mb-3 text-title font-semibold tracking-tight">
            {text('home.try')}
          </h2>
          <ol className="border-t border-rule">
            {(['home.try.1', 'home.try.2', 'home.try.3'] as const).map((key, index) => (
              <li key={key} className="flex gap-4 border-b border-rule py-3">
                <span aria-hidden className="figures text-ink-faint">
                  {index + 1}
                </span>
                <span>{text(key)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}
