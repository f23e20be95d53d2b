import { useState } from 'react'
import { type Draft, emptyDraft } from '../draft.ts'
import { noteSent, type SentDraft } from './sent-drafts.ts'
import { type DraftPlace, keepDraft, loadDraft, loadUnfinished, putAside, removeDraft } from './unfinished.ts'

/** The draft of this tab for a Safe; `begin` makes of the one that was kept what the page begins with. */
export function useDraft(place: DraftPlace, begin: (kept: Draft) => Draft) {
  const [draft, setDraft] = useState<Draft>(() => begin(loadDraft(place) ?? emptyDraft))
  const [opened, setOpened] = useState(0)
  const set = (changed: Draft) => {
    const kept = keepDraft(place, changed)
    setDraft(kept)
    return kept
  }
  return {
    draft,
    /** Number of drafts that were opened here: with another one the form begins anew. */
    opened,
    set,
    discard: () => {
      removeDraft(place)
      setDraft(emptyDraft)
    },
    /** Goes on with another draft, or with none; this one stays in the browser. */
    open: (other: Draft | null) => {
      putAside(place)
      setOpened(opened + 1)
      if (other === null) setDraft(emptyDraft)
      else set(loadUnfinished(place, other) ?? other)
    },
    noteSentAs: (sent: Pick<SentDraft, 'hash' | 'nonce'>) => {
      const { key } = draft
      noteSent(key === null ? set(draft) : { ...draft, key }, sent)
    },
  }
}
