import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { useTeamChange } from '../../safe/team-change.ts'
import { AddressField } from '../../ui/form/address-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseAddressField, parseRequired } from '../../ui/form/typed-field.ts'
import { SureButton } from '../../ui/sure-button.tsx'
import { WritingForm } from '../../wallet/signing.ts'
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
  const form = useForm({
    start: { account: '', label: '' },
    read: ({ account, label }) => ({
      account: parseAddressField(account),
      label: parseRequired(label, text('team.label.missing')),
    }),
    sending: useTeamChange(place, (input: { account: Address; label: string }) => onPerson(input.account, input.label)),
  })
  return (
    <WritingForm
      title={words.title}
      submit={words.submit}
      busy={words.busy}
      state={form.state}
      done={({ label }) => words.done(label)}
    >
      <AddressField label={words.address} {...form.field('account')} />
      <Field
        label={words.label}
        hint={text('team.label.hint')}
        maxLength={50}
        autoComplete="off"
        {...form.field('label')}
      />
      {children}
    </WritingForm>
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
