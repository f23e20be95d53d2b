import { addDelegate, addDelegateOfAll } from '@countersign/contract'
import type { SafeState } from '@countersign/safe'
import { parseServiceDelegates, type ServiceDelegate } from '@countersign/safe/service'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { serverNow } from '../../device/server-time.ts'
import { delegatesQuery } from '../../safe/delegates.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem, QueryProblem } from '../../ui/problem.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { ServiceAnswer } from './service-answer.tsx'
import { text } from './text.ts'

type Found = ReturnType<typeof parseServiceDelegates>

/** Brings the accounts that may propose for the signed-in owner. What other owners said, they say here by themselves. */
export function ImportDelegates({ state, account }: { state: SafeState; account: AddressType }) {
  const { chainId, address: safeAddress } = state
  const place = { chainId, safeAddress }
  const [found, setFound] = useState<Found | null>(null)
  const [done, setDone] = useState(0)
  const here = useQuery(delegatesQuery(chainId, safeAddress))
  const isOver = ({ expiryDate }: ServiceDelegate) => expiryDate !== null && Date.parse(expiryDate) <= serverNow()
  const isHere = (one: ServiceDelegate) =>
    here.data?.delegates.some(
      (known) =>
        known.delegate === one.delegate && known.delegator === one.delegator && known.safeAddress === one.safeAddress,
    )
  const valid = found?.delegates.filter((one) => !isOver(one)) ?? []
  const mine = valid.filter(({ delegator }) => delegator === account)
  const missing = mine.filter((one) => !isHere(one))
  const ofOthers = valid.filter(({ delegator }) => delegator !== account)
  const importing = useTeamChange(place, async (delegates: readonly ServiceDelegate[]) => {
    for (const [at, { safeAddress: of, delegate, label, expiryDate: until }] of delegates.entries()) {
      setDone(at)
      const expiryDate = until && new Date(until).toISOString()
      await (of === null
        ? api(addDelegateOfAll, { chainId, delegate, label, expiryDate })
        : api(addDelegate, { ...place, delegate, label, expiryDate }))
    }
    return delegates.length
  })
  return (
    <Fold title={text('import.delegates')}>
      <div className="grid max-w-2xl grid-cols-1 gap-4" data-bring-delegates>
        <p className="max-w-prose text-ink-soft">{text('import.delegates.what')}</p>
        <ServiceAnswer
          place={place}
          of={'delegates' as const}
          read={(json, lookout) => parseServiceDelegates(json, safeAddress, lookout)}
          beyond={found?.beyond ?? 0}
          onRead={(read) => {
            importing.reset()
            setFound(read)
          }}
          isDisabled={importing.isPending}
        />
        {found && (
          <p role="status">
            {text('import.delegates.found', { count: missing.length, known: mine.length - missing.length })}{' '}
            {found.unusable > 0 && text('import.names.unusable', { count: found.unusable })}
          </p>
        )}
        {missing.length > 0 && (
          <Rows label={text('import.delegates')}>
            {missing.map((one) => (
              <Row key={`${one.safeAddress} ${one.delegate}`}>
                <Address address={one.delegate} name={showUntrusted(one.label, 50)} />
                <p className="text-small text-ink-soft">
                  {text(one.safeAddress === null ? 'import.delegates.ofAll' : 'import.delegates.ofThis')}
                </p>
              </Row>
            ))}
          </Rows>
        )}
        <div>
          <Button
            variant="primary"
            disabled={missing.length === 0 || !here.data}
            onClick={() => importing.mutate(missing)}
            busy={importing.isPending ? text('import.busy', { done, count: missing.length }) : undefined}
          >
            {text('import.delegates.submit')}
          </Button>
        </div>
        {!here.data && here.error && <QueryProblem error={here.error} onRetry={() => void here.refetch()} />}
        {importing.error && <Problem error={importing.error} />}
        {importing.isSuccess && (
          <Notice tone="good" isAnnounced>
            {text('import.delegates.done', { count: importing.data })}
          </Notice>
        )}
        {ofOthers.length > 0 && (
          <p className="text-ink-soft">{text('import.delegates.others', { count: ofOthers.length })}</p>
        )}
      </div>
    </Fold>
  )
}
