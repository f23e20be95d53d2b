import { nameAddress } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { sayName } from '../../safe/names/team-names.ts'
import { useSafeName } from '../../safe/names/use-safe-name.ts'
import { safeQuery } from '../../safe/safe.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseRequired } from '../../ui/form/typed-field.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { WritingForm } from '../../wallet/signing.ts'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: Address }

/** Name of the Safe: an entry of its address book for its own address. */
export function SafeNameForm({ chainId, safeAddress }: Place) {
  const { session } = useSession()
  const { data: safe, isPending } = useQuery(safeQuery(chainId, safeAddress))
  const given = useSafeName(chainId, safeAddress)
  const [saved, setSaved] = useState<string | null>(null)
  // As high as the form, so that what follows stays where it is.
  if (isPending)
    return (
      <Section title={text('safe.name')}>
        <div className="min-h-56" />
      </Section>
    )
  if (!safe) return null
  const own = safe.names.find(({ author }) => author === session?.address)?.name ?? ''
  const mayWrite = safe.role === 'owner' || safe.role === 'proposer'
  return (
    <Section title={text('safe.name')}>
      <p className="mb-4 max-w-prose text-ink-soft">
        {given ? sayName(given, { owners: safe.owners }) : text('safe.name.none')}
      </p>
      {/* With the name that was saved it is another form. */}
      {mayWrite && <NameForm key={own} chainId={chainId} safeAddress={safeAddress} own={own} onSaved={setSaved} />}
      <div role="status" className="mt-3 empty:hidden">
        {saved !== null && <Notice tone="good">{text('safe.name.saved', { name: saved })}</Notice>}
      </div>
    </Section>
  )
}

function NameForm({ chainId, safeAddress, own, onSaved }: Place & { own: string; onSaved: (name: string) => void }) {
  const form = useForm({
    start: { name: own },
    read: ({ name }) => ({ name: parseRequired(name, text('safe.name.missing')) }),
    sending: useTeamChange({ chainId, safeAddress }, async ({ name }: { name: string }) => {
      const named = await api(nameAddress, { chainId, safeAddress, address: safeAddress, name })
      onSaved(named.name)
      return named
    }),
  })
  return (
    <WritingForm submit={text('safe.name.save')} busy={text('safe.name.busy')} state={form.state}>
      <Field
        label={text('safe.name.yours')}
        hint={text('safe.name.hint')}
        maxLength={60}
        autoComplete="off"
        {...form.field('name')}
      />
    </WritingForm>
  )
}
