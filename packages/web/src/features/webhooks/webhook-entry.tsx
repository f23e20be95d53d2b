import { removeWebhook, testWebhook, type Webhook } from '@countersign/contract'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Details } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { Writing } from '../../wallet/signing.ts'
import { Deliveries } from './deliveries.tsx'
import { text } from './text.ts'
import type { Place } from './webhook-form.tsx'

const tones = { on: 'good', failing: 'warning', disabled: 'danger', 'no-owner': 'danger' } as const

/**
 * One webhook: where it sends, what it is told, how it is, and what was sent.
 *
 * @param name what no other webhook of the Safe is called
 */
export function WebhookEntry({ webhook, name, place }: { webhook: Webhook; name: string; place: Place }) {
  const { id, url, events, account, createdAt, state, waiting } = webhook
  const names = useNames(place.chainId, place.safeAddress)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div data-webhook={id} data-state={state} className="grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-1.5">
          <p className="font-semibold wrap-anywhere">{showUntrusted(url, 500)}</p>
          <p className="flex flex-wrap items-center gap-1.5">
            <Tag tone={tones[state]}>{text(`webhooks.state.${state}`)}</Tag>
            {waiting > 0 && <span className="text-small text-ink-soft">{text('webhooks.waiting', { waiting })}</span>}
          </p>
        </div>
        <Writing>
          <div className="flex flex-wrap items-start gap-2">
            {state !== 'no-owner' && (
              <TestButton webhook={webhook} place={place} name={name} onTest={() => setIsOpen(true)} />
            )}
            <RemoveButton id={id} place={place} name={name} onSure={() => setIsOpen(false)} />
          </div>
        </Writing>
      </div>
      {state !== 'on' && <p className="max-w-prose text-small">{text(`webhooks.state.${state}.sentence`)}</p>}
      <dl className="grid gap-x-3 gap-y-1 text-small text-ink-soft sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="text-ink-faint">{text('webhooks.events.of')}</dt>
        <dd className="flex flex-wrap gap-1.5">
          {events.map((event) => (
            <Tag key={event}>{text(`webhooks.event.${event}`)}</Tag>
          ))}
        </dd>
        <dt className="text-ink-faint">{text('webhooks.created')}</dt>
        <dd>
          <Time value={createdAt} />
        </dd>
        <dt className="text-ink-faint">{text('webhooks.creator')}</dt>
        <dd>
          <Address address={account} name={nameOf(account, names)} hasAvatar={false} isCopyable={false} />
        </dd>
      </dl>
      <Details summary={text('webhooks.deliveries')} isOpen={isOpen} onToggle={setIsOpen} hasRule={false}>
        {isOpen && <Deliveries webhook={webhook} place={place} />}
      </Details>
    </div>
  )
}

type Part = { place: Place; name: string }

function TestButton({ webhook, place, name, onTest }: Part & { webhook: Webhook; onTest: () => void }) {
  const { id, state } = webhook
  const isDisabled = state === 'disabled'
  const test = useTeamChange(place, () => api(testWebhook, { ...place, id }), onTest)
  return (
    <div className="grid max-w-md gap-2">
      <div>
        <Button
          isCompact
          aria-label={isDisabled ? text('webhooks.enable.of', { name }) : text('webhooks.test.of', { name })}
          busy={test.isPending ? text('webhooks.test.busy') : undefined}
          onClick={() => test.mutate(undefined)}
        >
          {isDisabled ? text('webhooks.enable') : text('webhooks.test')}
        </Button>
      </div>
      {test.error && <Problem error={test.error} />}
    </div>
  )
}

/** @param onSure closes the deliveries: those of a removed webhook cannot be asked for */
function RemoveButton({ id, place, name, onSure }: Part & { id: string; onSure: () => void }) {
  const removal = useTeamChange(place, () => api(removeWebhook, { ...place, id }))
  return (
    <SureButton
      label={text('webhooks.remove')}
      name={text('webhooks.remove.of', { name })}
      sentence={text('webhooks.remove.sure', { name })}
      yes={text('webhooks.remove.yes')}
      no={text('webhooks.cancel')}
      busy={removal.isPending ? text('webhooks.remove.busy') : undefined}
      error={removal.error}
      onSure={() => {
        onSure()
        removal.mutate(undefined)
      }}
    />
  )
}
