import { onlineManager, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useLayoutEffect } from 'react'
import { configurationQuery } from '../api/configuration.ts'
import { fail } from '../text/fail.ts'
import { isServerThere, text } from '../text/text.ts'
import { Empty } from '../ui/empty.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Loading } from '../ui/loading.tsx'
import { explainMissingParts } from '../ui/part/import-part.ts'
import { Problem } from '../ui/problem.tsx'
import { sessionQuery, WalletProvider } from '../wallet/index.ts'
import { queries } from './queries.ts'
import { RouteProblem } from './route-problem.tsx'
import { router } from './router.tsx'
import { BareShell } from './shell/shell.tsx'

// A server on this very device is there without a network.
onlineManager.subscribe(async (isOnline) => {
  if (!isOnline && (await isServerThere())) onlineManager.setOnline(true)
})
// If the server answers but does not have the code, the code belongs to an earlier version.
explainMissingParts(async (error) => {
  if (await isServerThere()) return error
  if (!navigator.onLine) return fail('SERVER_UNREACHABLE', { reason: 'offline' }, error)
  const [file = '/'] = /\/assets\/\S+/.exec(error.message) ?? []
  return fail('SERVER_UNREACHABLE', { reason: 'failed', operation: `GET ${file}` }, error)
})
// All that the first page waits for is asked for together; a browser asks for few things of one server at a time.
void queries.prefetchQuery(configurationQuery)
void queries.prefetchQuery(sessionQuery)
void router.load()
// Somebody may go back before the router's own component follows the address.
const stopFollowing = router.history.subscribe(() => void router.load())

export function App() {
  return (
    <ErrorBoundary
      fallback={(error, reset) => (
        <div className="mx-auto max-w-3xl px-5 py-16">
          <RouteProblem error={error} reset={reset} />
        </div>
      )}
    >
      <QueryClientProvider client={queries}>
        <ConfigurationGate />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}

/** Nothing can be connected or read before it is known which chains there are. */
function ConfigurationGate() {
  const { data, error, refetch } = useQuery(configurationQuery)
  const hasChains = data !== undefined && data.chains.length > 0
  useLayoutEffect(() => {
    if (hasChains) stopFollowing()
  }, [hasChains])
  if (hasChains)
    return (
      <WalletProvider>
        <RouterProvider router={router} />
      </WalletProvider>
    )
  return (
    <BareShell>
      {data ? (
        <Empty title={text('app.configuration.noChains.title')}>{text('app.configuration.noChains.sentence')}</Empty>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label={text('app.configuration.loading')} />
      )}
    </BareShell>
  )
}
