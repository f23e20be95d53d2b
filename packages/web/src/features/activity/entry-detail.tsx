import { type ActivityDetail, activityDetails } from '@countersign/contract'
import type { ReactNode } from 'react'
import { type Address as AddressType, isAddress, isHash } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: AddressType }

/** Numbers that only the database has a use for; they are in the export. */
const internal = ['id', 'alarmId'] as const
type Shown = Exclude<ActivityDetail, (typeof internal)[number]>

const shownDetails: ReadonlySet<string> = new Set(activityDetails)
const isInternal = (name: string) => (internal as readonly string[]).includes(name)
const isShown = (name: string): name is Shown => shownDetails.has(name) && !isInternal(name)

/** Shows the further values of an entry, each in its own form. A count and how many are required take one line. */
export function EntryDetail({ detail, place, names }: { detail: Record<string, string>; place: Place; names: Names }) {
  return Object.entries(detail).map(([name, value]) => {
    const isSaid = name.endsWith(REQUIRED) && detail[name.slice(0, -REQUIRED.length)] !== undefined
    if (isInternal(name) || value === '' || isSaid) return null
    const required = detail[`${name}${REQUIRED}`]
    return (
      <DetailLine key={name} name={name}>
        {required === undefined ? (
          <Value name={name} value={value} place={place} names={names} />
        ) : (
          text('activity.of', { count: showUntrusted(value, 20), required: showUntrusted(required, 20) })
        )}
      </DetailLine>
    )
  })
}

const REQUIRED = 'Required'

export function DetailLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      {/* An older entry may have a value of a name that is not given any more. */}
      <dt className="text-ink-faint">{isShown(name) ? text(`activity.detail.${name}`) : showUntrusted(name, 60)}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

function Value({ name, value, place, names }: { name: string; value: string; place: Place; names: Names }) {
  const parts = value.split(' ')
  if (parts.every((part) => isAddress(part, { strict: false })))
    return (
      <span className="grid gap-1">
        {parts.map((part) => (
          <Address key={part} address={part} name={nameOf(part, names)} hasAvatar={false} />
        ))}
      </span>
    )
  if (name === 'safeMessageHash' && isHash(value))
    return (
      <TextLink
        to="/safes/$chainId/$safeAddress/messages/$safeMessageHash"
        params={{ ...place, safeMessageHash: value }}
      >
        <Hash hash={value} isCopyable={false} />
      </TextLink>
    )
  if (isHash(value)) return <Hash hash={value} />
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <Time value={value} />
  if (name === 'value') return text('activity.wei', { value })
  if (name === 'operation' && (value === '0' || value === '1')) return text(`activity.operation.${value}`)
  if (name === 'kind') return text('activity.kind', { kind: value })
  if (name === 'isSuccessful' && value === 'false') return text('activity.no')
  return showUntrusted(value, 200)
}
