import { listDrafts, removeDraft, shareDraft, type TeamDraft } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { allPages } from '../../api/all-pages.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address as ShownAddress } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Field, SelectField } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseRequired } from '../../ui/form/typed-field.ts'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Tag } from '../../ui/tag.tsx'
import { WritingForm } from '../../wallet/signing.ts'
import { type Draft, isEmptyDraft, openShared, writeShared } from './draft.ts'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: Address }

function draftsQuery(chainId: number, safeAddress: Address) {
  return queryOptions({
    queryKey: queryKeys.drafts(chainId, safeAddress),
    queryFn: async ({ signal }) => {
      const { items } = await allPages(
        (cursor) => api(listDrafts, { chainId, safeAddress, cursor }, signal),
        (page) => page.drafts,
      )
      return { drafts: items }
    },
    staleTime: 5_000,
    retry: false,
  })
}

/** Removes a draft of the team that was proposed. One that is gone already is none to complain about. */
export function removeShared({ chainId, safeAddress }: Place, { shared }: Draft): void {
  if (shared !== null) void api(removeDraft, { chainId, safeAddress, id: shared }).catch(() => undefined)
}

/** Says that a draft of the team is gone from its list, as it is once somebody has proposed it. */
export function SharedGone({ chainId, safeAddress, draft }: Place & { draft: Draft }) {
  const { data } = useQuery({ ...draftsQuery(chainId, safeAddress), enabled: draft.shared !== null })
  const isGone = draft.shared !== null && data !== undefined && !data.drafts.some(({ id }) => id === draft.shared)
  if (!isGone) return null
  return (
    <div className="mb-6">
      <Notice tone="warning" isAnnounced>
        {text('drafts.gone')}
      </Notice>
    </div>
  )
}

/** Drafts and templates that the team keeps: opened they fill the form, and are reviewed as all else that is typed. */
export function TeamDrafts({
  chainId,
  safeAddress,
  draft,
  names,
  onOpen,
}: Place & { draft: Draft; names: Names; onOpen: (draft: Draft) => void }) {
  const drafts = useQuery(draftsQuery(chainId, safeAddress))
  const place = { chainId, safeAddress }
  const remove = useTeamChange(place, (id: string) => api(removeDraft, { ...place, id }))
  return (
    <Fold title={text('drafts.title')} result={drafts.data?.drafts.length || undefined}>
      <div className="grid max-w-xl gap-4">
        <List
          of={drafts}
          rows={drafts.data?.drafts ?? []}
          keyOf={({ id }) => id}
          label={text('drafts.title')}
          loading={text('drafts.loading')}
          lines={1}
          empty={<p className="text-ink-soft">{text('drafts.empty')}</p>}
        >
          {(kept) => <KeptDraft kept={kept} names={names} onOpen={onOpen} onRemove={() => remove.mutate(kept.id)} />}
        </List>
        {remove.error && <Problem error={remove.error} />}
        {!isEmptyDraft({ ...draft, nonce: null }) && <ShareForm {...place} draft={draft} />}
      </div>
    </Fold>
  )
}

function KeptDraft({
  kept: { id, name, author, content, isTemplate },
  names,
  onOpen,
  onRemove,
}: {
  kept: TeamDraft
  names: Names
  onOpen: (draft: Draft) => void
  onRemove: () => void
}) {
  const opened = openShared(content, isTemplate ? null : id)
  const shown = showUntrusted(name, 60)
  return (
    <div data-team-draft={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
          {shown} {isTemplate && <Tag>{text('drafts.template')}</Tag>}
        </p>
        <ShownAddress address={author} name={nameOf(author, names)} hasAvatar={false} isCopyable={false} />
        {opened === null && <p className="text-small text-warning">{text('drafts.unreadable', { name: shown })}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {opened && (
          <Button isCompact aria-label={text('drafts.use.named', { name: shown })} onClick={() => onOpen(opened)}>
            {text('drafts.use')}
          </Button>
        )}
        <Button isCompact variant="quiet" aria-label={text('drafts.remove.named', { name: shown })} onClick={onRemove}>
          {text('drafts.remove')}
        </Button>
      </div>
    </div>
  )
}

function ShareForm({ chainId, safeAddress, draft }: Place & { draft: Draft }) {
  const form = useForm({
    start: { name: '', kind: 'draft' },
    read: ({ name, kind }) => ({
      name: parseRequired(name, text('drafts.name.missing')),
      kind: { value: kind },
    }),
    sending: useTeamChange({ chainId, safeAddress }, ({ name, kind }: { name: string; kind: string }) =>
      api(shareDraft, { chainId, safeAddress, name, content: writeShared(draft), isTemplate: kind === 'template' }),
    ),
  })
  return (
    <WritingForm submit={text('drafts.share')} busy={text('drafts.share.busy')} isPrimary={false} state={form.state}>
      <Field label={text('drafts.name')} maxLength={60} hint={text('drafts.share.hint')} {...form.field('name')} />
      <SelectField label={text('drafts.kind')} {...form.field('kind')}>
        <option value="draft">{text('drafts.kind.draft')}</option>
        <option value="template">{text('drafts.kind.template')}</option>
      </SelectField>
    </WritingForm>
  )
}
