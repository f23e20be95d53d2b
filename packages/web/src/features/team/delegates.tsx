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
import { serverNow } from '../../device/server-time.ts'
import { delegatesQuery } from '../../safe/delegates.ts'
import { nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { EndField, endOf, type Span } from '../../ui/form/end-field.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { Person } from './person.tsx'
import { PersonForm, type Place, RemovePerson } from './person-form.tsx'
import { text } from './text.ts'

export type Part = { place: Place; account: AddressType; isOwner: boolean }

/** Shows the accounts that may propose for an owner, until when, and by whose word. */
export function Delegates({ place, account, isOwner }: Part) {
  const { chainId, safeAddress } = place
  const names = useNames(chainId, safeAddress)
  const delegates = useQuery(delegatesQuery(chainId, safeAddress))
  return (
    <Section title={text('team.delegates')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.delegates.what')}</p>
      <List
        of={delegates}
        rows={delegates.data?.delegates ?? []}
        keyOf={(delegate) => `${delegate.safeAddress} ${delegate.delegator} ${delegate.delegate}`}
        label={text('team.delegates')}
        loading={text('team.loading')}
        lines={2}
        empty={<Empty title={text('team.delegates.empty')} />}
      >
        {(delegate) => (
          <Person
            account={delegate.delegate}
            label={delegate.label}
            by={{
              words: text('team.delegates.by'),
              owner: delegate.delegator,
              name: nameOf(delegate.delegator, names),
            }}
            isYou={delegate.delegate === account}
            facts={
              <>
                {delegate.safeAddress === null && <Tag>{text('team.delegates.all')}</Tag>}
                {delegate.expiryDate === null ? (
                  <span>{text('team.delegates.noEnd')}</span>
                ) : (
                  <span>
                    {text('team.delegates.until')} <Time value={delegate.expiryDate} />
                  </span>
                )}
              </>
            }
            action={
              (delegate.delegate === account || delegate.delegator === account) && (
                <RemoveDelegate place={place} delegation={delegate} isYou={delegate.delegate === account} />
              )
            }
          />
        )}
      </List>
      {isOwner && <DelegateForm place={place} />}
    </Section>
  )
}

function RemoveDelegate({ place, delegation, isYou }: { place: Place; delegation: Delegate; isYou: boolean }) {
  const { chainId } = place
  const { delegate, delegator, safeAddress, label } = delegation
  const ofOthers = safeAddress === null ? 'team.delegates.remove.sureAll' : 'team.delegates.remove.sure'
  return (
    <RemovePerson
      place={place}
      label={label}
      isYou={isYou}
      sentence={isYou ? text('team.delegates.leave.sure') : text(ofOthers, { label })}
      remove={() =>
        safeAddress === null
          ? api(removeDelegateOfAll, { chainId, delegate, delegator })
          : api(removeDelegate, { chainId, safeAddress, delegate, delegator })
      }
    />
  )
}

function DelegateForm({ place }: { place: Place }) {
  const { chainId, safeAddress } = place
  const chain = useChain(chainId)
  const [span, setSpan] = useState<Span>('90')
  const [isForAll, setIsForAll] = useState(false)
  return (
    <PersonForm
      place={place}
      words={{
        title: text('team.delegates.add'),
        address: text('team.delegates.address'),
        label: text('team.delegates.label'),
        submit: text('team.delegates.submit'),
        busy: text('team.delegates.adding'),
        done: (label) => text('team.delegates.added', { label }),
      }}
      onPerson={(delegate, label) => {
        const input = { chainId, delegate, label, expiryDate: endOf(span, serverNow()) }
        return isForAll ? api(addDelegateOfAll, input) : api(addDelegate, { ...input, safeAddress })
      }}
    >
      <EndField label={text('team.delegates.span')} value={span} onChange={setSpan} now={serverNow()} />
      <SelectField
        label={text('team.delegates.scope')}
        value={isForAll ? 'all' : 'this'}
        onChange={(event) => setIsForAll(event.target.value === 'all')}
      >
        <option value="this">{text('team.delegates.scope.this')}</option>
        <option value="all">{text('team.delegates.scope.all', { chain: chain?.name ?? chainId })}</option>
      </SelectField>
    </PersonForm>
  )
}
