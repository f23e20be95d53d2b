import { CountersignError } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { safeQuery } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List, Loaded } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { webhooksQuery } from './queries.ts'
import { text } from './text.ts'
import { WebhookEntry } from './webhook-entry.tsx'
import { type Place, WebhookForm } from './webhook-form.tsx'
import { nameWebhooks } from './webhook-names.ts'

/** The URLs that are told what happens to a Safe; for its owners. */
export function WebhooksPage({ chainId, safeAddress }: Place) {
  const safe = useQuery(safeQuery(chainId, safeAddress))
  return (
    <div data-webhooks={safeAddress}>
      <SafePageHead
        parent="team"
        chainId={chainId}
        safeAddress={safeAddress}
        title={text('webhooks.title')}
        what={text('webhooks.what')}
      />
      <Loaded
        of={safe}
        loading={text('webhooks.loading')}
        instead={(error) => isNoOwner(error) && <OwnersOnlyNotice />}
      >
        {({ role }) =>
          role === 'owner' ? <Webhooks chainId={chainId} safeAddress={safeAddress} /> : <OwnersOnlyNotice />
        }
      </Loaded>
    </div>
  )
}

function Webhooks({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const webhooks = useQuery(webhooksQuery(chainId, safeAddress))
  const rows = webhooks.data?.webhooks ?? []
  const names = nameWebhooks(rows)
  return (
    <>
      <Section title={text('webhooks.list')}>
        <List
          of={webhooks}
          rows={rows}
          keyOf={({ id }) => id}
          label={text('webhooks.list')}
          loading={text('webhooks.loading')}
          instead={(error) => isNoOwner(error) && <OwnersOnlyNotice />}
          empty={<Empty title={text('webhooks.empty')}>{text('webhooks.empty.sentence')}</Empty>}
        >
          {(webhook) => (
            <WebhookEntry webhook={webhook} name={names.get(webhook.id) ?? ''} place={{ chainId, safeAddress }} />
          )}
        </List>
      </Section>
      {/* Below the list: before it is there, the form would stand in its place and then move. */}
      {!webhooks.isPending && <WebhookForm place={{ chainId, safeAddress }} />}
    </>
  )
}

/** The reader is no owner, or has just stopped being one. */
function isNoOwner(error: Error): boolean {
  return error instanceof CountersignError && ['SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER'].includes(error.code)
}

function OwnersOnlyNotice() {
  return <Empty title={text('webhooks.owners')}>{text('webhooks.owners.sentence')}</Empty>
}
