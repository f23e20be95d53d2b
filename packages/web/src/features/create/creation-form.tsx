import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useChains } from '../../api/configuration.ts'
import { Fold } from '../../ui/fold.tsx'
import { Field, SelectField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import {
  type CreationTyped,
  chosenRelease,
  type PlannedSafe,
  planSafe,
  readTyped,
  releaseKey,
  sharedReleases,
} from './creation-draft.ts'
import { OwnerRows } from './owner-rows.tsx'
import { releasesQuery } from './queries.ts'
import { text } from './text.ts'

/** Name, chains, owners, threshold, release and salt of a new Safe. Nothing is sent from here. */
export function CreationForm({
  typed,
  onChange,
  onReview,
}: {
  typed: CreationTyped
  onChange: (typed: CreationTyped) => void
  onReview: (planned: PlannedSafe) => void
}) {
  const [isAsked, setIsAsked] = useState(false)
  const set = (part: Partial<CreationTyped>) => onChange({ ...typed, ...part })
  const read = readTyped(typed)
  const perChain = useQueries({ queries: typed.chainIds.map((chainId) => releasesQuery(chainId)) })
  const failed = perChain.find(({ error }) => error !== null)
  const isReading = perChain.some(({ isPending }) => isPending)
  const releases = isReading || failed ? [] : sharedReleases(perChain.map(({ data }) => data ?? []))
  const release = chosenRelease(typed, releases)
  const threshold = Math.min(typed.threshold, typed.owners.length)
  const submit = () => {
    setIsAsked(true)
    const planned = planSafe({ ...typed, threshold }, release)
    if (planned) onReview(planned)
  }
  const errorOf = (reading: object) => (isAsked && 'error' in reading ? String(reading.error) : undefined)
  return (
    <Form
      submit={text('create.review')}
      busy={text('create.release.loading')}
      state={{ onSubmit: submit, isSending: isReading && typed.chainIds.length > 0 }}
    >
      <Field
        label={text('create.name')}
        hint={text('create.name.hint')}
        value={typed.name}
        maxLength={60}
        autoComplete="off"
        onChange={({ target }) => set({ name: target.value })}
      />
      <Chains typed={typed} error={errorOf(read.chainIds)} onChange={(chainIds) => set({ chainIds })} />
      <OwnerRows
        owners={typed.owners}
        errors={read.owners.map(errorOf)}
        onChange={(owners) => set({ owners, threshold: Math.min(threshold, owners.length) })}
      />
      <SelectField
        label={text('create.threshold')}
        value={threshold}
        onChange={({ target }) => set({ threshold: Number(target.value) })}
      >
        {typed.owners.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number is the choice
          <option key={index} value={index + 1}>
            {text('create.threshold.value', { threshold: index + 1, owners: typed.owners.length })}
          </option>
        ))}
      </SelectField>
      <Fold title={text('create.more')} isOpen={errorOf(read.salt) !== undefined}>
        <div className="grid gap-4">
          {releases.length > 0 && (
            <SelectField
              label={text('create.release')}
              value={release ? releaseKey(release) : ''}
              onChange={({ target }) => set({ release: target.value })}
            >
              {releases.map((one) => (
                <option key={releaseKey(one)} value={releaseKey(one)}>
                  {text(one.place === 'canonical' ? 'create.release.value' : 'create.release.place', {
                    version: one.version,
                    place: one.place,
                  })}
                </option>
              ))}
            </SelectField>
          )}
          <Field
            label={text('create.salt')}
            hint={text('create.salt.hint')}
            value={typed.salt}
            error={errorOf(read.salt)}
            isFigures
            inputMode="numeric"
            autoComplete="off"
            onChange={({ target }) => set({ salt: target.value })}
          />
        </div>
      </Fold>
      {failed?.error && <QueryProblem error={failed.error} onRetry={() => void failed.refetch()} />}
      {!isReading && !failed && !release && <Notice tone="warning">{text('create.release.none')}</Notice>}
    </Form>
  )
}

function Chains({
  typed,
  error,
  onChange,
}: {
  typed: CreationTyped
  error: string | undefined
  onChange: (chainIds: number[]) => void
}) {
  const chains = useChains()
  const toggle = (chainId: number, isChosen: boolean) =>
    onChange(
      chains.map((chain) => chain.chainId).filter((id) => (id === chainId ? isChosen : typed.chainIds.includes(id))),
    )
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{text('create.chains')}</legend>
      {chains.length > 1 && <p className="text-small text-ink-soft">{text('create.chains.hint')}</p>}
      {chains.map(({ chainId, name }) => (
        <label key={chainId} className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            aria-invalid={error ? true : undefined}
            checked={typed.chainIds.includes(chainId)}
            onChange={({ target }) => toggle(chainId, target.checked)}
          />
          <span className="min-w-0 wrap-anywhere">{name}</span>
        </label>
      ))}
      {error && <p className="text-small text-danger">{error}</p>}
    </fieldset>
  )
}
