import type { MultisigTransaction } from '@countersign/contract'
import type { SafeState, SafeTx } from '@countersign/safe'
import { composeSafeTx } from '@countersign/safe/compose'
import type { ComponentProps, ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { isBeingAsked, nextNonceOver, useOtherService } from '../../../safe/other-service.ts'
import { proposalsOf } from '../../../safe/proposals.ts'
import { failureWords } from '../../../safe/words/failure-words.ts'
import { formatNumber } from '../../../text/locale.ts'
import { Button } from '../../../ui/button.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { NotLoaded, Problem } from '../../../ui/problem.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Row, Rows, Section } from '../../../ui/section.tsx'
import { SureButton } from '../../../ui/sure-button.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useLibrary } from '../form-facts.ts'
import { text } from '../text.ts'
import { type BatchStanding, sameInQueue } from './batch-standing.ts'
import type { FailingBatch } from './measured-gas.ts'
import { openKeptList } from './open-list.ts'
import { type KeptBatch, type KeptPayout, splitSoFar, withSent } from './saved-payout.ts'
import { type ChangePayout, useSplit, useStandings } from './use-payout.ts'

type ProgressProps = {
  kept: KeptPayout
  change: ChangePayout
  safe: SafeState
  account: Address
  transactions: readonly MultisigTransaction[]
  /** `from` is the first payment of the transaction. */
  onReview: (safeTx: SafeTx, origin: string, from: number) => void
  onHide: () => void
}

/** A payout under way: its transactions, how each stands, and the next one to sign. Nothing is signed before all are measured. */
export function PayoutProgress({ kept, change, safe, account, transactions, onReview, onHide }: ProgressProps) {
  const library = useLibrary('multi-send-call-only', safe)
  const multiSend = library.address
  const split = useSplit({ kept, safe, multiSend, executor: account }, change)
  const standings = useStandings(kept, transactions, safe)
  const elsewhere = useOtherService(safe)
  const place = { chainId: safe.chainId, safeAddress: safe.address }
  const isDone = (standing: BatchStanding | undefined) => standing?.kind === 'proposed' || standing?.kind === 'executed'
  const done = standings.filter(isDone).length
  const next = split.isWhole ? standings.findIndex((standing) => !isDone(standing)) : -1
  const review = async (batch: KeptBatch, index: number, standing: BatchStanding) => {
    const { ask } = await openKeptList(kept, safe.address)
    const { calls } = await ask({ kind: 'calls', from: batch.from, count: batch.count })
    const nonce =
      standing.kind === 'lost' ? standing.nonce : nextNonceOver(proposalsOf(transactions), elsewhere, safe.nonce)
    const safeTx = composeSafeTx(calls, { nonce, multiSend: multiSend ?? null })
    if (safeTx === null) return
    const there = sameInQueue(safeTx, transactions)
    if (there) await change((now) => withSent(now, batch.from, there))
    else onReview(safeTx, text('payout.origin', { number: index + 1, count: kept.batches.length }), batch.from)
  }
  return (
    <Section title={text('payout.title', { count: kept.count })}>
      <div className="grid gap-4">
        {split.isWhole ? (
          <>
            <p>{text('payout.progress', { done, count: kept.batches.length })}</p>
            <Progress
              label={text('payout.progress', { done, count: kept.batches.length })}
              percent={(100 * done) / kept.batches.length}
            />
          </>
        ) : split.failing ? (
          <FailingPayment failing={split.failing} />
        ) : split.error ? (
          // The banner asks again for what the page reads, not for this.
          <div data-payout="interrupted">
            <Problem error={split.error} onRetry={split.retry} />
          </div>
        ) : library.isUnread ? (
          <div data-payout="interrupted">
            {library.error ? <Problem error={library.error} onRetry={library.retry} /> : <NotLoaded />}
          </div>
        ) : (
          <Measuring kept={kept} />
        )}
        <Rows label={text('payout.transactions')}>
          {kept.batches.map((batch, index) => {
            const standing = standings[index] ?? { kind: 'open' }
            return (
              <Row key={batch.from}>
                <BatchLine {...place} batch={batch} standing={standing}>
                  {index === next && standing.kind !== 'asking' && (
                    <Button
                      isCompact
                      busy={isBeingAsked(elsewhere) ? text('queue.loading') : undefined}
                      onClick={() => void review(batch, index, standing)}
                    >
                      {text('payout.sign')}
                    </Button>
                  )}
                </BatchLine>
              </Row>
            )
          })}
        </Rows>
        <div className="flex flex-wrap gap-2">
          <Button isCompact onClick={onHide}>
            {text('payout.aside')}
          </Button>
          <SureButton
            label={text('payout.discard')}
            name={text('payout.discard')}
            sentence={text('payout.discard.sentence')}
            yes={text('payout.discard')}
            no={text('payout.keep')}
            busy={undefined}
            error={null}
            onSure={() => void change(() => null)}
          />
        </div>
      </div>
    </Section>
  )
}

function Measuring({ kept }: { kept: KeptPayout }) {
  const done = splitSoFar(kept)
  return (
    <div className="grid gap-2" role="status">
      <p>{text('payout.measuring', { done, count: kept.count })}</p>
      <Progress label={text('payout.measuring', { done, count: kept.count })} percent={(100 * done) / kept.count} />
    </div>
  )
}

/** One payment that would fail holds up all: nothing was signed yet. */
function FailingPayment({ failing: { line, failure } }: { failing: FailingBatch }) {
  const reason = failure ? failureWords(failure) : text('compose.noLibrary')
  return (
    <Notice tone="danger" isAnnounced hint={text('payout.failing.remedy')}>
      {line === null ? text('payout.failing', { reason }) : text('compose.list.fault', { line, sentence: reason })}
    </Notice>
  )
}

function BatchLine({
  chainId,
  safeAddress,
  batch: { from, count, gas },
  standing,
  children,
}: {
  chainId: number
  safeAddress: Address
  batch: KeptBatch
  standing: BatchStanding
  children: ReactNode
}) {
  const hash: Hex | null = 'hash' in standing ? standing.hash : null
  return (
    <div data-batch={standing.kind} className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div>
          <p className="tabular-nums">{text('payout.batch', { from: from + 1, to: from + count })}</p>
          <p className="text-small text-ink-soft tabular-nums">
            {gas === null ? text('payout.unmeasured') : text('payout.gas', { gas: formatNumber(Number(gas)) })}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Tag tone={tones[standing.kind]}>{text(`payout.standing.${standing.kind}`)}</Tag>
          {hash && (
            <ButtonLink
              to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
              params={{ chainId, safeAddress, safeTxHash: hash }}
            >
              {text('compose.sent.open')}
            </ButtonLink>
          )}
          {children}
        </div>
      </div>
      {standing.kind === 'replaced' && <p className="text-small text-warning">{text('payout.replaced')}</p>}
      {standing.kind === 'lost' && <p className="text-small text-warning">{text('payout.lost')}</p>}
    </div>
  )
}

const tones: Record<BatchStanding['kind'], NonNullable<ComponentProps<typeof Tag>['tone']>> = {
  asking: 'neutral',
  open: 'neutral',
  proposed: 'neutral',
  executed: 'good',
  failed: 'danger',
  replaced: 'warning',
  lost: 'warning',
}
