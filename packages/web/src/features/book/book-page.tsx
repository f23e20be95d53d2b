import { useQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { safeQuery } from '../../api/safe.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SafePageHead } from '../../ui/safe-page-head.tsx'
import { Abis } from './abis.tsx'
import { AddressNames } from './address-names.tsx'
import { text } from './text.ts'

/** What people of a Safe's team call addresses, and the ABIs that they gave. */
export function BookPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const chain = useChain(chainId)
  const safe = useQuery(safeQuery(chainId, safeAddress))
  const place = { chainId, safeAddress, role: safe.data?.role ?? null }
  return (
    <div data-book={safeAddress}>
      <SafePageHead
        back="safes"
        chainId={chainId}
        safeAddress={safeAddress}
        chainName={chain?.name}
        title={text('book.title')}
      />
      <p className="mb-8 max-w-2xl text-ink-soft">{text('book.what')}</p>
      <div className="grid gap-4 not-empty:mb-8">
        {safe.data?.role === 'viewer' && <Notice>{text('book.readOnly')}</Notice>}
      </div>
      {safe.data ? (
        <>
          <AddressNames {...place} />
          <Abis {...place} />
        </>
      ) : safe.error ? (
        <Problem error={safe.error} onRetry={() => void safe.refetch()} />
      ) : (
        <Skeleton label={text('book.names.loading')} />
      )}
    </div>
  )
}
