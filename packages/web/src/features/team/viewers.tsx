import { inviteViewer, removeViewer, type ViewerEntry } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { useTeamChange } from '../../api/team-change.ts'
import { AddressField } from '../../ui/address-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Rows, Section } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { Time } from '../../ui/time.tsx'
import { readAddress } from '../../ui/typed-address.ts'
import type { Part, Place } from './delegates.tsx'
import { Person } from './person.tsx'
import { viewersQuery } from './queries.ts'
import { text } from './text.ts'

/** Who sees what the team sees, and changes nothing. */
export function Viewers({ place, account, isOwner, mayWrite }: Part) {
  const { chainId, safeAddress } = place
  const { data, error, isPending, refetch } = useQuery(viewersQuery(chainId, safeAddress))
  const viewers = data?.viewers ?? []
  return (
    <Section title={text('team.viewers')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.viewers.what')}</p>
      {error && (
        <div className="mb-4">
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {isPending && <Skeleton label={text('team.loading')} lines={2} />}
      {data && viewers.length === 0 && <Empty title={text('team.viewers.empty')} />}
      {viewers.length > 0 && (
        <Rows label={text('team.viewers')}>
          {viewers.map((one) => (
            <Person
              key={one.account}
              account={one.account}
              label={one.label}
              by={{ words: text('team.viewers.by'), owner: one.invitedBy }}
              isYou={one.account === account}
              facts={<Time value={one.createdAt} />}
              action={
                mayWrite &&
                (isOwner || one.account === account) && (
                  <RemoveViewer place={place} one={one} isYou={one.account === account} />
                )
              }
            />
          ))}
        </Rows>
      )}
      {isOwner && mayWrite && <ViewerForm place={place} />}
    </Section>
  )
}

function RemoveViewer({ place, one, isYou }: { place: Place; one: ViewerEntry; isYou: boolean }) {
  const { account, label } = one
  const removal = useTeamChange(place, () => api(removeViewer, { ...place, account }))
  return (
    <SureButton
      label={isYou ? text('team.leave') : text('team.remove')}
      name={isYou ? text('team.leave') : text('team.remove.of', { label })}
      sentence={isYou ? text('team.viewers.leave.sure') : text('team.viewers.remove.sure', { label })}
      yes={isYou ? text('team.leave.yes') : text('team.remove.yes')}
      no={text('team.cancel')}
      busy={removal.isPending ? text('team.remove.busy') : undefined}
      error={removal.error}
      onSure={() => removal.mutate(undefined)}
    />
  )
}

function ViewerForm({ place }: { place: Place }) {
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const read = readAddress(address)
  const invitation = useTeamChange(
    place,
    (input: { account: AddressType; label: string }) => api(inviteViewer, { ...place, ...input }),
    () => {
      setAddress('')
      setLabel('')
      setIsAsked(false)
    },
  )
  return (
    <form
      noValidate
      className="mt-8 grid max-w-xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setIsAsked(true)
        if (read.ok && label.trim() && !invitation.isPending)
          invitation.mutate({ account: read.address, label: label.trim() })
      }}
    >
      <h3 className="font-semibold">{text('team.viewers.add')}</h3>
      <AddressField
        label={text('team.viewers.address')}
        typed={address}
        isAsked={isAsked}
        onType={(next) => {
          setAddress(next)
          invitation.reset()
        }}
      />
      <Field
        label={text('team.viewers.label')}
        hint={text('team.label.hint')}
        value={label}
        maxLength={50}
        autoComplete="off"
        onChange={(event) => {
          setLabel(event.target.value)
          invitation.reset()
        }}
        error={isAsked && !label.trim() ? text('team.label.missing') : undefined}
      />
      {invitation.error && <Problem error={invitation.error} />}
      {invitation.isSuccess && (
        <Notice tone="good" isAnnounced>
          {text('team.viewers.added', { label: invitation.data.label })}
        </Notice>
      )}
      <div>
        <Button type="submit" variant="primary" busy={invitation.isPending ? text('team.viewers.adding') : undefined}>
          {text('team.viewers.submit')}
        </Button>
      </div>
    </form>
  )
}
