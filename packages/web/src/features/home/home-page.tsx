import { type ReactNode, Suspense } from 'react'
import { useChains } from '../../api/configuration.ts'
import { text, withTexts } from '../../text/text.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { PageHead, usePageTitle } from '../../ui/page-head.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { ConnectButton, RequireSession, useSession } from '../../wallet/index.ts'

/** The list comes once somebody is signed in: a visitor needs none of it. */
const MySafes = lazyPart(async () => (await withTexts(() => import('./my-safes.tsx'))).MySafes)

/** The picture and what stands below it come after the words and the button. */
const landingPart = <Name extends keyof typeof import('./landing.tsx')>(name: Name) =>
  lazyPart(async () => {
    const parts = await withTexts(() => import('./landing.tsx'))
    return parts[name]
  })
const ReviewPicture = landingPart('ReviewPicture')
const StoppedAttacks = landingPart('StoppedAttacks')

/** Signed out: what this is and how to begin. Signed in: the account's Safes, and what may be missing among them. */
export function HomePage({ coverage }: { coverage: ReactNode }) {
  const { status, ended, error } = useSession()
  if (status === 'unauthenticated' && !ended && !error) return <Welcome />
  return (
    <RequireSession>
      <PageHead title={text('safes.title')} />
      {coverage}
      <Suspense fallback={<Skeleton label={text('safes.loading')} lines={5} />}>
        <MySafes />
      </Suspense>
    </RequireSession>
  )
}

function Welcome() {
  usePageTitle()
  const isDevnet = useChains().some((chain) => chain.isDevnet)
  return (
    <div className="py-4 sm:py-8">
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)] lg:items-center">
        <div>
          <h1 className="mb-4 text-display font-semibold tracking-tight sm:text-[2.75rem] sm:leading-[3rem]">
            {text('home.title')}
          </h1>
          <p className="mb-8 max-w-prose text-lead text-ink-soft">{text('home.what')}</p>
          <ConnectButton />
        </div>
        <div className="min-h-96">
          <Suspense>
            <ReviewPicture />
          </Suspense>
        </div>
      </div>
      {isDevnet && (
        <section className="mt-12" aria-labelledby="try">
          <h2 id="try" className="mb-4 text-title font-semibold tracking-tight">
            {text('home.try')}
          </h2>
          <ol className="grid gap-x-10 border-t border-rule sm:grid-cols-3">
            {(['home.try.1', 'home.try.2', 'home.try.3'] as const).map((key, index) => (
              <li key={key} className="flex gap-3 border-b border-rule py-3 sm:border-b-0 sm:pt-5">
                <span aria-hidden className="figures text-ink-faint">
                  {index + 1}
                </span>
                <span>{text(key)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <Suspense>
        <StoppedAttacks />
      </Suspense>
    </div>
  )
}
