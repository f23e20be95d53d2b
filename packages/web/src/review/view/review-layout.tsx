import type { ReactNode } from 'react'
import { Card } from '../../ui/card.tsx'
import { text } from '../text.ts'

/**
 * A review in two columns: the story, and beside it the card in which it is decided, which stays in sight. Where there is
 * room for one only, the card stands after the story, and the evidence after the card.
 */
export function ReviewLayout({ story, card, evidence }: { story: ReactNode; card: ReactNode; evidence: ReactNode }) {
  return (
    <div className="print:hidden xl:grid xl:grid-cols-[minmax(0,1fr)_21.75rem] xl:grid-rows-[auto_1fr] xl:items-start xl:gap-x-10">
      <article className="min-w-0">{story}</article>
      <div
        data-decision-card
        className="mt-5 xl:sticky xl:top-6 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:mt-0 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto"
      >
        <Card label={text('decision.card')}>{card}</Card>
      </div>
      <div className="mt-6 min-w-0 border-t border-rule-strong empty:hidden">{evidence}</div>
    </div>
  )
}
