import { isClosed, type SignedReview } from '@countersign/review'
import { text } from '../../safe/text.ts'
import { summarizeVerdict } from '../../safe/words/verdict-summary.ts'
import { shownVerdict, verdictTitle } from '../../safe/words/verdict-words.ts'
import { TextAnchor } from '../../ui/text-link.tsx'
import { isAnswerable, type Offer } from './offer.ts'

/** Where the links of the bar lead. */
export const anchors = { verdict: 'verdict', confirmation: 'your-confirmation', execution: 'execution' } as const

type Goal = keyof typeof anchors

const looks = {
  matches: 'text-accent',
  'matches-one-node': 'text-ink',
  'matches-with-warnings': 'text-warning',
  'cannot-verify': 'text-warning',
  'do-not-sign': 'text-danger',
} as const

/**
 * The last thing in a review: what it says and how far the collecting is. It stays at the lower edge for as long as the
 * review is read and comes to rest right above the decision. It leads there and decides nothing: whoever signs has gone
 * past the review.
 */
export function DecisionBar({
  title,
  review,
  threshold,
  isOutdated,
  confirm,
  execute = { kind: 'none' },
}: {
  /** The effect in one sentence, as above the page and above the button. */
  title: string
  review: SignedReview
  /** Null before it is proposed. */
  threshold: number | null
  isOutdated: boolean
  confirm: Offer
  execute?: Offer
}) {
  const goal = goalOf(review, confirm, execute)
  const count = review.confirmations.filter(({ status }) => status === 'valid').length
  return (
    <section
      aria-label={text('decision.label')}
      data-decision-bar={goal ?? 'none'}
      className="sticky bottom-0 z-[1] -mx-4 flex min-h-15 flex-wrap items-center justify-between gap-x-4 border-y border-rule-strong bg-raised px-4 pt-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))] sm:mx-0"
    >
      <p className="min-w-0 flex-[1_1_8rem] leading-5">
        <span data-title className="block truncate text-small">
          {title}
        </span>
        <span className={`mr-2 font-semibold ${isOutdated ? 'text-ink-soft' : looks[shownVerdict(review)]}`}>
          {isOutdated ? text('decision.outdated') : verdictTitle(summarizeVerdict(review))}
        </span>
        {threshold !== null && (
          <span className="inline-block text-small text-ink-soft">
            {text('review.signatures.count', { count, threshold })}
          </span>
        )}
      </p>
      {goal && (
        <TextAnchor
          look="target"
          href={`#${anchors[goal]}`}
          onClick={(event) => {
            if (goTo(anchors[goal])) event.preventDefault()
          }}
        >
          {text(threshold === null && goal === 'confirmation' ? 'decision.to.signature' : `decision.to.${goal}`)}
        </TextAnchor>
      )}
    </section>
  )
}

/** The next thing that can be done here; where nothing can, the reason, unless it is done. */
function goalOf(review: SignedReview, confirm: Offer, execute: Offer): Goal | undefined {
  if (isAnswerable(confirm)) return 'confirmation'
  if (isAnswerable(execute)) return 'execution'
  if (isClosed(review)) return 'verdict'
  return confirm.kind === 'refused' ? 'confirmation' : undefined
}

/** At once: a page that rushes by helps nobody. The focus goes along, so that Tab goes on from there. */
function goTo(id: string): boolean {
  const heading = document.getElementById(id)
  heading?.scrollIntoView({ block: 'start', behavior: 'instant' })
  heading?.focus({ preventScroll: true })
  return heading !== null
}
