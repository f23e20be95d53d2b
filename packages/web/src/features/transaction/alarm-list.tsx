import { type Alarm, acknowledgeAlarm, listAlarms } from '@countersign/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { text } from '../../safe/text.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { isShared, Problem } from '../../ui/problem.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Writing } from '../../wallet/signing.ts'

type Place = { chainId: number; safeAddress: AddressType }

/** Alarms that nobody has acknowledged yet. */
export function AlarmList({ chainId, safeAddress }: Place) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.alarms(chainId, safeAddress),
    queryFn: ({ signal }) => api(listAlarms, { chainId, safeAddress }, signal),
    staleTime: 5_000,
  })
  const open = data?.alarms.filter(({ acknowledgedBy }) => acknowledgedBy === null) ?? []
  if (error && !isShared(error))
    return <Problem error={error} title={text('alarm.unread')} onRetry={() => void refetch()} />
  return (
    <div className="grid gap-4 not-empty:mb-8">
      {open.map((alarm) => (
        <AlarmNotice key={alarm.id} alarm={alarm} chainId={chainId} safeAddress={safeAddress} />
      ))}
    </div>
  )
}

function AlarmNotice({ alarm, chainId, safeAddress }: Place & { alarm: Alarm }) {
  const queryClient = useQueryClient()
  const acknowledge = useMutation({
    mutationFn: () => api(acknowledgeAlarm, { chainId, safeAddress, alarmId: alarm.id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.team(chainId, safeAddress) }),
  })
  const { signer, submittedBy, otherSafeTxHash, signedHash } = alarm
  return (
    <div data-alarm={alarm.id}>
      <Notice
        tone="danger"
        isAnnounced
        title={text(otherSafeTxHash ? 'alarm.other.title' : 'alarm.title')}
        hint={text('alarm.hint')}
        actions={
          <>
            {acknowledge.error && <Problem error={acknowledge.error} />}
            <Writing>
              <Button
                onClick={() => acknowledge.mutate()}
                busy={acknowledge.isPending ? text('alarm.acknowledge.busy') : undefined}
              >
                {text('alarm.acknowledge')}
              </Button>
            </Writing>
          </>
        }
      >
        <p>{text(otherSafeTxHash ? 'alarm.other.sentence' : 'alarm.sentence')}</p>
        <Facts>
          {signer && (
            <Fact label={text('alarm.signer')}>
              <Address address={signer} />
            </Fact>
          )}
          {submittedBy && (
            <Fact label={text('alarm.submittedBy')}>
              <Address address={submittedBy} />
            </Fact>
          )}
          <Fact label={text('alarm.signedHash')}>
            <Hash hash={signedHash} />
          </Fact>
          {otherSafeTxHash && (
            <Fact label={text('alarm.otherHash')}>
              <TextLink
                to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
                params={{ chainId, safeAddress, safeTxHash: otherSafeTxHash }}
              >
                <Hash hash={otherSafeTxHash} isCopyable={false} />
              </TextLink>
            </Fact>
          )}
          <Fact label={text('alarm.at')}>
            <Time value={alarm.at} />
          </Fact>
        </Facts>
      </Notice>
    </div>
  )
}
