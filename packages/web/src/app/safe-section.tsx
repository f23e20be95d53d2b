import type { Role } from '@countersign/contract'
import type { SafeState } from '@countersign/safe'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import type { Address } from 'viem'
import { useChain } from '../api/configuration.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useIsListed, useRole } from '../safe/safe.ts'
import { SafePageHead } from '../safe/safe-page-head.tsx'
import { useSafeState } from '../safe/safe-state.ts'
import { safesQuery } from '../safe/safes.ts'
import { text } from '../text/safe.ts'
import { withTexts } from '../text/text.ts'
import { Skeleton } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { lazyPart } from '../ui/part/lazy-part.tsx'
import { NotLoaded, QueryProblem } from '../ui/problem.tsx'
import { useSession } from '../wallet/index.ts'

/** Few open a Safe that is not in My Safes: what adds it comes then. */
const AddThisSafe = lazyPart(
  async () => (await withTexts(() => import('../features/home/add-this-safe.tsx'))).AddThisSafe,
)

/** Facts that a section of a Safe goes by, once it was read from the chain at least once. */
export type ReadSafe = {
  state: SafeState
  account: Address | null
  /** Undefined while it is not known whether the Safe is in My Safes. */
  isListed: boolean | undefined
  isReading: boolean
  readAgain: () => void
}

type Head = Pick<Parameters<typeof SafePageHead>[0], 'title' | 'tabTitle' | 'actions' | 'about'>

/**
 * A section of a Safe: its head, what is to be said about the Safe before everything else, then its content.
 *
 * @param children what needs the Safe as the chain has it
 * @param before what does not: it is there before the chain has answered, and when it does not answer
 */
export function SafeSection({
  chainId,
  safeAddress,
  before,
  children,
  ...head
}: Head & {
  chainId: number
  safeAddress: Address
  /** Told whether queue and history exist for this reader and chain. */
  before?: (hasTransactions: boolean) => ReactNode
  children?: (safe: ReadSafe) => ReactNode
}) {
  const chain = useChain(chainId)
  const state = useSafeState(chainId, safeAddress)
  const queryClient = useQueryClient()
  const { session } = useSession()
  const account = session?.address ?? null
  const isListed = useIsListed(chainId, safeAddress)
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: queryKeys.safeState(chainId, safeAddress) })
  // A chain that is not configured has neither queue nor history; the problem above says so once.
  const hasTransactions = isListed !== false && chain !== undefined
  return (
    <div data-safe={safeAddress}>
      <SafePageHead chainId={chainId} safeAddress={safeAddress} {...head} />
      <SectionNotices
        chainId={chainId}
        safeAddress={safeAddress}
        state={state}
        account={account}
        isListed={isListed}
        readAgain={readAgain}
      />
      {before?.(hasTransactions)}
      {children &&
        (state.data ? (
          children({ state: state.data, account, isListed, isReading: state.isFetching, readAgain })
        ) : state.isPending && state.fetchStatus !== 'paused' ? (
          <Skeleton label={text('safe.loading')} lines={6} />
        ) : null)}
    </div>
  )
}

/** Whatever has to be known before the rest of the page is read. */
function SectionNotices({
  chainId,
  safeAddress,
  state,
  account,
  isListed,
  readAgain,
}: {
  chainId: number
  safeAddress: Address
  state: ReturnType<typeof useSafeState>
  account: Address | null
  isListed: boolean | undefined
  readAgain: () => void
}) {
  const role = useRole(chainId, safeAddress)
  const isOwner = account !== null && state.data?.owners.includes(account)
  // One that is not on the chain yet is in nobody's list for naming them as an owner.
  const mine = useQuery({ ...safesQuery, enabled: state.data?.creation !== undefined }).data
  const isOnlyNamed = isOwner && mine?.safes.every((safe) => safe.address !== safeAddress || safe.chainId !== chainId)
  const isOffline = state.isPending && state.fetchStatus === 'paused'
  return (
    <div className="grid gap-4 not-empty:mb-8">
      {isOffline && <NotLoaded />}
      <StateNotices state={state} readAgain={readAgain} />
      {state.data && !isOwner && account !== null && (
        <Notice>{account === safeAddress ? text('safe.isItself') : roleText(role)}</Notice>
      )}
      {(isListed === false || isOnlyNamed) && state.data && (
        <Suspense>
          <AddThisSafe chainId={chainId} safeAddress={safeAddress} />
        </Suspense>
      )}
    </div>
  )
}

/** Describes the role of a reader who is not an owner. */
function roleText(role: Role | null): string {
  if (role === 'proposer') return text('safe.isProposer')
  return text(role === 'viewer' ? 'safe.isViewer' : 'safe.notOwner')
}

/** Why the Safe on its chain could not be read, or is not what it seems. */
function StateNotices({
  state: { data, error },
  readAgain,
}: {
  state: ReturnType<typeof useSafeState>
  readAgain: () => void
}) {
  return (
    <>
      {error && <QueryProblem error={error} isStale={data !== undefined} onRetry={readAgain} />}
      {error && data && (
        <Notice tone="warning" title={text('safe.stale')}>
          {text('safe.stale.sentence', { block: data.blockNumber })}
        </Notice>
      )}
      {data?.version === null && (
        <Notice tone="danger" title={text('safe.version.unofficial.title')}>
          {text('safe.version.unofficial.sentence')}
        </Notice>
      )}
    </>
  )
}
