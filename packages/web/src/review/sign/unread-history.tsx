import { text } from '../../safe/text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { ReviewView } from '../use-review.ts'

/** Says that nobody could be asked about earlier payments, while the review finds accounts that none is proved to. */
export function UnreadHistory({ view: { isPastUnread, review, retry } }: { view: ReviewView }) {
  const isNewFound = review?.findings.some(({ id }) => id === 'ADDR-NEW' || id === 'CODE-UNFAMILIAR')
  if (!isPastUnread || !isNewFound) return null
  return (
    <Notice
      tone="warning"
      title={text('review.past.unread')}
      actions={
        <Button isCompact onClick={retry}>
          {text('problem.retry')}
        </Button>
      }
    >
      {text('review.past.unread.sentence')}
    </Notice>
  )
}
