import type { ReactNode } from 'react'
import { text } from '../../safe/text.ts'
import { Card } from '../../ui/card.tsx'

/**
 * A review in two columns: the story, and beside it the card in which it is decided, which stays in sight. Where there is
 * room for one only, or the text is large, the card stands after the story, and the evidence after the card.
 */
export function ReviewLayout({ story, card, evidence }: { story: ReactNode; card: ReactNode; evidence: ReactNode }) {
  return (
    <div className="@container print:hidden">
      <div className="@[52.75rem]:grid @[52.75rem]:grid-cols-[minmax(0,1fr)_21.75rem] @[52.75rem]:grid-rows-[auto_1fr] @[52.75rem]:items-start @[52.75rem]:gap-x-10">
        <article className="min-w-0">{story}</article>
        <div
          data-decision-card
          className="mt-5 @[52.75rem]:sticky @[52.75rem]:top-6 @[52.75rem]:col-start-2 @[52.75rem]:row-span-2 @[52.75rem]:row-start-1 @[52.75rem]:mt-0 @[52.75rem]:max-h-[calc(100dvh-3rem)] @[52.75rem]:overflow-y-auto"
        >
          <Card label={text('decision.card')}>{card}</Card>
        </div>
        <div className="mt-6 min-w-0 border-t border-rule-strong empty:hidden">{evidence}</div>
      </div>
    </div>
  )
}
