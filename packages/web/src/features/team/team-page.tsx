import { useQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { safeQuery } from '../../api/safe.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { Address } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SafePageHead } from '../../ui/safe-page-head.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useSession } from '../../wallet/index.ts'
import { Delegates } from './delegates.tsx'
import { text } from './text.ts'
import { Viewers } from './viewers.tsx'

/** Who may do what for a Safe: owners by the chain, proposers and viewers by what owners said here. */
export function TeamPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const chain = useChain(chainId)
  const safe = useQuery(safeQuery(chainId, safeAddress))
  const { session } = useSession()
  const account = session?.address
  const isUnknown = safe.error instanceof Error && 'code' in safe.error && safe.error.code === 'SAFE_NOT_FOUND'
  // What was there before it was refused is not shown on.
  const role = isUnknown ? null : safe.data?.role
  return (
    <div data-team={safeAddress}>
      <SafePageHead
        back="safes"
        chainId={chainId}
        safeAddress={safeAddress}
        chainName={chain?.name}
        title={text('team.title')}
      />
      <Owners chainId={chainId} safeAddress={safeAddress} />
      {role && account ? (
        <>
          <Delegates place={{ chainId, safeAddress }} account={account} isOwner={role === 'owner'} />
          <Viewers place={{ chainId, safeAddress }} account={account} isOwner={role === 'owner'} />
        </>
      ) : safe.data || isUnknown ? (
        <Empty title={text('team.private')}>{text('team.private.sentence')}</Empty>
      ) : safe.error ? (
        <Problem error={safe.error} onRetry={() => void safe.refetch()} />
      ) : (
        <Skeleton label={text('team.loading')} />
      )}
    </div>
  )
}

/** As this browser reads them from the chain. */
function Owners({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const { data: state, error, refetch } = useSafeState(chainId, safeAddress)
  const { session } = useSession()
  const count = state?.owners.length ?? 0
  return (
    <Section
      title={text('team.owners')}
      aside={state && text('safe.owners.aside', { threshold: state.threshold, count })}
    >
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.owners.what')}</p>
      {error && (
        <div className="mb-4">
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {state ? (
        <Rows label={text('team.owners')}>
          {state.owners.map((owner, index) => (
            <Row key={owner}>
              <div data-owner={owner} className="flex items-start justify-between gap-2">
                <div className="min-w-0">
                  <Address address={owner} name={text('safe.owner', { number: index + 1 })} />
                </div>
                {owner === session?.address && <Tag tone="good">{text('safe.you')}</Tag>}
              </div>
            </Row>
          ))}
        </Rows>
      ) : (
        !error && <Skeleton label={text('safe.loading')} />
      )}
    </Section>
  )
}
