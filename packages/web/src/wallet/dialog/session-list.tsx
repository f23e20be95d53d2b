import { revokeOtherSessions, revokeSession, type SessionEntry } from '@countersign/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { api } from '../../api/client.ts'
import { useChain } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { sessionsQuery } from '../../api/sessions.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { text } from '../text.ts'

/** Where this account is signed in, and the way to end each of them. */
export function SessionList({
  isPage = false,
}: {
  /** Whether it is a section of a page, not of the dialog. */ isPage?: boolean
}) {
  const Heading = isPage ? 'h2' : 'h3'
  const { data, error, refetch } = useQuery(sessionsQuery)
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone with its row: the focus goes to what it stood under.
  const end = useEnding(() => title.current?.focus())
  const others = data?.sessions.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <section aria-labelledby={id} data-sessions>
      <div className="mb-1 flex min-h-9 flex-wrap items-center justify-between gap-x-3">
        <Heading
          id={id}
          ref={title}
          tabIndex={-1}
          className={`font-semibold ${isPage ? 'text-title tracking-tight' : ''}`}
        >
          {text('wallet.sessions.title')}
        </Heading>
        {others.length > 1 && (
          <Button
            variant="quiet"
            isCompact
            busy={end.isPending && end.variables === 'others' ? text('wallet.sessions.ending') : undefined}
            onClick={() => end.mutate('others')}
          >
            {text('wallet.sessions.endOthers', { count: others.length })}
          </Button>
        )}
      </div>
      {data ? (
        <ul className="border-t border-rule">
          {data.sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isEnding={end.isPending && (end.variables === session.id || end.variables === 'others')}
              onEnd={() => end.mutate(session.id)}
            />
          ))}
        </ul>
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label={text('wallet.sessions.loading')} />
      )}
      <p role="status" className="text-small text-ink-soft empty:hidden">
        {end.isSuccess ? text('wallet.sessions.ended', { count: end.data }) : ''}
      </p>
      {end.error && <Problem error={end.error} />}
    </section>
  )
}

/** Ends one session by its id, or all others; says how many have ended. */
function useEnding(onEnded: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (which: string) => {
      if (which === 'others') return (await api(revokeOtherSessions, {})).ended
      await api(revokeSession, { id: which })
      return 1
    },
    onSuccess: onEnded,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.sessions }),
  })
}

function SessionRow({ session, isEnding, onEnd }: { session: SessionEntry; isEnding: boolean; onEnd: () => void }) {
  const chain = useChain(session.chainId)
  const device = describeDevice(session)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2 border-b border-rule py-2.5">
      <div className="min-w-0 text-small">
        <p className="flex flex-wrap items-center gap-x-2 text-body font-medium">
          {device}
          {session.isCurrent && <Tag tone="good">{text('wallet.sessions.current')}</Tag>}
        </p>
        <p className="wrap-anywhere text-ink-soft">
          {session.clientAddress
            ? text('wallet.sessions.from', { address: session.clientAddress })
            : text('wallet.sessions.fromUnknown')}
          {' · '}
          {chain?.name ?? text('wallet.sessions.chain', { chainId: session.chainId })}
          {session.isFramed && ` · ${text('wallet.sessions.framed')}`}
        </p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-ink-soft">
          <dt>{text('wallet.sessions.created')}</dt>
          <dd>
            <Time value={session.createdAt} />
          </dd>
          <dt>{text('wallet.sessions.lastSeen')}</dt>
          <dd>
            <Time value={session.lastSeenAt} />
          </dd>
        </dl>
      </div>
      {!session.isCurrent && (
        <Button
          isCompact
          aria-label={text('wallet.sessions.endOne', { device })}
          busy={isEnding ? text('wallet.sessions.ending') : undefined}
          onClick={onEnd}
        >
          {text('wallet.sessions.end')}
        </Button>
      )}
    </li>
  )
}

function describeDevice({ browser, system }: SessionEntry): string {
  if (browser && system) return text('wallet.sessions.device', { browser, system })
  return browser ?? system ?? text('wallet.sessions.deviceUnknown')
}
