import { listSafes, type Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useChain, useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { text } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useSession } from '../../wallet/index.ts'

/** My Safes, with what waits for the reader in each. */
export function SafeList() {
  const { session } = useSession()
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.safes,
    queryFn: ({ signal }) => api(listSafes, {}, signal),
  })
  if (isPending) return <Skeleton label={text('safes.loading')} />
  if (!data)
    return (
      <div className="mb-12">
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  return (
    <div className="mb-12">
      {error && (
        <div className="mb-4">
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data.safes.length === 0 ? (
        <Empty title={text('safes.empty')}>
          {text('safes.empty.sentence', { account: session?.address ?? text('safe.you') })}
        </Empty>
      ) : (
        <>
          <Rows label={text('safes.title')}>
            {data.safes.map((safe) => (
              <Row key={`${safe.chainId} ${safe.address}`}>
                <SafeRow safe={safe} />
              </Row>
            ))}
          </Rows>
          <p className="mt-2 text-small text-ink-faint">{text('safes.readBy')}</p>
        </>
      )}
      <Coverage />
    </div>
  )
}

/** Which Safes this list can hold, by chain. */
function Coverage() {
  const chains = useChains()
  const names = (index: 'tracked' | 'whole-chain') =>
    chains
      .filter((chain) => chain.index === index)
      .map(({ name }) => name)
      .join(', ')
  const [whole, tracked] = [names('whole-chain'), names('tracked')]
  return (
    <>
      {whole !== '' && (
        <p className="mt-2 text-small text-ink-faint">{text('safes.covers.whole', { chains: whole })}</p>
      )}
      {tracked !== '' && (
        <p className="mt-2 text-small text-ink-faint">{text('safes.covers.tracked', { chains: tracked })}</p>
      )}
    </>
  )
}

function SafeRow({ safe }: { safe: Safe }) {
  const chain = useChain(safe.chainId)
  const { session } = useSession()
  const role = session?.address === safe.address ? 'itself' : (safe.role ?? 'none')
  return (
    <article data-safe={safe.address} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <Link
          to="/safes/$chainId/$safeAddress"
          params={{ chainId: safe.chainId, safeAddress: safe.address }}
          className="inline-block min-h-6 underline decoration-rule-strong underline-offset-4 hover:decoration-current"
        >
          <Address address={safe.address} isCopyable={false} />
        </Link>
        <p className="mt-1 flex flex-wrap gap-x-3 text-small text-ink-soft">
          <span>{chain?.name ?? text('safes.chain.unknown', { chainId: safe.chainId })}</span>
          <span>{text('safes.owners', { threshold: safe.threshold, owners: safe.owners.length })}</span>
          <span>{text('safes.nonce', { nonce: safe.nonce })}</span>
          <span>
            {safe.version === null ? text('safes.version.unknown') : text('safes.version', { version: safe.version })}
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {safe.awaitingMyConfirmation > 0 && (
          <Tag tone="warning">{text('safes.waiting', { count: safe.awaitingMyConfirmation })}</Tag>
        )}
        <Tag>{text(`safes.role.${role}`)}</Tag>
      </div>
    </article>
  )
}
