import { createWebhook, type WebhookEvent, webhookEvents } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { CheckList } from '../../ui/check-list.tsx'
import { ShownOnce } from '../../ui/copy/shown-once.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import type { FieldReading } from '../../ui/form/typed-field.ts'
import { Section } from '../../ui/section.tsx'
import { WritingForm } from '../../wallet/signing.ts'
import { text } from './text.ts'

export type Place = { chainId: number; safeAddress: Address }
type Draft = { url: string; events: readonly WebhookEvent[] }

/** Creates a webhook, and shows its secret this once. */
export function WebhookForm({ place }: { place: Place }) {
  const queryClient = useQueryClient()
  const creation = useMutation({
    mutationFn: ({ url, events }: Draft) => api(createWebhook, { ...place, url, events: [...events] }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.team(place.chainId, place.safeAddress) }),
    // The secret is kept nowhere, not in the memory of this page either.
    gcTime: 0,
  })
  const start: Draft = { url: '', events: ['confirmation-needed', 'ready', 'executed'] }
  const form = useForm({
    start,
    read: ({ url, events }) => ({
      url: parseUrl(url),
      events: events.length > 0 ? { value: events } : { error: text('webhooks.events.missing') },
    }),
    sending: creation,
  })
  if (creation.data)
    return (
      <ShownOnce
        secret={creation.data.secret}
        title={text('webhooks.shown')}
        once={text('webhooks.shown.once')}
        sentence={text('webhooks.shown.sentence', { url: creation.data.webhook.url })}
        copy={text('webhooks.copy')}
        how={text('webhooks.how')}
        done={text('webhooks.shown.done')}
        onDone={() => creation.reset()}
      />
    )
  return (
    <Section title={text('webhooks.create')}>
      <WritingForm submit={text('webhooks.create.submit')} busy={text('webhooks.create.busy')} state={form.state}>
        <Field
          label={text('webhooks.url')}
          hint={text('webhooks.url.hint')}
          type="url"
          inputMode="url"
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
          {...form.field('url')}
        />
        <CheckList
          legend={text('webhooks.events')}
          options={webhookEvents.map((event) => ({
            value: event,
            label: text(`webhooks.event.${event}`),
            what: text(`webhooks.event.${event}.what`),
          }))}
          value={form.typed.events}
          onChange={(events) => form.set({ events })}
          error={form.errorOf('events')}
        />
      </WritingForm>
    </Section>
  )
}

/** The server says which hosts it sends to. */
function parseUrl(typed: string): FieldReading<string> {
  const url = typed.trim()
  if (url === '') return { error: text('webhooks.url.missing') }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return { error: text('webhooks.url.wrong') }
  return { value: url }
}
