import { type NamedAddress, nameAddress, type Role, removeName } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { useTeamChange } from '../../api/team-change.ts'
import { namesQuery } from '../../api/team-names.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { AddressField } from '../../ui/address-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { readAddress } from '../../ui/typed-address.ts'
import { useSession, Writing } from '../../wallet/index.ts'
import { mayRemove, RemoveButton } from './remove-button.tsx'
import { text } from './text.ts'
import { WrittenBy } from './written-by.tsx'

type Place = { chainId: number; safeAddress: AddressType; role: Role | null }

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
  const wanted = typed.trim().toLowerCase()
  const shown = all.filter(({ name, address }) => `${name} ${address}`.toLowerCase().includes(wanted))
  return (
    <Section
      title={text('book.names')}
      aside={all.length > 0 ? text('book.names.count', { count: all.length }) : undefined}
    >
      {names.error && <Problem error={names.error} onRetry={() => void names.refetch()} />}
      {names.isPending ? (
        <Skeleton label={text('book.names.loading')} />
      ) : (
        !names.error &&
        all.length === 0 && <Empty title={text('book.names.empty')}>{text('book.names.empty.sentence')}</Empty>
      )}
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
      {all.length > 0 && shown.length === 0 && <p role="status">{text('book.search.none', { typed: typed.trim() })}</p>}
      {shown.length > 0 && (
        <Rows label={text('book.names')}>
          {shown.map((one) => (
            <Row key={`${one.address} ${one.author}`}>
              <div data-named={one.address} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                <div className="min-w-0">
                  <Address address={one.address} name={showUntrusted(one.name, 60)} />
                  <WrittenBy chainId={chainId} safeAddress={safeAddress} author={one.author} at={one.updatedAt} />
                </div>
                <Writing>
                  <div className="flex flex-wrap gap-2">
                    {mayWrite && one.author === session?.address && (
                      <Button
                        isCompact
                        aria-label={text('book.rename.of', { name: one.name })}
                        onClick={() => setEdited(one)}
                      >
                        {text('book.rename')}
                      </Button>
                    )}
                    {mayRemove(role, one.author, session) && (
                      <RemoveButton
                        name={one.name}
                        place={{ chainId, safeAddress }}
                        remove={() =>
                          api(removeName, { chainId, safeAddress, address: one.address, author: one.author })
                        }
                      />
                    )}
                  </div>
                </Writing>
              </div>
            </Row>
          ))}
        </Rows>
      )}
      {mayWrite && (
        <Writing>
          {/* Another address to rename is another form. */}
          <NameForm
            key={edited?.address ?? 'new'}
            chainId={chainId}
            safeAddress={safeAddress}
            edited={edited}
            onDone={() => setEdited(null)}
          />
        </Writing>
      )}
    </Section>
  )
}

function NameForm({
  chainId,
  safeAddress,
  edited,
  onDone,
}: {
  chainId: number
  safeAddress: AddressType
  edited: NamedAddress | null
  onDone: () => void
}) {
  const [address, setAddress] = useState(edited?.address ?? '')
  const [name, setName] = useState(edited?.name ?? '')
  const [isAsked, setIsAsked] = useState(false)
  const read = readAddress(address)
  const save = useTeamChange(
    { chainId, safeAddress },
    (input: { address: AddressType; name: string }) => api(nameAddress, { chainId, safeAddress, ...input }),
    () => {
      if (!edited) setAddress('')
      setName('')
      setIsAsked(false)
      onDone()
    },
  )
  return (
    <form
      noValidate
      className="mt-8 grid max-w-xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setIsAsked(true)
        if (read.ok && name.trim() && !save.isPending) save.mutate({ address: read.address, name: name.trim() })
      }}
    >
      <h3 className="font-semibold">{edited ? text('book.rename.of', { name: edited.name }) : text('book.add')}</h3>
      <AddressField
        label={text('book.address')}
        typed={address}
        isAsked={isAsked}
        isReadOnly={edited !== null}
        onType={(next) => {
          setAddress(next)
          save.reset()
        }}
      />
      <Field
        label={text('book.name')}
        hint={text('book.name.hint')}
        value={name}
        maxLength={60}
        autoComplete="off"
        autoFocus={edited !== null}
        onChange={(event) => {
          setName(event.target.value)
          save.reset()
        }}
        error={isAsked && !name.trim() ? text('book.name.missing') : undefined}
      />
      {save.error && <Problem error={save.error} />}
      {save.isSuccess && (
        <Notice tone="good" isAnnounced>
          {text('book.saved', { name: save.data.name })}
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={save.isPending ? text('book.save.busy') : undefined}>
          {text('book.save')}
        </Button>
        {edited && <Button onClick={onDone}>{text('book.cancel')}</Button>}
      </div>
    </form>
  )
}
