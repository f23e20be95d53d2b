import { useState } from 'react'
import type { Address } from 'viem'
import { type Draft, emptyDraft, keepDraft, loadDraft, withKey } from './draft.ts'
import { noteSent, type SentDraft } from './sent-drafts.ts'

/** The draft of this tab for a Safe; `begin` makes of the one that was kept what the page begins with. */
export function useDraft(chainId: number, safeAddress: Address, begin: (kept: Draft) => Draft) {
  const [draft, setDraft] = useState<Draft>(() => begin(loadDraft(chainId, safeAddress) ?? emptyDraft))
  const keep = (next: Draft, kept: Draft | null) => {
    setDraft(next)
    keepDraft(chainId, safeAddress, kept)
  }
  const set = (changed: Draft) => {
    const next = withKey(changed)
    keep(next, next)
    return next
  }
  return {
    draft,
    set,
    discard: () => keep(emptyDraft, null),
    noteSentAs: (sent: Pick<SentDraft, 'hash' | 'nonce'>) => {
      const { key } = draft
      noteSent(key === null ? set(draft) : { ...draft, key }, sent)
    },
  }
}
