import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address as AddressType } from 'viem'
import { useChain } from '../api/configuration.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useRole } from '../api/safe.ts'
import { useSafeState } from '../api/safe-state.ts'
import { listedTokensQuery } from '../features/assets/assets.ts'
import { SafeAssets } from '../features/assets/safe-assets.tsx'
import { AddThisSafe, useIsListed } from '../features/home/add-this-safe.tsx'
import { SafeFacts } from '../features/settings/safe-facts.tsx'
import { text } from '../text/text.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { Problem } from '../ui/problem.tsx'
import { SafePageHead } from '../ui/safe-page-head.tsx'
import { useSession } from '../wallet/index.ts'

/** A Safe as this browser reads it from the chain, with its queue and history, which another feature brings. */
export function SafePage({
  chainId,
  safeAddress,
  queue,
  history,
}: {
  chainId: number
  safeAddress: AddressType
  queue: ReactNode
  history: ReactNode
}) {
  const chain = useChain(chainId)
  const state = useSafeState(chainId, safeAddress)
  // Asked in the same tick, it travels in the same batch; the section of assets shows it.
  useQuery(listedTokensQuery(chainId, safeAddress, chain?.tokens ?? []))
  const queryClient = useQueryClient()
  const { session } = useSession()
  const account = session?.address ?? null
  const isListed = useIsListed(chainId, safeAddress)
  // A chain that is not configured has neither queue nor history; the problem above says so once.
  const hasTransactions = isListed !== false && chain !== undefined
  const isOwner = account !== null && state.data?.owners.includes(account)
  const role = useRole(chainId, safeAddress)
  const mayPropose = isOwner || role === 'proposer'
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: queryKeys.safeState(chainId, safeAddress) })

  return (
    <div data-safe={safeAddress}>
      <SafePageHead
        back="safes"
        chainId={chainId}
        safeAddress={safeAddress}
        title={chain ? text('safe.title.on', { chain: chain.name }) : text('safe.title')}
        actions={
          mayPropose ? (
            <ButtonLink variant="primary" to="/safes/$chainId/$safeAddress/new" params={{ chainId, safeAddress }}>
              {text('safe.new')}
            </ButtonLink>
          ) : undefined
        }
      />
      {state.isPending && state.fetchStatus === 'paused' ? (
        <Notice
          tone="warning"
          title={text('safe.offline')}
          actions={<Button onClick={readAgain}>{text('safe.refresh')}</Button>}
        >
          {text('safe.offline.sentence')}
        </Notice>
      ) : state.isPending ? (
        <Skeleton label={text('safe.loading')} lines={6} />
      ) : (
        <>
          {state.error && (
            <div className="mb-8 grid gap-4">
              <Problem error={state.error} onRetry={readAgain} />
              {state.data && (
                <Notice tone="warning" title={text('safe.stale')}>
                  {text('safe.stale.sentence', { block: state.data.blockNumber })}
                </Notice>
              )}
            </div>
          )}
          {state.data && state.data.version === null && (
            <div className="mb-8">
              <Notice tone="danger" title={text('safe.version.unofficial.title')}>
                {text('safe.version.unofficial.sentence')}
              </Notice>
            </div>
          )}
          {state.data && !isOwner && account !== null && (
            <div className="mb-8">
              <Notice>
                {text(
                  account === safeAddress
                    ? 'safe.isItself'
                    : role === 'proposer'
                      ? 'safe.isProposer'
                      : role === 'viewer'
                        ? 'safe.isViewer'
                        : 'safe.notOwner',
                )}
              </Notice>
            </div>
          )}
        </>
      )}
      {isListed === false && state.data && <AddThisSafe chainId={chainId} safeAddress={safeAddress} />}
      {hasTransactions && <div className="mt-8">{queue}</div>}
      {/* What is looked at daily first; what the Safe is made of is last. */}
      {state.data && <SafeAssets state={state.data} isListed={isListed} />}
      {hasTransactions && history}
      {state.data && (
        <SafeFacts state={state.data} account={account} onReadAgain={readAgain} isReading={state.isFetching} />
      )}
    </div>
  )
}
