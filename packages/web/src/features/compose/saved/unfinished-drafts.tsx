import { useMemo, useState, useSyncExternalStore } from 'react'
import { showUntrusted } from '../../../text/untrusted.ts'
import { Button } from '../../../ui/button.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Row, Rows } from '../../../ui/section.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { type Draft, isEmptyDraft, type Typed } from '../draft.ts'
import { text } from '../text.ts'
import {
  type DraftPlace,
  discardUnfinished,
  isInBrowser,
  parseUnfinished,
  readUnfinished,
  subscribeUnfinished,
  type UnfinishedDraft,
} from './unfinished.ts'

/** More would push the form off the screen. */
const MAX_OPEN = 3

/** Drafts that this browser still keeps from other tabs and other days: to go on with, or to discard. */
export function UnfinishedDrafts({
  place,
  draft,
  onOpen,
}: {
  place: DraftPlace
  draft: Draft
  onOpen: (draft: Draft | null) => void
}) {
  const stored = useSyncExternalStore(subscribeUnfinished, () => readUnfinished(place))
  const kept = useMemo(() => parseUnfinished(stored), [stored])
  const others = kept.filter((one) => one.draft.key !== draft.key)
  const isUntouched = isEmptyDraft({ ...draft, nonce: null })
  // Not closed by the first letter that is typed: the form would jump.
  const [isOpen] = useState(isUntouched && others.length <= MAX_OPEN)
  // A draft that only the tab has would be lost by opening another one.
  if (others.length === 0 || !isInBrowser(place, draft)) return null
  return (
    <div className="mb-8" data-unfinished={others.length}>
      <Fold title={text('drafts.unfinished')} result={others.length} isOpen={isOpen}>
        <div className="grid gap-4">
          <Rows label={text('drafts.unfinished')}>
            {others.map((one) => (
              <Row key={one.draft.key}>
                <UnfinishedLine
                  {...one}
                  onOpen={() => onOpen(one.draft)}
                  onDiscard={() => discardUnfinished(place, one.draft)}
                />
              </Row>
            ))}
          </Rows>
          {!isUntouched && (
            <div>
              <Button isCompact onClick={() => onOpen(null)}>
                {text('drafts.unfinished.aside')}
              </Button>
            </div>
          )}
        </div>
      </Fold>
    </div>
  )
}

function UnfinishedLine({
  draft,
  at,
  onOpen,
  onDiscard,
}: UnfinishedDraft & { onOpen: () => void; onDiscard: () => void }) {
  const name = nameOfDraft(draft)
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="text-small text-ink-soft">
          <Time value={at} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button isCompact aria-label={text('drafts.unfinished.goOn.named', { name })} onClick={onOpen}>
          {text('drafts.unfinished.goOn')}
        </Button>
        <Button
          isCompact
          variant="quiet"
          aria-label={text('drafts.unfinished.discard.named', { name })}
          onClick={onDiscard}
        >
          {text('drafts.unfinished.discard')}
        </Button>
      </div>
    </div>
  )
}

/** The draft in a line, as it was typed: nothing of it was read or checked. */
function nameOfDraft({ entries, later, origin }: Draft): string {
  const [first] = entries
  const title = first === undefined ? '' : text(`compose.kind.${first.kind}`)
  const count = entries.length + later.length - 1
  const parts = [
    count === 0 ? title : text('drafts.unfinished.more', { title, count }),
    ...(first === undefined ? [] : [first.typed.amount, aboutOf(first.typed)]),
    origin,
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => showUntrusted(part, 60))
    .join(' · ')
}

/** The account that an entry is about, as it was typed. */
function aboutOf(typed: Typed): string {
  const { recipient, contract, newOwner, owner, module, guard, handler, delegate } = typed
  return [recipient, contract, newOwner, owner, module, guard, handler, delegate].find((one) => one !== '') ?? ''
}
