import type { SafeState } from '@countersign/safe'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Hex } from 'viem'
import { useNames } from '../../safe/names/use-names.ts'
import { useRole } from '../../safe/safe.ts'
import { Fold } from '../../ui/fold.tsx'
import { Loaded } from '../../ui/list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { AliveNonce } from './alive-nonce.tsx'
import { signaturesQuery } from './queries.ts'
import { text } from './text.ts'
import { useAlive } from './use-alive.ts'
import { WaysView } from './ways-view.tsx'

/** On the page of a transaction: what else can be executed in its place with signatures that were given. */
export function AliveAtNonce({ state, nonce, safeTxHash }: { state: SafeState; nonce: bigint; safeTxHash: Hex }) {
  const { chainId, address: safeAddress } = state
  const role = useRole(chainId, safeAddress)
  // Signatures are for the team; the server would refuse others.
  const served = useInfiniteQuery({ ...signaturesQuery(chainId, safeAddress), enabled: role !== null })
  const names = useNames(chainId, safeAddress)
  const listed = useMemo(() => served.data?.pages.flatMap(({ signed }) => signed) ?? [], [served.data])
  const alive = useAlive(listed, { chainId, safeAddress }, state)
  if (role === null) return null
  const entries = alive.transactions.filter(({ transaction }) => transaction.nonce === nonce)
  const others = entries.filter(({ transaction }) => transaction.hash !== safeTxHash)
  const isPending = served.data !== undefined && alive.isPending
  const elsewhere = {
    transactions: alive.transactions.length - entries.length,
    messages: alive.messages.length + alive.hashes.length,
  }
  return (
    <Fold
      title={text('alive.title')}
      result={
        served.data && !isPending ? (
          <span data-alive-here={others.length} className={others.length > 0 ? 'text-warning' : undefined}>
            {others.length > 0
              ? text('alive.here.others', { count: others.length })
              : text(entries.length === 0 ? 'alive.here.none' : 'alive.here.only')}
          </span>
        ) : undefined
      }
      isLazy
    >
      <Loaded of={served} loading={text('alive.loading')} lines={1}>
        {() =>
          isPending ? (
            <Loading label={text('alive.verifying')} />
          ) : (
            <div className="grid gap-3">
              <WaysView ways={alive.together.ways[safeTxHash]} alive={alive} names={names} />
              <AliveNonce
                alive={alive}
                entries={entries}
                state={state}
                names={names}
                shown={others}
                mayPropose={role === 'owner' || role === 'proposer'}
              />
              <p className="text-small text-ink-soft">
                {text('alive.here.elsewhere', elsewhere)}{' '}
                <TextLink to="/safes/$chainId/$safeAddress/signatures" params={{ chainId, safeAddress }}>
                  {text('alive.here.all')}
                </TextLink>
              </p>
            </div>
          )
        }
      </Loaded>
    </Fold>
  )
}
