import { type NamedAddress, nameAddress, type Role, removeName } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { signedNamesQuery } from '../../evidence/attribution/signed-names.ts'
import { groupSame, keyOfName } from '../../safe/names/endorsement.ts'
import { confusedIn } from '../../safe/names/names.ts'
import { namesQuery } from '../../safe/names/team-names.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { AddressField } from '../../ui/form/address-field.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseAddressField, parseRequired } from '../../ui/form/typed-field.ts'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { useSigner, Writing, WritingForm } from '../../wallet/signing.ts'
import { EndorseName, signName } from './endorse-name.tsx'
import { EndorsedBy } from './endorsed-by.tsx'
import { mayRemove, RemoveButton } from './remove-button.tsx'
import { text } from './text.ts'
import { WrittenBy } from './written-by.tsx'

type Place = { chainId: number; safeAddress: AddressType; role: Role | null }

const none: readonly NamedAddress[] = []

/** More than this is searched, not scrolled. */
const SEARCH_FROM = 8

/** Names for addresses: everybody's to look through, one's own to add to and to correct. */
export function AddressNames({ chainId, safeAddress, role }: Place) {
  const mayWrite = role === 'owner' || role === 'proposer'
  const { session } = useSession()
  const names = useQuery(namesQuery(chainId, safeAddress))
  const [typed, setTyped] = useState('')
  const [edited, setEdited] = useState<NamedAddress | null>(null)
  const all = names.data?.names ?? []
  const same = useMemo(() => groupSame(names.data?.names ?? [], keyOfName), [names.data])
  const signed = useQuery(signedNamesQuery(chainId, safeAddress, names.data?.names ?? none)).data?.names ?? none
  const signedSame = useMemo(() => groupSame(signed, keyOfName), [signed])
  const confused = confusedIn(names.data?.names ?? none)
  const wanted = typed.trim().toLowerCase()
  const shown = all.filter(({ name, address }) => `${name} ${address}`.toLowerCase().includes(wanted))
  return (
    <Section
      title={text('book.names')}
      aside={all.length > 0 ? text('book.names.count', { count: all.length }) : undefined}
    >
      {all.length >= SEARCH_FROM && (
        <div className="mb-4 max-w-xl">
          <Field
            label={text('book.search')}
            type="search"
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      )}
      <List
        of={names}
        rows={shown}
        keyOf={(entry) => `${entry.address} ${entry.author}`}
        label={text('book.names')}
        loading={text('book.names.loading')}
        empty={
          all.length === 0 ? (
            <Empty title={text('book.names.empty')}>{text('book.names.empty.sentence')}</Empty>
          ) : (
            <p role="status">{text('book.search.none', { typed: typed.trim() })}</p>
          )
        }
      >
        {(entry) => (
          <div data-named={entry.address} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
            <div className="min-w-0">
              <Address address={entry.address} name={showUntrusted(entry.name, 60)} />
              {confused.has(entry.address.toLowerCase()) && (
                <p data-confused>
                  <Tag tone="warning">{text('book.names.alike')}</Tag>
                </p>
              )}
              <WrittenBy chainId={chainId} safeAddress={safeAddress} author={entry.author} at={entry.updatedAt} />
              <EndorsedBy
                chainId={chainId}
                safeAddress={safeAddress}
                author={entry.author}
                same={same.get(keyOfName(entry)) ?? [entry]}
                signed={signedSame.get(keyOfName(entry)) ?? []}
              />
            </div>
            <Writing>
              <div className="flex flex-wrap gap-2">
                {role === 'owner' && (
                  <EndorseName
                    // Another name, another question: nobody endorses what came after they asked.
                    key={entry.name}
                    entry={entry}
                    place={{ chainId, safeAddress }}
                    same={same.get(keyOfName(entry)) ?? []}
                    signed={signedSame.get(keyOfName(entry)) ?? []}
                  />
                )}
                {mayWrite && entry.author === session?.address && (
                  <Button
                    isCompact
                    aria-label={text('book.rename.of', { name: entry.name })}
                    onClick={() => setEdited(entry)}
                  >
                    {text('book.rename')}
                  </Button>
                )}
                {mayRemove(role, entry.author, session) && (
                  <RemoveButton
                    name={entry.name}
                    place={{ chainId, safeAddress }}
                    remove={() =>
                      api(removeName, { chainId, safeAddress, address: entry.address, author: entry.author })
                    }
                  />
                )}
              </div>
            </Writing>
          </div>
        )}
      </List>
      {mayWrite && (
        <>
          <p className="mt-3">
            <TextLink
              look="target"
              to="/safes/$chainId/$safeAddress/settings"
              params={{ chainId, safeAddress }}
              hash="import-names"
            >
              {text('book.import')}
            </TextLink>
          </p>
          {/* Another address to rename is another form. */}
          <NameForm
            key={edited?.address ?? 'new'}
            chainId={chainId}
            safeAddress={safeAddress}
            edited={edited}
            isEditedSigned={edited !== null && signed.some((entry) => entry === edited)}
            isOwner={role === 'owner'}
            onDone={() => setEdited(null)}
          />
        </>
      )}
    </Section>
  )
}

function NameForm({
  chainId,
  safeAddress,
  edited,
  isEditedSigned,
  isOwner,
  onDone,
}: {
  chainId: number
  safeAddress: AddressType
  edited: NamedAddress | null
  isEditedSigned: boolean
  /** Nobody else's signature counts. */
  isOwner: boolean
  onDone: () => void
}) {
  const place = { chainId, safeAddress }
  const signer = useSigner()
  const { named: asked = '', sign = false } = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/book' })
  const isSigned = isOwner && (edited === null ? sign : isEditedSigned)
  const form = useForm({
    start: { address: edited?.address ?? asked, name: edited?.name ?? '', isSigned },
    read: ({ address, name, isSigned }) => ({
      address: parseAddressField(address),
      name: parseRequired(name, text('book.name.missing')),
      isSigned: { value: isSigned },
    }),
    sending: useTeamChange(
      place,
      ({ isSigned, ...given }: { address: AddressType; name: string; isSigned: boolean }) =>
        isSigned ? signName(signer, place, given) : api(nameAddress, { ...place, ...given }),
      onDone,
    ),
  })
  return (
    <WritingForm
      title={edited ? text('book.rename.of', { name: edited.name }) : text('book.add')}
      submit={text('book.save')}
      busy={text(form.typed.isSigned ? 'book.signing' : 'book.save.busy')}
      state={form.state}
      done={({ name }) => text('book.saved', { name })}
      actions={edited && <Button onClick={onDone}>{text('book.cancel')}</Button>}
    >
      <AddressField label={text('book.address')} readOnly={edited !== null} {...form.field('address')} />
      <Field
        label={text('book.name')}
        hint={text('book.name.hint')}
        maxLength={60}
        autoComplete="off"
        autoFocus={edited !== null}
        {...form.field('name')}
      />
      {isOwner && (
        <label className="flex min-h-11 items-start gap-3">
          <input
            type="checkbox"
            checked={form.typed.isSigned}
            onChange={({ target }) => form.set({ isSigned: target.checked })}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">{text('book.name.sign')}</span>
        </label>
      )}
    </WritingForm>
  )
}
