import type { SafeState } from '@countersign/safe'
import type { Address } from 'viem'
import { type OtherService, useOtherService } from '../../safe/other-service.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { useWholeQueue } from '../../safe/use-whole-queue.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { text } from './text.ts'

/** Says what waits for the Safe at another service and not here, where the operator names one. */
export function OnlyInService({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const state = useSafeState(chainId, safeAddress).data
  return state ? <ServiceQueue state={state} /> : null
}

function ServiceQueue({ state }: { state: SafeState }) {
  const service = useOtherService(state)
  if (!service) return null
  if (service.hasFailed)
    return <p className="mb-4 text-ink-soft">{text('import.onlyThere.unknown', { host: service.host })}</p>
  return (
    <>
      {service.waiting && service.waiting.length > 0 && <MissingProposals state={state} service={service} />}
      {service.beyond > 0 && (
        <p className="mb-4 text-warning">
          {text('import.onlyThere.beyond', { count: service.beyond, host: service.host })}
        </p>
      )}
    </>
  )
}

function MissingProposals({
  state: { chainId, address: safeAddress },
  service,
}: {
  state: SafeState
  service: OtherService
}) {
  const queue = useWholeQueue(chainId, safeAddress)
  if (!queue.data || queue.hasNextPage) return null
  const known = new Set(queue.data.pages.flatMap(({ transactions }) => transactions.map((found) => found.safeTxHash)))
  const count = service.waiting?.filter(({ safeTxHash }) => !known.has(safeTxHash)).length
  if (!count) return null
  return (
    <div className="mb-6" data-only-there={count}>
      <Notice
        tone="warning"
        title={text('import.onlyThere', { count, host: service.host })}
        actions={
          <ButtonLink to="/safes/$chainId/$safeAddress/settings" params={{ chainId, safeAddress }}>
            {text('import.onlyThere.go')}
          </ButtonLink>
        }
      >
        {text('import.onlyThere.sentence')}
      </Notice>
    </div>
  )
}
