import type { Chain } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { configurationQuery, useConfiguration } from '../../api/configuration.ts'
import { useLiveStatus } from '../../api/live/status.ts'
import { text } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isShared, Problem } from '../../ui/problem.tsx'

/** Without changes by others for so long, the server is asked whether it is there. */
const SILENT_MS = 4_000

/**
 * A trouble of the whole page, said once: the device is offline, the server does not answer, or a chain cannot be
 * read. The first of them explains the others.
 */
export function Banner() {
  const { chains } = useConfiguration()
  const status = useLiveStatus()
  const queryClient = useQueryClient()
  const troubles = useSharedTroubles()
  useEffect(() => {
    if (status !== 'connecting') return
    const timer = setTimeout(() => void queryClient.refetchQueries(configurationQuery), SILENT_MS)
    return () => clearTimeout(timer)
  }, [status, queryClient])
  const retry = () =>
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isShared(state.error) })
  return (
    <div data-banner className="grid gap-4 not-empty:mb-8">
      <BannerNotice chains={chains} troubles={troubles} retry={retry} isOffline={status === 'offline'} />
    </div>
  )
}

function BannerNotice({
  chains,
  troubles,
  isOffline,
  retry,
}: {
  chains: readonly Chain[]
  troubles: readonly CountersignError[]
  isOffline: boolean
  retry: () => void
}) {
  if (isOffline)
    return (
      <div data-offline>
        <Notice tone="warning" isAnnounced title={text('app.offline')}>
          {text('app.offline.sentence')}
        </Notice>
      </div>
    )
  const ofServer = troubles.find(({ code }) => !ofChain.has(code))
  if (ofServer) return <Problem error={ofServer} onRetry={retry} />
  const known = chains.filter(({ status }) => status !== 'ok')
  const unknown = known.length === 0 ? troubles[0] : undefined
  return (
    <>
      {known.map(({ chainId, name, status }) => (
        <Notice
          key={chainId}
          tone="warning"
          isAnnounced
          title={text(`app.chain.${status as 'unreachable' | 'wrong-chain'}`, { name })}
          hint={<span className="figures text-ink-faint">{codes[status as keyof typeof codes]}</span>}
          {...(troubles.length > 0 ? { actions: <Button onClick={retry}>{text('problem.retry')}</Button> } : {})}
        >
          {text(`app.chain.${status as 'unreachable' | 'wrong-chain'}.sentence`, { chainId })}
        </Notice>
      ))}
      {unknown && <Problem error={unknown} onRetry={retry} />}
    </>
  )
}

const codes = { unreachable: 'CHAIN_UNREACHABLE', 'wrong-chain': 'CHAIN_ID_MISMATCH' } as const
const ofChain = new Set<string>(Object.values(codes))

let last: readonly CountersignError[] = []

/** Errors about who answers, of all that this page shows: one of each code. */
function useSharedTroubles(): readonly CountersignError[] {
  const cache = useQueryClient().getQueryCache()
  const subscribe = useCallback((listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)), [cache])
  return useSyncExternalStore(subscribe, () => {
    const found = new Map<string, CountersignError>()
    for (const query of cache.getAll()) {
      const { error } = query.state
      if (isShared(error) && !found.has(error.code) && query.getObserversCount() > 0) found.set(error.code, error)
    }
    const now = [...found.values()]
    if (now.length !== last.length || now.some((error, index) => error !== last[index])) last = now
    return last
  })
}
