import { Link } from '@tanstack/react-router'
import type { Address as AddressType } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { Address } from '../../ui/address.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { PageHead, Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useSession } from '../../wallet/index.ts'
import { text } from './text.ts'

/** Who may do what for a Safe. */
export function TeamPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const chain = useChain(chainId)
  return (
    <div data-team={safeAddress}>
      <PageHead
        above={
          <Link to="/" className="underline decoration-rule-strong underline-offset-4">
            {text('safes.title')}
          </Link>
        }
        title={text('team.title')}
      />
      <div className="mb-8">
        <Address address={safeAddress} name={chain ? text('safe.title.on', { chain: chain.name }) : undefined} />
      </div>
      <Owners chainId={chainId} safeAddress={safeAddress} />
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
      {error && <Problem error={error} onRetry={() => void refetch()} />}
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
      <p className="mt-3 text-small text-ink-soft">{text('team.owners.what')}</p>
    </Section>
  )
}
