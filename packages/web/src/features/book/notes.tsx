import { addNote, removeNote } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { useRole } from '../../safe/safe.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseRequired } from '../../ui/form/typed-field.ts'
import { List } from '../../ui/list.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { Writing, WritingForm } from '../../wallet/signing.ts'
import { notesQuery } from './queries.ts'
import { text } from './text.ts'
import { WrittenBy } from './written-by.tsx'

type Subject = { chainId: number; safeAddress: Address; subjectHash: Hex }

/** Shows the team's notes about a transaction or a message. Nothing outside the team. */
export function Notes({ chainId, safeAddress, subjectHash }: Subject) {
  const role = useRole(chainId, safeAddress)
  return role === null ? null : (
    <NotesOf chainId={chainId} safeAddress={safeAddress} subjectHash={subjectHash} mayWrite={role !== 'viewer'} />
  )
}

function NotesOf({ chainId, safeAddress, subjectHash, mayWrite }: Subject & { mayWrite: boolean }) {
  const notes = useQuery(notesQuery(chainId, safeAddress, subjectHash))
  const { session } = useSession()
  const place = { chainId, safeAddress }
  const form = useForm({
    start: { note: '' },
    read: ({ note }) => ({ note: parseRequired(note, text('book.note.missing')) }),
    sending: useTeamChange(place, ({ note }: { note: string }) =>
      api(addNote, { chainId, safeAddress, subjectHash, text: note }),
    ),
  })
  const remove = useTeamChange(place, (id: string) => api(removeNote, { chainId, safeAddress, subjectHash, id }))
  return (
    <Section title={text('book.notes')}>
      <p className="mb-3 text-small text-ink-soft">{text('book.notes.what')}</p>
      <List
        of={notes}
        rows={notes.data?.notes ?? []}
        keyOf={({ id }) => id}
        label={text('book.notes')}
        loading={text('book.notes.loading')}
        lines={1}
        empty={<p className="text-ink-soft">{text('book.notes.empty')}</p>}
      >
        {(note) => (
          <div data-note={note.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="min-w-0">
              {note.text.split('\n').map((line, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one note never move
                <p key={index} className="wrap-anywhere">
                  {showUntrusted(line, 2_000)}
                </p>
              ))}
              <WrittenBy {...place} author={note.author} at={note.createdAt} />
            </div>
            {note.author === session?.address && (
              <Writing>
                <Button
                  isCompact
                  variant="quiet"
                  onClick={() => remove.mutate(note.id)}
                  busy={remove.isPending ? text('book.remove.busy') : undefined}
                >
                  {text('book.note.remove')}
                </Button>
              </Writing>
            )}
          </div>
        )}
      </List>
      {remove.error && <Problem error={remove.error} />}
      {mayWrite && (
        <div className="mt-4">
          <WritingForm
            submit={text('book.note.add')}
            busy={text('book.note.busy')}
            isPrimary={false}
            state={form.state}
          >
            <TextField label={text('book.note.label')} rows={2} maxLength={2_000} {...form.field('note')} />
          </WritingForm>
        </div>
      )}
    </Section>
  )
}
