import { type ActivityEntry, exportActivity } from '@countersign/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { ReportedReview } from '../../review/view/owner-reports.tsx'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { Address, Hash } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Details, Section } from '../../ui/section.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextAnchor, TextLink } from '../../ui/text-link.tsx'
import { isChainIntact } from './chain.ts'
import { DetailLine, EntryDetail } from './entry-detail.tsx'
import { activityQuery } from './queries.ts'
import { text } from './text.ts'

/** Shows the activity of a Safe: each action, and the account that did it. */
export function ActivityPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const names = useNames(chainId, safeAddress)
  const activity = useInfiniteQuery(activityQuery(chainId, safeAddress))
  const entries = activity.data?.pages.flatMap((page) => page.entries) ?? []
  const exported = exportActivity.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
  return (
    <div data-activity={safeAddress}>
      <SafePageHead
        chainId={chainId}
        safeAddress={safeAddress}
        title={text('activity.title')}
        what={text('activity.what')}
      />
      {activity.isPending && <ChainedPlace />}
      {entries.length > 0 && <ChainNotice entries={entries} />}
      <Section
        title={text('activity.list')}
        aside={
          entries.length > 0 && (
            <TextAnchor href={exported} download>
              {text('activity.export')}
            </TextAnchor>
          )
        }
      >
        <List
          of={activity}
          rows={entries}
          keyOf={({ id }) => id}
          label={text('activity.list')}
          loading={text('activity.loading')}
          lines={6}
          empty={<Empty title={text('activity.empty')}>{text('activity.empty.sentence')}</Empty>}
          more={text('activity.more')}
        >
          {(entry) => <Entry entry={entry} chainId={chainId} safeAddress={safeAddress} names={names} />}
        </List>
      </Section>
    </div>
  )
}

/** Keeps the room of the line about the hashes, so that the list stays where it is. It says nothing. */
function ChainedPlace() {
  return (
    <div aria-hidden="true" className="invisible mb-8">
      <Details summary={text('activity.whole', { count: 50 })}>{null}</Details>
    </div>
  )
}

/** Whether what is shown fits together, computed here from the texts. */
function ChainNotice({ entries }: { entries: ActivityEntry[] }) {
  const newest = entries[0]
  if (!isChainIntact(entries))
    return (
      <div className="mb-8">
        <Notice tone="danger" isAnnounced title={text('activity.broken.title')}>
          {text('activity.broken')}
        </Notice>
      </div>
    )
  return (
    <div className="mb-8">
      <Details summary={text('activity.whole', { count: entries.length })}>
        <p className="mb-1 text-small font-semibold">{text('activity.newest')}</p>
        {newest && <Hash hash={newest.hash} />}
      </Details>
    </div>
  )
}

/** Verbs about a transaction or a message: the former have the page that is linked here. */
const ofTransactions = new Set<string>([
  'proposed',
  'confirmed',
  'sent',
  'sent-elsewhere',
  'executed',
  'reverted',
  'noted',
  'attached-pack',
  'removed-pack',
])

function Entry({
  entry: { at, account, verb, safeTxHash, detail, reviewed },
  chainId,
  safeAddress,
  names,
}: {
  entry: ActivityEntry
  names: Names
  chainId: number
  safeAddress: AddressType
}) {
  return (
    <div data-verb={verb} className="@container">
      <div className={`grid gap-x-8 gap-y-1 ${account ? '@4xl:grid-cols-[25rem_minmax(0,1fr)]' : ''}`}>
        {account && <Address address={account} name={nameOf(account, names)} isCopyable={false} />}
        <div>
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-medium">{text(`activity.verb.${verb}`)}</span>
            <span className="text-small text-ink-soft">
              <Time value={at} />
            </span>
          </p>
          <dl className="grid gap-x-3 gap-y-1 text-small not-empty:mt-1 @min-[12rem]:grid-cols-[6.5rem_minmax(0,1fr)] @lg:grid-cols-[8rem_minmax(0,1fr)]">
            {detail && <EntryDetail detail={detail} place={{ chainId, safeAddress }} names={names} />}
            {safeTxHash && (
              <DetailLine name="safeTxHash">
                {ofTransactions.has(verb) ? (
                  <TextLink
                    to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
                    params={{ chainId, safeAddress, safeTxHash }}
                  >
                    <Hash hash={safeTxHash} isCopyable={false} />
                  </TextLink>
                ) : (
                  <Hash hash={safeTxHash} />
                )}
              </DetailLine>
            )}
          </dl>
          {reviewed && <ReportedReview reviewed={reviewed} />}
        </div>
      </div>
    </div>
  )
}
