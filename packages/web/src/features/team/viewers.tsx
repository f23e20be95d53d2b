import { inviteViewer, removeViewer, type ViewerEntry } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/text/time.tsx'
import type { Part } from './delegates.tsx'
import { Person } from './person.tsx'
import { PersonForm, type Place, RemovePerson } from './person-form.tsx'
import { viewersQuery } from './queries.ts'
import { text } from './text.ts'

/** Shows the accounts that see as much as the team, and change nothing. */
export function Viewers({ place, account, isOwner }: Part) {
  const { chainId, safeAddress } = place
  const names = useNames(chainId, safeAddress)
  const viewers = useQuery(viewersQuery(chainId, safeAddress))
  return (
    <Section title={text('team.viewers')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.viewers.what')}</p>
      <List
        of={viewers}
        rows={viewers.data?.viewers ?? []}
        keyOf={(viewer) => viewer.account}
        label={text('team.viewers')}
        loading={text('team.loading')}
        lines={2}
        empty={<Empty title={text('team.viewers.empty')} />}
      >
        {(viewer) => (
          <Person
            account={viewer.account}
            label={viewer.label}
            by={{ words: text('team.viewers.by'), owner: viewer.invitedBy, name: nameOf(viewer.invitedBy, names) }}
            isYou={viewer.account === account}
            facts={<Time value={viewer.createdAt} />}
            action={
              (isOwner || viewer.account === account) && (
                <RemoveViewer place={place} viewer={viewer} isYou={viewer.account === account} />
              )
            }
          />
        )}
      </List>
      {isOwner && <ViewerForm place={place} />}
    </Section>
  )
}

function RemoveViewer({ place, viewer, isYou }: { place: Place; viewer: ViewerEntry; isYou: boolean }) {
  const { account, label } = viewer
  return (
    <RemovePerson
      place={place}
      label={label}
      isYou={isYou}
      sentence={isYou ? text('team.viewers.leave.sure') : text('team.viewers.remove.sure', { label })}
      remove={() => api(removeViewer, { ...place, account })}
    />
  )
}

function ViewerForm({ place }: { place: Place }) {
  return (
    <PersonForm
      place={place}
      words={{
        title: text('team.viewers.add'),
        address: text('team.viewers.address'),
        label: text('team.viewers.label'),
        submit: text('team.viewers.submit'),
        busy: text('team.viewers.adding'),
        done: (label) => text('team.viewers.added', { label }),
      }}
      onPerson={(account, label) => api(inviteViewer, { ...place, account, label })}
    />
  )
}
