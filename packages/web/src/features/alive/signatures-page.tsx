import { groupAlive } from '@countersign/review'
import { domainVersion, isVersionBefore, type SafeState } from '@countersign/safe'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address as AddressType } from 'viem'
import { isHiddenFromAccount } from '../../safe/hidden-error.ts'
import type { Names } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useRole } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { messageTitle } from '../../safe/title/message-title.ts'
import { Hash } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { AliveAccounts } from './alive-accounts.tsx'
import { AliveNonce } from './alive-nonce.tsx'
import { signaturesQuery } from './queries.ts'
import { Accounts, ReachView } from './reach.tsx'
import { text } from './text.ts'
import { type Alive, useAlive } from './use-alive.ts'
import { WaysView } from './ways-view.tsx'

type Place = { chainId: number; safeAddress: AddressType }

/** Every signature of a Safe that still counts: by nonce, then what has none, then by account. */
export function SignaturesPage({ chainId, safeAddress }: Place) {
  const state = useSafeState(chainId, safeAddress)
  const served = useInfiniteQuery(signaturesQuery(chainId, safeAddress))
  const listed = useMemo(() => served.data?.pages.flatMap(({ signed }) => signed) ?? [], [served.data])
  const alive = useAlive(listed, { chainId, safeAddress }, state.data)
  const isNothing = alive.transactions.length + alive.messages.length + alive.hashes.length === 0
  return (
    <div data-signatures={safeAddress} data-pending={served.isPending || alive.isPending}>
      <SafePageHead
        parent="queue"
        chainId={chainId}
        safeAddress={safeAddress}
        title={text('alive.title')}
        what={text('alive.what')}
      />
      {state.error && (
        <div className="mb-6 grid gap-3">
          <QueryProblem error={state.error} onRetry={() => void state.refetch()} />
          {!state.data && <Notice tone="warning">{text('alive.stateless')}</Notice>}
        </div>
      )}
      <List
        of={served}
        rows={state.data ? [state.data] : []}
        keyOf={({ address }) => address}
        loading={text('alive.loading')}
        instead={(error) => isHiddenFromAccount(error) && <Empty title={text('alive.notMember')} />}
        empty={state.isPending ? <Loading label={text('alive.verifying')} /> : null}
        more={text('alive.more')}
      >
        {(current) =>
          alive.isPending ? (
            <Loading label={text('alive.verifying')} />
          ) : (
            <>
              {alive.refused.length > 0 && (
                <div className="mb-6">
                  <Notice tone="danger" isAnnounced>
                    {text('alive.refused', { count: alive.refused.length })}
                  </Notice>
                </div>
              )}
              {isNothing ? (
                <Empty title={text('alive.empty')}>{text('alive.empty.sentence')}</Empty>
              ) : (
                <AliveList alive={alive} state={current} />
              )}
            </>
          )
        }
      </List>
    </div>
  )
}

function AliveList({ alive, state }: { alive: Alive; state: SafeState }) {
  const { chainId, address: safeAddress } = state
  const names = useNames(chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  return (
    <>
      <p className="mb-6 max-w-prose text-small text-ink-soft">
        {text('alive.source')} {state.guard !== null && text('alive.guard')}{' '}
        {state.modules.length > 0 && text('alive.modules', { count: state.modules.length })}
      </p>
      {alive.together.unread.length > 0 && (
        <div className="mb-6">
          <Notice tone="warning">{text('alive.together.unread', { count: alive.together.unread.length })}</Notice>
        </div>
      )}
      {!alive.together.isWhole && (
        <div className="mb-6">
          <Notice tone="warning">{text('alive.together.cut')}</Notice>
        </div>
      )}
      {groupAlive(alive.transactions).map(({ nonce, entries }) => (
        <Section
          key={nonce.toString()}
          title={text('alive.nonce', { nonce })}
          aside={
            nonce === state.nonce
              ? text('alive.nonce.next')
              : text('alive.nonce.waits', { count: Number(nonce - state.nonce) })
          }
        >
          <AliveNonce
            alive={alive}
            entries={entries}
            state={state}
            names={names}
            mayPropose={role === 'owner' || role === 'proposer'}
          />
        </Section>
      ))}
      {alive.hashes.length > 0 && <Hashes hashes={alive.hashes} names={names} />}
      {alive.messages.length > 0 && <Messages alive={alive} state={state} names={names} />}
      <AliveAccounts alive={alive} state={state} names={names} />
    </>
  )
}

function Hashes({ hashes, names }: { hashes: Alive['hashes']; names: Names }) {
  return (
    <Section title={text('alive.hashes')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('alive.hashes.sentence')}</p>
      <Rows label={text('alive.hashes')}>
        {hashes.map(({ hash, signed, confirmations }) => (
          <Row key={hash}>
            <div data-alive={hash} className="grid gap-1">
              <Hash hash={hash} />
              {signed.isSignedOnChain && <p>{text('alive.hash.onChain')}</p>}
              {confirmations.length > 0 && (
                <Accounts
                  label={text('alive.hash.approved')}
                  accounts={confirmations.map(({ owner }) => owner)}
                  names={names}
                />
              )}
            </div>
          </Row>
        ))}
      </Rows>
    </Section>
  )
}

function Messages({ alive, state, names }: { alive: Alive; state: SafeState; names: Names }) {
  const { chainId, address: safeAddress } = state
  const hasNoHandler = state.fallbackHandler === null && !isVersionBefore(domainVersion(state), 1, 3)
  return (
    <Section title={text('alive.messages')}>
      <div className="mb-3 grid gap-3">
        <Notice tone="warning">{text('alive.messages.sentence')}</Notice>
        {hasNoHandler && <Notice>{text('alive.messages.noHandler')}</Notice>}
      </div>
      <Rows label={text('alive.messages')}>
        {alive.messages.map(({ message: { signed, hash, confirmations }, ...reach }) => (
          <Row key={hash}>
            <article data-alive={hash} className="grid gap-2">
              <p className="font-semibold wrap-anywhere">{messageTitle(signed.content ?? '')}</p>
              {signed.isDeleted && (
                <p>
                  <Tag tone="warning">{text('alive.deleted')}</Tag>
                </p>
              )}
              {signed.isSignedOnChain && <p>{text('alive.message.onChain')}</p>}
              <ReachView reach={reach} waits={null} confirmations={confirmations} names={names} />
              <WaysView ways={alive.together.ways[hash]} alive={alive} names={names} />
              {!signed.isDeleted && (
                <p>
                  <TextLink
                    look="action"
                    to="/safes/$chainId/$safeAddress/messages/$safeMessageHash"
                    params={{ chainId, safeAddress, safeMessageHash: hash }}
                  >
                    {text('alive.open')}
                  </TextLink>
                </p>
              )}
            </article>
          </Row>
        ))}
      </Rows>
    </Section>
  )
}
