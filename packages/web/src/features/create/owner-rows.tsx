import { useQueries, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { namesQuery } from '../../safe/names/team-names.ts'
import { safesQuery } from '../../safe/safes.ts'
import { Button } from '../../ui/button.tsx'
import { AddressField } from '../../ui/form/address-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useSession } from '../../wallet/index.ts'
import { type CreationTyped, withAddress } from './creation-draft.ts'
import { text } from './text.ts'

/** Address books of more Safes are not asked for. */
const MAX_BOOKS = 5

type Owners = CreationTyped['owners']

/** The owners, line by line, with the names that the reader gave them in the address books of My Safes. */
export function OwnerRows({
  owners,
  errors,
  onChange,
}: {
  owners: Owners
  errors: readonly (string | undefined)[]
  onChange: (owners: Owners) => void
}) {
  const listId = useId()
  const known = useOwnNames()
  const set = (at: number, part: Partial<Owners[number]>) =>
    onChange(owners.map((owner, index) => (index === at ? { ...owner, ...part } : owner)))
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-1 font-semibold">{text('create.owners')}</legend>
      <datalist id={listId}>
        {known.map(({ address, name }) => (
          <option key={address} value={address}>
            {name}
          </option>
        ))}
      </datalist>
      {owners.map((owner, index) => {
        const number = index + 1
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: owners have no name but their place
          <div key={index} className="grid gap-2 border-l-2 border-rule pl-4" data-owner={number}>
            <AddressField
              label={text('create.owner.address', { number })}
              value={owner.address}
              error={errors[index]}
              list={listId}
              onChange={({ target }) => set(index, withAddress(owner, target.value, known))}
            />
            <Field
              label={text('create.owner.name', { number })}
              value={owner.name}
              maxLength={60}
              autoComplete="off"
              onChange={({ target }) => set(index, { name: target.value })}
            />
            {owners.length > 1 && (
              <div>
                <Button variant="quiet" onClick={() => onChange(owners.filter((_, other) => other !== index))}>
                  {text('create.owner.remove', { number })}
                </Button>
              </div>
            )}
          </div>
        )
      })}
      <div>
        <Button onClick={() => onChange([...owners, { address: '', name: '' }])}>{text('create.owner.add')}</Button>
      </div>
    </fieldset>
  )
}

/** Names by the reader alone: nobody else's word chooses an owner. */
function useOwnNames(): { address: string; name: string }[] {
  const { session } = useSession()
  const safes = useQuery(safesQuery).data?.safes ?? []
  const books = safes.filter(({ role, hasNames }) => role === 'owner' && hasNames).slice(0, MAX_BOOKS)
  const names = useQueries({ queries: books.map(({ chainId, address }) => namesQuery(chainId, address)) })
  const own = names.flatMap(({ data }) => data?.names ?? []).filter(({ author }) => author === session?.address)
  return [...new Map(own.map((entry) => [entry.address, entry])).values()]
}
