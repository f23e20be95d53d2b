import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { text } from '../text.ts'

/**
 * A review in two columns: the story, and beside it the card in which it is decided, which stays in sight. Where there is
 * room for one only, the card stands after the story, and the evidence after the card.
 */
export function ReviewLayout({ story, card, evidence }: { story: ReactNode; card: ReactNode; evidence: ReactNode }) {
  return (
    <div className="print:hidden lg:grid lg:grid-cols-[minmax(0,1fr)_21.75rem] lg:grid-rows-[auto_1fr] lg:items-start lg:gap-x-10">
      <article className="min-w-0">{story}</article>
      <div
        data-decision-card
        className="mt-5 lg:sticky lg:top-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:mt-0 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
      >
        <Card label={text('decision.card')}>{card}</Card>
      </div>
      <div className="mt-6 min-w-0 border-t border-rule-strong empty:hidden">{evidence}</div>
    </div>
  )
}
