import { type ReactNode, useState } from 'react'
import type { Address } from 'viem'
import { useTeamChange } from '../../api/team-change.ts'
import { AddressField } from '../../ui/address-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { readAddress } from '../../ui/typed-address.ts'
import { Writing } from '../../wallet/index.ts'
import { text } from './text.ts'

export type Place = { chainId: number; safeAddress: Address }

/** Names somebody to the team: an account and what it is called. `children` are what else is asked. */
export function PersonForm({
  place,
  words,
  onPerson,
  children,
}: {
  place: Place
  words: {
    title: string
    address: string
    label: string
    submit: string
    busy: string
    done: (label: string) => string
  }
  onPerson: (account: Address, label: string) => Promise<{ label: string }>
  children?: ReactNode
}) {
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const read = readAddress(address)
  const naming = useTeamChange(
    place,
    (input: { account: Address; label: string }) => onPerson(input.account, input.label),
    () => {
      setAddress('')
      setLabel('')
      setIsAsked(false)
    },
  )
  return (
    <Writing>
      <form
        noValidate
        className="mt-8 grid max-w-xl gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setIsAsked(true)
          if (read.ok && label.trim() && !naming.isPending)
            naming.mutate({ account: read.address, label: label.trim() })
        }}
      >
        <h3 className="font-semibold">{words.title}</h3>
        <AddressField
          label={words.address}
          typed={address}
          isAsked={isAsked}
          onType={(next) => {
            setAddress(next)
            naming.reset()
          }}
        />
        <Field
          label={words.label}
          hint={text('team.label.hint')}
          value={label}
          maxLength={50}
          autoComplete="off"
          onChange={(event) => {
            setLabel(event.target.value)
            naming.reset()
          }}
          error={isAsked && !label.trim() ? text('team.label.missing') : undefined}
        />
        {children}
        {naming.error && <Problem error={naming.error} />}
        {naming.isSuccess && (
          <Notice tone="good" isAnnounced>
            {words.done(naming.data.label)}
          </Notice>
        )}
        <div>
          <Button type="submit" variant="primary" busy={naming.isPending ? words.busy : undefined}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Writing>
  )
}

/** Removes somebody, or oneself, once it was said twice. */
export function RemovePerson({
  place,
  label,
  isYou,
  sentence,
  remove,
}: {
  place: Place
  label: string
  isYou: boolean
  sentence: string
  remove: () => Promise<unknown>
}) {
  const removal = useTeamChange(place, remove)
  return (
    <SureButton
      label={isYou ? text('team.leave') : text('team.remove')}
      name={isYou ? text('team.leave') : text('team.remove.of', { label })}
      sentence={sentence}
      yes={isYou ? text('team.leave.yes') : text('team.remove.yes')}
      no={text('team.cancel')}
      busy={removal.isPending ? text('team.remove.busy') : undefined}
      error={removal.error}
      onSure={() => removal.mutate(undefined)}
    />
  )
}
