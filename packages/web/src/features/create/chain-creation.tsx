import type { Chain } from '@countersign/contract'
import type { CreationReview, Facts } from '@countersign/review'
import { type CreationCall, describeUndeployedSafe } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId } from 'react'
import type { Address as AddressType } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { serverNow } from '../../device/server-time.ts'
import { Acknowledge } from '../../review/acknowledge/acknowledge.tsx'
import { useAcknowledgements } from '../../review/acknowledge/use-acknowledgements.ts'
import { hasButton, isRefused, offerPropose } from '../../review/sign/offer.ts'
import { OfferedButton } from '../../review/sign/offered-button.tsx'
import { useCreationReview } from '../../review/use-creation-review.ts'
import { ReviewChecks } from '../../review/view/review-checks.tsx'
import { MinorFindings, ReviewFindings } from '../../review/view/review-findings.tsx'
import { CheckingBand, VerdictBand } from '../../review/view/verdict-band.tsx'
import { currencyOf, namesOf } from '../../safe/names/names.ts'
import { TransactionHash } from '../../safe/transaction-hash.tsx'
import { Address } from '../../ui/address.tsx'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Fact, Facts as FactList } from '../../ui/facts.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem, QueryProblem, useFreshError } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { CreationContracts } from './creation-contracts.tsx'
import { namesToSave, type PlannedSafe } from './creation-draft.ts'
import { costQuery } from './queries.ts'
import { text } from './text.ts'
import { UnsavedNames } from './unsaved-names.tsx'
import { useCreateSafe } from './use-create-safe.ts'

/** The creation on one chain: review, cost, button, and how far it is. */
export function ChainCreation({
  planned,
  chainId,
  account,
  isKept = false,
  onUnderWay,
  onSaved,
}: {
  planned: PlannedSafe
  chainId: number
  account: AddressType | null
  /** Whether its creation is kept already, and its names are in its address book. */
  isKept?: boolean
  /** Called once it is sent, or created with names to save. */
  onUnderWay?: () => void
  /** Called once the Safe and its names are saved. */
  onSaved?: () => void
}) {
  const chain = useChain(chainId)
  const names = isKept ? [] : namesToSave(planned)
  const create = useCreateSafe(planned, chainId, { account, names })
  const { progress } = create
  const isCreated = progress === 'created'
  const isSent = create.sent !== null
  const isSaved = create.saving.isDone
  const tell = useEffectEvent(() => (isSaved ? onSaved?.() : onUnderWay?.()))
  useEffect(() => {
    if (isSaved || isSent || isCreated) tell()
  }, [isSaved, isSent, isCreated])
  const isUnderWay = progress === 'waiting'
  return (
    <Section title={chain?.name ?? String(chainId)}>
      <div className="max-w-3xl" data-creation={progress}>
        {isCreated ? (
          <CreatedSafe planned={planned} chainId={chainId} create={create} />
        ) : (
          <>
            {create.sent && <Progress chainId={chainId} progress={progress} hash={create.sent.transactionHash} />}
            {!isUnderWay && (
              <Creation planned={planned} chainId={chainId} account={account} create={create} isKept={isKept} />
            )}
          </>
        )}
      </div>
    </Section>
  )
}

type Creating = ReturnType<typeof useCreateSafe>

function Creation({
  planned,
  chainId,
  account,
  create,
  isKept,
}: {
  planned: PlannedSafe
  chainId: number
  account: AddressType | null
  create: Creating
  isKept: boolean
}) {
  const chain = useChain(chainId)
  const accountState = useAccountState()
  const { safeAddress, factory, data, owners, names: named } = planned
  const request = {
    subject: { kind: 'creation', chainId, safeAddress, factory, data } as const,
    account,
    named: named.map(({ address }) => address),
  }
  const { review, error, facts, isOutdated, retry } = useCreationReview(request)
  const acknowledging = useAcknowledgements(review, account)
  const acknowledgements = acknowledging.given
  const offer = offerPropose({ review, isOutdated, accountState, acknowledgements })
  const sendError = useFreshError(create.send.isPending ? null : create.send.error, JSON.stringify(offer))
  if (error) return <QueryProblem error={error} onRetry={retry} />
  if (!review) return <CheckingBand label={text('create.checking')} />
  const updatedAt = new Date(serverNow()).toISOString()
  const names = namesOf(
    safeAddress,
    { owners: [...owners] },
    account,
    chain,
    account === null ? [] : named.map((entry) => ({ ...entry, author: account, signature: null, updatedAt })),
  )
  const title = text('create.effect', { threshold: planned.threshold, owners: owners.length, chain: chain?.name ?? '' })
  return (
    <>
      <VerdictBand
        review={review}
        blockNumber={null}
        says={(verdict) => text(`create.verdict.${verdict}`)}
        advice={text('create.verdict.advice')}
      />
      <ReviewFindings review={review} names={names} />
      <ReviewEvidence chain={chain} review={review} facts={facts}>
        <MinorFindings review={review} names={names} />
      </ReviewEvidence>
      <div className="mt-4 grid gap-3" data-confirm={offer.kind}>
        <Cost planned={planned} chainId={chainId} account={account} />
        {sendError && <Problem error={sendError} />}
        {isRefused(review) || !hasButton(offer) ? null : (
          <>
            <Acknowledge acknowledging={acknowledging} names={names} chainId={chainId} onRetry={retry} />
            <OfferedButton
              effect={title}
              offer={offer}
              explanation={text('create.explanation', { account: account ?? '' })}
              label={text('create.button')}
              busy={create.send.isPending ? text(`create.busy.${create.step}`) : undefined}
              onAct={() => create.send.mutate({ request, shown: { hash: review.hash, acknowledgements } })}
            />
            {!isKept && (
              <ActivateLater
                planned={planned}
                chainId={chainId}
                create={create}
                isOffered={offer.kind === 'offered'}
                onKeep={() => create.keep.mutate({ request, shown: { hash: review.hash, acknowledgements } })}
              />
            )}
          </>
        )}
      </div>
    </>
  )
}

/** Keeps the creation instead of sending it, where the Safe can be told from its bytes alone. */
function ActivateLater({
  planned: { safeAddress, factory, data },
  chainId,
  create: { keep, saving },
  isOffered,
  onKeep,
}: {
  planned: PlannedSafe
  chainId: number
  create: Creating
  isOffered: boolean
  onKeep: () => void
}) {
  const navigate = useNavigate()
  const explanationId = useId()
  const { isDone } = saving
  const open = useEffectEvent(
    () => void navigate({ to: '/safes/$chainId/$safeAddress', params: { chainId, safeAddress } }),
  )
  useEffect(() => {
    if (isDone) open()
  }, [isDone])
  if (!canBeKept({ factory, data }, chainId)) return null
  const isBusy = keep.isPending || saving.isPending
  return (
    <div className="grid gap-2 border-t border-rule pt-3" data-activate-later>
      {keep.error ? <Problem error={keep.error} /> : <UnsavedNames saving={saving} />}
      {/* Kept: what is missing are names. */}
      {(!keep.isSuccess || isBusy) && (
        <>
          <div>
            <Button
              isWide
              aria-describedby={explanationId}
              disabled={!isOffered}
              busy={isBusy ? text('create.later.busy') : undefined}
              onClick={onKeep}
            >
              {text('create.later.button')}
            </Button>
          </div>
          <p id={explanationId} className="text-small text-ink-soft">
            {text('create.later.explanation')}
          </p>
        </>
      )}
    </div>
  )
}

function canBeKept(creation: CreationCall, chainId: number): boolean {
  try {
    describeUndeployedSafe(creation, chainId)
    return true
  } catch {
    return false
  }
}

function ReviewEvidence({
  chain,
  review,
  facts,
  children,
}: {
  chain: Chain | undefined
  review: CreationReview
  facts: Facts
  children: React.ReactNode
}) {
  return (
    <div className="mt-4 border-t border-rule-strong">
      <ReviewChecks chain={chain} review={review}>
        {children}
      </ReviewChecks>
      <Fold title={text('create.contracts')}>
        <CreationContracts creation={review.creation} codes={facts.codes} />
      </Fold>
    </div>
  )
}

/** The fee at the gas price of now, and a word where the account cannot pay it. */
function Cost({ planned, chainId, account }: { planned: PlannedSafe; chainId: number; account: AddressType | null }) {
  const { symbol, decimals } = currencyOf(useChain(chainId))
  const { data } = useQuery(costQuery(planned, chainId, account))
  if (!data) return null
  const amount = shortenAmount(data.fee, decimals) ?? formatAmount(data.fee, decimals)
  return (
    <>
      <p data-cost={String(data.fee)}>{text('create.cost', { amount, symbol })}</p>
      {data.held < data.fee && <Notice tone="warning">{text('create.cost.short', { account: account ?? '' })}</Notice>}
    </>
  )
}

function Progress({
  chainId,
  progress,
  hash,
}: {
  chainId: number
  progress: Creating['progress']
  hash: `0x${string}`
}) {
  return (
    <div className="mb-4">
      {progress === 'waiting' || progress === 'none' || progress === 'created' ? (
        <Loading label={text('create.waiting')} />
      ) : (
        <Notice tone="warning" isAnnounced>
          {text(`create.${progress}`)}
        </Notice>
      )}
      <FactList>
        <Fact label={text('create.transactionHash')}>
          <TransactionHash chainId={chainId} transactionHash={hash} />
        </Fact>
      </FactList>
    </div>
  )
}

function CreatedSafe({
  planned: { safeAddress },
  chainId,
  create: { saving },
}: {
  planned: PlannedSafe
  chainId: number
  create: Creating
}) {
  if (saving.isPending) return <Loading label={text('create.saving')} />
  return (
    <>
      <Notice
        tone="good"
        isAnnounced
        title={text('create.created')}
        actions={
          <ButtonLink variant="primary" to="/safes/$chainId/$safeAddress" params={{ chainId, safeAddress }}>
            {text('create.open')}
          </ButtonLink>
        }
      >
        <Address address={safeAddress} />
      </Notice>
      <UnsavedNames saving={saving} />
    </>
  )
}
