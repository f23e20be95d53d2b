import { redeliver, type Webhook, type WebhookDelivery } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { serverNow } from '../../device/server-time.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { formatNumber } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { List } from '../../ui/list.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Details } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { Writing } from '../../wallet/signing.ts'
import { deliveriesQuery } from './queries.ts'
import { isTextKey, text } from './text.ts'
import type { Place } from './webhook-form.tsx'

const tones = { delivered: 'good', waiting: 'neutral', failing: 'warning', failed: 'danger' } as const

/** The last deliveries of a webhook, the newest first. */
export function Deliveries({ webhook: { id, state }, place }: { webhook: Webhook; place: Place }) {
  const deliveries = useQuery(deliveriesQuery(place.chainId, place.safeAddress, id))
  const isSending = state === 'on' || state === 'failing'
  return (
    <List
      of={deliveries}
      rows={deliveries.data?.deliveries ?? []}
      keyOf={(delivery) => delivery.id}
      label={text('webhooks.deliveries')}
      loading={text('webhooks.deliveries.loading')}
      empty={<p className="text-small text-ink-soft">{text('webhooks.deliveries.empty')}</p>}
    >
      {(delivery) => <Delivery delivery={delivery} webhookId={id} place={place} canSend={isSending} />}
    </List>
  )
}

type Outcome = keyof typeof tones

/** `failing`: it is tried again; `failed`: it is not. */
function outcomeOf({ dueAt, failure, attempts }: WebhookDelivery): Outcome {
  if (dueAt === null) return failure === null ? 'delivered' : 'failed'
  return failure === null || attempts === 0 ? 'waiting' : 'failing'
}

function Delivery({
  delivery,
  webhookId,
  place,
  canSend,
}: {
  delivery: WebhookDelivery
  webhookId: string
  place: Place
  canSend: boolean
}) {
  const { id, messageId, type, body, createdAt, attempts, attemptedAt, dueAt, milliseconds } = delivery
  const outcome = outcomeOf(delivery)
  const key = `webhooks.type.${type}`
  const event = isTextKey(key) ? text(key) : showUntrusted(type, 60)
  return (
    <div data-delivery={id} data-outcome={outcome} className="@container grid gap-2">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{event}</span>
          <Tag tone={tones[outcome]}>{text(`webhooks.outcome.${outcome}`)}</Tag>
        </p>
        {canSend && outcome !== 'waiting' && (
          <Writing>
            <RedeliverButton place={place} id={webhookId} deliveryId={id} event={event} />
          </Writing>
        )}
      </div>
      <dl className="grid gap-x-3 gap-y-1 text-small @min-[12rem]:grid-cols-[6.5rem_minmax(0,1fr)]">
        <Line name={text('webhooks.delivery.at')}>
          <Time value={createdAt} />
        </Line>
        <Line name={text('webhooks.delivery.attempts')}>{formatNumber(attempts)}</Line>
        {attemptedAt !== null && (
          <Line name={text('webhooks.delivery.last')}>
            <Time value={attemptedAt} />
            {milliseconds !== null && ` · ${text('webhooks.delivery.took', { took: formatNumber(milliseconds) })}`}
          </Line>
        )}
        {outcome !== 'waiting' && <Line name={text('webhooks.delivery.outcome')}>{sentenceOf(delivery)}</Line>}
        {dueAt !== null && (
          <Line name={text('webhooks.delivery.next')}>
            {Date.parse(dueAt) > serverNow() ? <Time value={dueAt} /> : text('webhooks.delivery.soon')}
          </Line>
        )}
      </dl>
      <Details summary={text('webhooks.delivery.sent')} hasRule={false}>
        <p className="text-small text-ink-soft">{text('webhooks.delivery.id')}</p>
        <p className="figures text-small wrap-anywhere">{showUntrusted(messageId, 100)}</p>
        <p className="mt-2 text-small text-ink-soft">{text('webhooks.delivery.body')}</p>
        <p className="figures text-small wrap-anywhere">{showUntrusted(body, 5_000)}</p>
      </Details>
    </div>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

function sentenceOf({ status, failure }: WebhookDelivery): string {
  if (failure !== null && failure !== 'status') return text(`webhooks.failure.${failure}`)
  return text('webhooks.answered', { status: status ?? '' })
}

function RedeliverButton({
  place,
  id,
  deliveryId,
  event,
}: {
  place: Place
  id: string
  deliveryId: string
  event: string
}) {
  const again = useTeamChange(place, () => api(redeliver, { ...place, id, deliveryId }))
  return (
    <div className="grid max-w-md gap-2">
      <div>
        <Button
          isCompact
          aria-label={text('webhooks.redeliver.of', { event })}
          busy={again.isPending ? text('webhooks.redeliver.busy') : undefined}
          onClick={() => again.mutate(undefined)}
        >
          {text('webhooks.redeliver')}
        </Button>
      </div>
      {again.error && <Problem error={again.error} />}
    </div>
  )
}
