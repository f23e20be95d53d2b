import { endSafeAccess, type SafeAccess } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import type { Place } from './person-form.tsx'
import { safeAccessQuery } from './queries.ts'
import { text } from './text.ts'

/** Shows owners which browsers and scripts act as their Safe. Any owner can end any of them. */
export function SafeAccessList({ place }: { place: Place }) {
  const access = useQuery(safeAccessQuery(place.chainId, place.safeAddress))
  return (
    <Section title={text('team.access')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.access.what')}</p>
      <List
        of={access}
        rows={access.data?.access ?? []}
        keyOf={({ id }) => id}
        label={text('team.access')}
        loading={text('team.access.loading')}
        lines={2}
        empty={<Empty title={text('team.access.empty')}>{text('team.access.empty.sentence')}</Empty>}
      >
        {(entry) => <Entry place={place} access={entry} />}
      </List>
    </Section>
  )
}

function Entry({ place, access }: { place: Place; access: SafeAccess }) {
  const { token, suspendedSince } = access
  const device = describeDevice(access)
  const title = token ? showUntrusted(token.name, 50) : device
  return (
    <div data-access={access.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-1">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <p className="flex flex-wrap gap-1.5">
          <Tag>{text(token ? 'team.access.token' : 'team.access.session')}</Tag>
          {token?.scopes.map((scope) => (
            <Tag key={scope}>{text(`tokens.scope.${scope}`)}</Tag>
          ))}
          {suspendedSince !== null && <Tag tone="warning">{text('team.access.suspended')}</Tag>}
        </p>
        {suspendedSince !== null && (
          <p className="max-w-prose text-small">
            {text('team.access.suspended.since')} <Time value={suspendedSince} />
          </p>
        )}
        <Facts place={place} access={access} device={device} />
      </div>
      <EndAccess place={place} access={access} name={title} />
    </div>
  )
}

function Facts({ place, access, device }: { place: Place; access: SafeAccess; device: string }) {
  const { token, clientAddress, isFramed, createdAt, lastUsedAt, expiresAt } = access
  const from = clientAddress ? text('team.access.from', { address: clientAddress }) : text('team.access.fromUnknown')
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-small text-ink-soft">
      <dt>{text('team.access.by')}</dt>
      <dd className="wrap-anywhere">{[device, from, ...(isFramed ? [text('team.access.framed')] : [])].join(' · ')}</dd>
      <dt>{text(token ? 'tokens.made' : 'team.access.opened')}</dt>
      <dd>
        <Time value={createdAt} />
      </dd>
      <dt>{text('tokens.used')}</dt>
      <dd>{lastUsedAt === null ? text('tokens.used.never') : <Time value={lastUsedAt} />}</dd>
      <dt>{text('tokens.ends')}</dt>
      <dd>{expiresAt === null ? text('end.never') : <Time value={expiresAt} />}</dd>
      <dt>{text('team.access.signers')}</dt>
      <dd>
        <Signers place={place} signers={access.signers} />
      </dd>
    </dl>
  )
}

function Signers({ place: { chainId, safeAddress }, signers }: { place: Place; signers: SafeAccess['signers'] }) {
  const names = useNames(chainId, safeAddress)
  if (signers.length === 0) return text('team.access.signers.unknown')
  return (
    <ul className="grid gap-1">
      {signers.map((signer) => (
        <li key={signer}>
          <Address address={signer} name={nameOf(signer, names)} hasAvatar={false} isCopyable={false} />
        </li>
      ))}
    </ul>
  )
}

/** Ends a session or token. Like ending one's own sessions, this also works while the wallet has another account. */
function EndAccess({ place, access: { id, token }, name }: { place: Place; access: SafeAccess; name: string }) {
  const ending = useTeamChange(place, () => api(endSafeAccess, { ...place, id }))
  return (
    <SureButton
      label={text('team.access.end')}
      name={text('team.access.end.of', { name })}
      sentence={text(token ? 'team.access.end.token' : 'team.access.end.session')}
      yes={text('team.access.end.yes')}
      no={text('team.cancel')}
      busy={ending.isPending ? text('team.access.end.busy') : undefined}
      error={ending.error}
      onSure={() => ending.mutate(undefined)}
    />
  )
}

function describeDevice({ browser, system }: SafeAccess): string {
  if (browser && system) return text('team.access.device', { browser, system })
  return browser ?? system ?? text('team.access.deviceUnknown')
}
