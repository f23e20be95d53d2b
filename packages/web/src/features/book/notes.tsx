import { addNote, removeNote } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { useRole } from '../../api/safe.ts'
import { useTeamChange } from '../../api/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { useSession, Writing } from '../../wallet/index.ts'
import { notesQuery } from './queries.ts'
import { text } from './text.ts'
import { WrittenBy } from './written-by.tsx'

type Subject = { chainId: number; safeAddress: Address; subjectHash: Hex }

/** What the team says about a transaction or a message. Nothing for who is not of the team. */
export function Notes({ chainId, safeAddress, subjectHash }: Subject) {
  const role = useRole(chainId, safeAddress)
  return role === null ? null : (
    <NotesOf chainId={chainId} safeAddress={safeAddress} subjectHash={subjectHash} mayWrite={role !== 'viewer'} />
  )
}

function NotesOf({ chainId, safeAddress, subjectHash, mayWrite }: Subject & { mayWrite: boolean }) {
  const notes = useQuery(notesQuery(chainId, safeAddress, subjectHash))
  const { session } = useSession()
  const [typed, setTyped] = useState('')
  const place = { chainId, safeAddress }
  const add = useTeamChange(
    place,
    (said: string) => api(addNote, { chainId, safeAddress, subjectHash, text: said }),
    () => setTyped(''),
  )
  const remove = useTeamChange(place, (id: string) => api(removeNote, { chainId, safeAddress, subjectHash, id }))
  const written = notes.data?.notes ?? []
  return (
    <Section title={text('book.notes')} aside={text('book.notes.what')}>
      {notes.error ? (
        <Problem error={notes.error} onRetry={() => void notes.refetch()} />
      ) : notes.isPending ? (
        <Skeleton label={text('book.notes.loading')} />
      ) : (
        written.length === 0 && <p className="text-ink-soft">{text('book.notes.empty')}</p>
      )}
      {written.length > 0 && (
        <Rows label={text('book.notes')}>
          {written.map((note) => (
            <Row key={note.id}>
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
            </Row>
          ))}
        </Rows>
      )}
      {remove.error && <Problem error={remove.error} />}
      {mayWrite && (
        <Writing>
          <form
            noValidate
            className="mt-4 grid max-w-xl gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              if (typed.trim() && !add.isPending) add.mutate(typed.trim())
            }}
          >
            <TextField
              label={text('book.note.label')}
              rows={2}
              maxLength={2_000}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                add.reset()
              }}
            />
            {add.error && <Problem error={add.error} />}
            <div>
              <Button type="submit" busy={add.isPending ? text('book.note.busy') : undefined}>
                {text('book.note.add')}
              </Button>
            </div>
          </form>
        </Writing>
      )}
    </Section>
  )
}
