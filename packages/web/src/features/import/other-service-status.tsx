import { type MultisigTransaction, type SentSignature, sendToOtherService } from '@countersign/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Address as AddressType, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { isBeingAsked, type OtherService, useOtherService } from '../../safe/other-service.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Writing } from '../../wallet/signing.ts'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: AddressType; safeTxHash: Hex }

/** Says how far another service that the operator names has a proposal, and lets an owner send there what it lacks. */
export function OtherServiceStatus(place: Place) {
  const { chainId, safeAddress, safeTxHash } = place
  const state = useSafeState(chainId, safeAddress).data
  const service = useOtherService(state)
  const transaction = useQuery({ ...transactionQuery(chainId, safeTxHash), enabled: service !== null }).data
    ?.transaction
  if (!service || !state || isBeingAsked(service) || !transaction?.safeTx || transaction.isExecuted) return null
  if (transaction.safeTx.nonce < state.nonce) return null
  return <ServiceComparison place={place} service={service} transaction={transaction} />
}

function ServiceComparison({
  place,
  service,
  transaction,
}: {
  place: Place
  service: OtherService
  transaction: MultisigTransaction
}) {
  const { chainId, safeAddress, safeTxHash } = place
  const { host } = service
  const names = useNames(chainId, safeAddress)
  const isOwner = useRole(chainId, safeAddress) === 'owner'
  const queryClient = useQueryClient()
  const sending = useMutation({
    mutationFn: () => api(sendToOtherService, { chainId, safeTxHash }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['other-service', chainId, safeAddress] }),
  })
  const signed = transaction.confirmations.filter(({ signatureType }) => signatureType !== 'APPROVED_HASH')
  const presence = presenceAt(service, transaction.safeTxHash, signed)
  return (
    <Section title={text('import.there', { host })}>
      <div
        className="grid gap-3"
        data-also-there={presence.kind === 'there' ? presence.missing : presence.kind === 'not' ? 'not' : 'unknown'}
      >
        <p className="max-w-prose">{presenceText(presence, host)}</p>
        {signed.length === 0 && <p className="text-ink-soft">{text('import.there.unsigned', { host })}</p>}
        {isOwner && signed.length > 0 && !isComplete(presence) && (
          <Writing>
            <div>
              <Button
                onClick={() => sending.mutate()}
                busy={sending.isPending ? text('import.there.sending', { host }) : undefined}
              >
                {text('import.there.send', { host })}
              </Button>
            </div>
          </Writing>
        )}
        {sending.error && <Problem error={sending.error} />}
        {sending.data && <Answers names={names} {...sending.data} />}
      </div>
    </Section>
  )
}

/** Whether another service has a proposal, and how many signatures it lacks. `beyond`: it has more than were read. */
type Presence = { kind: 'unknown' | 'beyond' | 'not' } | { kind: 'there'; missing: number }

function presenceAt(
  { hasFailed, beyond, waiting }: OtherService,
  safeTxHash: Hex,
  signed: MultisigTransaction['confirmations'],
): Presence {
  const there = waiting?.find((proposal) => proposal.safeTxHash === safeTxHash)
  if (there) {
    const missing = signed.filter(({ owner }) => !there.signatures.some((signature) => signature.owner === owner))
    return { kind: 'there', missing: missing.length }
  }
  if (hasFailed) return { kind: 'unknown' }
  return { kind: beyond > 0 ? 'beyond' : 'not' }
}

function isComplete(presence: Presence): boolean {
  return presence.kind === 'there' && presence.missing === 0
}

function presenceText(presence: Presence, host: string): string {
  if (presence.kind !== 'there') return text(`import.there.${presence.kind}`, { host })
  const { missing } = presence
  return missing === 0 ? text('import.there.all', { host }) : text('import.there.lacks', { host, count: missing })
}

function Answers({
  host,
  names,
  signatures,
  unsent,
}: {
  host: string
  names: Names
  signatures: readonly SentSignature[]
  unsent: number
}) {
  const isDone = unsent === 0 && signatures.every(({ outcome }) => outcome === 'taken' || outcome === 'there')
  return (
    <Notice
      tone={isDone ? 'good' : 'warning'}
      isAnnounced
      title={isDone ? text('import.there.done', { host }) : text('import.there.part', { host })}
    >
      <Rows label={text('import.there', { host })}>
        {signatures.map(({ owner, outcome, status, words }) => (
          <Row key={owner}>
            <div className="grid gap-1" data-outcome={outcome}>
              <Address address={owner} name={nameOf(owner, names)} />
              <p>{text(`import.there.outcome.${outcome}`, { host })}</p>
              {outcome !== 'taken' && status !== null && (
                <p className="text-ink-soft wrap-anywhere">
                  {text('import.there.answer', { status, words: showUntrusted(words ?? '', 300) })}
                </p>
              )}
            </div>
          </Row>
        ))}
      </Rows>
      {unsent > 0 && <p className="mt-2">{text('import.there.unsent', { count: unsent })}</p>}
    </Notice>
  )
}
