import { useQuery } from '@tanstack/react-query'
import { useChains } from '../../api/configuration.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { storeTour, TOUR_STEPS, useTour } from '../../device/tour-step.ts'
import { findDemoSafe } from '../../safe/demo-safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { needTexts, text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'

needTexts('landing')

const paths = ['', '/queue', '/queue', '/history', '/queue'] as const

/** The step of the tour that the reader is at, above every page of the workspace until they leave it. */
export function Tour() {
  const tour = useTour(guardedStorage)
  const chains = useChains()
  const { data } = useQuery(safesQuery)
  const demo = findDemoSafe(data?.safes ?? [], chains)
  if (!tour?.isOpen || !chains.some(({ isDevnet }) => isDevnet)) return null
  const { step } = tour
  const key = `tour.${step}` as 'tour.1'
  const go = (next: number) => storeTour(guardedStorage, next > TOUR_STEPS ? null : { step: next, isOpen: true })
  return (
    <section
      data-tour={step}
      aria-label={text('tour.title')}
      className="mb-6 rounded-sheet border border-rule-strong border-l-4 border-l-accent bg-raised px-4 py-3 print:hidden"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p role="status" className="font-semibold">
          <span className="mr-2 text-small font-normal text-ink-soft">
            {text('tour.step', { step, count: TOUR_STEPS })}
          </span>
          {text(key)}
        </p>
        {/* The words of a button without a border begin and end where those beside and below it do. */}
        <div className="-mx-3">
          <Button variant="quiet" isCompact onClick={() => storeTour(guardedStorage, { step, isOpen: false })}>
            {text('tour.leave')}
          </Button>
        </div>
      </div>
      <p className="max-w-prose text-ink-soft">{text(`${key}.sentence`)}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        {demo && (
          <ButtonLink
            isCompact
            to={`/safes/$chainId/$safeAddress${paths[step - 1] ?? ''}` as '/safes/$chainId/$safeAddress'}
            params={{ chainId: demo.chainId, safeAddress: demo.address }}
          >
            {text(`${key}.link`)}
          </ButtonLink>
        )}
        {step > 1 && (
          <Button isCompact onClick={() => go(step - 1)}>
            {text('tour.back')}
          </Button>
        )}
        <Button isCompact variant="primary" onClick={() => go(step + 1)}>
          {text(step === TOUR_STEPS ? 'tour.end' : 'tour.next')}
        </Button>
      </div>
    </section>
  )
}
