import {
  addDelegate,
  addDelegateOfAll,
  type Delegate,
  removeDelegate,
  removeDelegateOfAll,
} from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { useChain } from '../../api/configuration.ts'
import { delegatesQuery } from '../../api/delegates.ts'
import { useTeamChange } from '../../api/team-change.ts'
import { AddressField } from '../../ui/address-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { EndField, endOf, type Span } from '../../ui/end-field.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Rows, Section } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { readAddress } from '../../ui/typed-address.ts'
import { Person } from './person.tsx'
import { text } from './text.ts'

export type Place = { chainId: number; safeAddress: AddressType }
export type Part = { place: Place; account: AddressType; isOwner: boolean; mayWrite: boolean }

/** Who may propose for an owner, until when, and who said so. */
export function Delegates({ place, account, isOwner, mayWrite }: Part) {
  const { chainId, safeAddress } = place
  const { data, error, isPending, refetch } = useQuery(delegatesQuery(chainId, safeAddress))
  const delegates = data?.delegates ?? []
  return (
    <Section title={text('team.delegates')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.delegates.what')}</p>
      {error && (
        <div className="mb-4">
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {isPending && <Skeleton label={text('team.loading')} lines={2} />}
      {data && delegates.length === 0 && <Empty title={text('team.delegates.empty')} />}
      {delegates.length > 0 && (
        <Rows label={text('team.delegates')}>
          {delegates.map((one) => (
            <Person
              key={`${one.safeAddress} ${one.delegator} ${one.delegate}`}
              account={one.delegate}
              label={one.label}
              by={{ words: text('team.delegates.by'), owner: one.delegator }}
              isYou={one.delegate === account}
              facts={
                <>
                  {one.safeAddress === null && <Tag>{text('team.delegates.all')}</Tag>}
                  {one.expiryDate === null ? (
                    <span>{text('team.delegates.noEnd')}</span>
                  ) : (
                    <span>
                      {text('team.delegates.until')} <Time value={one.expiryDate} />
                    </span>
                  )}
                </>
              }
              action={
                mayWrite &&
                (one.delegate === account || one.delegator === account) && (
                  <RemoveDelegate place={place} one={one} isYou={one.delegate === account} />
                )
              }
            />
          ))}
        </Rows>
      )}
      {isOwner && mayWrite && <DelegateForm place={place} />}
    </Section>
  )
}

function RemoveDelegate({ place, one, isYou }: { place: Place; one: Delegate; isYou: boolean }) {
  const { chainId } = place
  const { delegate, delegator, safeAddress, label } = one
  const removal = useTeamChange(place, () =>
    safeAddress === null
      ? api(removeDelegateOfAll, { chainId, delegate, delegator })
      : api(removeDelegate, { chainId, safeAddress, delegate, delegator }),
  )
  return (
    <SureButton
      label={isYou ? text('team.leave') : text('team.remove')}
      name={isYou ? text('team.leave') : text('team.remove.of', { label })}
      sentence={
        isYou
          ? text('team.delegates.leave.sure')
          : safeAddress === null
            ? text('team.delegates.remove.sureAll', { label })
            : text('team.delegates.remove.sure', { label })
      }
      yes={isYou ? text('team.leave.yes') : text('team.remove.yes')}
      no={text('team.cancel')}
      busy={removal.isPending ? text('team.remove.busy') : undefined}
      error={removal.error}
      onSure={() => removal.mutate(undefined)}
    />
  )
}

type Naming = { delegate: AddressType; label: string; span: Span; isForAll: boolean }

function DelegateForm({ place }: { place: Place }) {
  const { chainId, safeAddress } = place
  const chain = useChain(chainId)
  const [address, setAddress] = useState('')
  const [label, setLabel] = useState('')
  const [span, setSpan] = useState<Span>('90')
  const [isForAll, setIsForAll] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const read = readAddress(address)
  const naming = useTeamChange(
    place,
    async ({ isForAll: ofAll, span: until, ...rest }: Naming) => {
      const input = { chainId, ...rest, expiryDate: endOf(until) }
      return ofAll ? api(addDelegateOfAll, input) : api(addDelegate, { ...input, safeAddress })
    },
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
        if (read.ok && label.trim() && !naming.isPending)
          naming.mutate({ delegate: read.address, label: label.trim(), span, isForAll })
      }}
    >
      <h3 className="font-semibold">{text('team.delegates.add')}</h3>
      <AddressField
        label={text('team.delegates.address')}
        typed={address}
        isAsked={isAsked}
        onType={(next) => {
          setAddress(next)
          naming.reset()
        }}
      />
      <Field
        label={text('team.delegates.label')}
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
      <EndField label={text('team.delegates.span')} value={span} onChange={setSpan} />
      <SelectField
        label={text('team.delegates.scope')}
        value={isForAll ? 'all' : 'this'}
        onChange={(event) => setIsForAll(event.target.value === 'all')}
      >
        <option value="this">{text('team.delegates.scope.this')}</option>
        <option value="all">{text('team.delegates.scope.all', { chain: chain?.name ?? chainId })}</option>
      </SelectField>
      {naming.error && <Problem error={naming.error} />}
      {naming.isSuccess && (
        <Notice tone="good" isAnnounced>
          {text('team.delegates.added', { label: naming.data.label })}
        </Notice>
      )}
      <div>
        <Button type="submit" variant="primary" busy={naming.isPending ? text('team.delegates.adding') : undefined}>
          {text('team.delegates.submit')}
        </Button>
      </div>
    </form>
  )
}
