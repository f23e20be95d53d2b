import { proposePolicy } from '@countersign/contract'
import { nextPolicy, parsePolicy, policyTypedData, type TeamPolicy, writePolicy } from '@countersign/review'
import { useState } from 'react'
import { type Address, type Hex, zeroAddress } from 'viem'
import { api } from '../../api/client.ts'
import { requireSigner } from '../../review/sign/sign.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import { signAsAccount } from '../../safe/sign-as-account.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { Button } from '../../ui/button.tsx'
import { CheckList } from '../../ui/check-list.tsx'
import { Field, TextField } from '../../ui/form/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Details, Row, Rows, Section } from '../../ui/section.tsx'
import { useSigner, Writing } from '../../wallet/signing.ts'
import { AddEntry } from './add-entry.tsx'
import { AddLimit } from './add-limit.tsx'
import type { Place } from './policy-words.ts'
import { differencesOf, entryLine, restrictionLines } from './policy-words.ts'
import { text } from './text.ts'

const flags = ['noDelegatecall', 'recipientsOnly'] as const

/** The form for the next version: it starts as the one in force, and shows what would change. */
export function ProposePolicy({
  place,
  owners,
  previous,
}: {
  place: Place
  owners: readonly Address[]
  account: Address
  previous: { policy: TeamPolicy; hash: Hex } | null
}) {
  const chain = useListedChain(place.chainId)
  const signer = useSigner()
  const names = useTeamNames(place.chainId, place.safeAddress)
  const [draft, setDraft] = useState(() => nextPolicy(place, previous))
  const [recipients, setRecipients] = useState(() => draft.recipients.join('\n'))
  const change = (part: Partial<TeamPolicy>) => setDraft((before) => ({ ...before, ...part }))
  const policy = { ...draft, recipients: recipients.split(/\s+/).filter((line) => line !== '') as Address[] }
  const changes = differencesOf(policy, previous?.policy ?? null, chain)
  const proposal = useTeamChange(place, async () => {
    const written = writePolicy(policy)
    const signature = await signAsAccount(requireSigner(signer), policyTypedData(parsePolicy(written)))
    return api(proposePolicy, { ...place, policy: written, signature })
  })
  const named = names
    .filter(({ author }) => owners.includes(author))
    .map(({ address }) => address)
    .filter((address) => address !== zeroAddress)
  return (
    <Section title={text('policy.next', { number: draft.number })}>
      <p className="mb-4 max-w-prose text-ink-soft">{text('policy.next.what')}</p>
      <Writing>
        <div className="grid max-w-xl gap-5" data-policy-form>
          <CheckList
            legend={text('policy.form.rules')}
            options={flags.map((value) => ({
              value,
              label: text(`policy.form.${value}`),
              what: text(`policy.form.${value}.what`),
            }))}
            value={flags.filter((flag) => draft[flag])}
            onChange={(chosen) =>
              change({
                noDelegatecall: chosen.includes('noDelegatecall'),
                recipientsOnly: chosen.includes('recipientsOnly'),
              })
            }
            error={undefined}
          />
          {draft.recipientsOnly && (
            <>
              <TextField
                label={text('policy.form.recipients')}
                hint={text('policy.form.recipients.hint')}
                rows={5}
                isFigures
                value={recipients}
                onChange={({ target }) => setRecipients(target.value)}
              />
              {named.length > 0 && (
                <div>
                  <Button
                    isCompact
                    onClick={() => setRecipients([...new Set([...policy.recipients, ...named])].join('\n'))}
                  >
                    {text('policy.form.recipients.named', { count: new Set(named).size })}
                  </Button>
                </div>
              )}
            </>
          )}
          <Details summary={text('policy.form.limits')}>
            <AddLimit chain={chain} owners={owners} draft={draft} onChange={change} />
          </Details>
          <Details summary={text('policy.form.entries')}>
            <AddEntry place={place} onEntry={(entry) => change({ allowed: [...draft.allowed, entry] })} />
          </Details>
          <Draft draft={draft} chain={chain} onChange={change} />
          <Field
            label={text('policy.form.reason')}
            maxLength={280}
            value={draft.reason}
            onChange={({ target }) => change({ reason: target.value })}
          />
          <p className="text-small text-ink-soft">{text('policy.form.changes', { count: changes.length })}</p>
          {proposal.error && <Problem error={proposal.error} />}
          <div>
            <Button
              variant="primary"
              disabled={changes.length === 0}
              busy={proposal.isPending ? text('policy.signing') : undefined}
              onClick={() => proposal.mutate(undefined)}
            >
              {text('policy.propose', { number: draft.number })}
            </Button>
          </div>
        </div>
      </Writing>
    </Section>
  )
}

/** The lines of the draft, each with a button that takes it out. */
function Draft({
  draft,
  chain,
  onChange,
}: {
  draft: TeamPolicy
  chain: ReturnType<typeof useListedChain>
  onChange: (part: Partial<TeamPolicy>) => void
}) {
  const without = <Item,>(items: readonly Item[], item: Item) => items.filter((other) => other !== item)
  const empty = { ...draft, allowed: [], refundLimits: [], amountLimits: [], reviewers: [] }
  const none = { ...empty, recipientsOnly: false, noDelegatecall: false }
  const sentence = (part: Partial<TeamPolicy>) => restrictionLines({ ...none, ...part }, chain)[0]?.sentence ?? ''
  const lines = [
    ...draft.allowed.map((entry) => ({
      line: entryLine(entry),
      remove: () => onChange({ allowed: without(draft.allowed, entry) }),
    })),
    ...draft.amountLimits.map((limit) => ({
      line: sentence({ amountLimits: [limit] }),
      remove: () => onChange({ amountLimits: without(draft.amountLimits, limit) }),
    })),
    ...draft.reviewers.map((reviewer) => ({
      line: sentence({ reviewers: [reviewer] }),
      remove: () => onChange({ reviewers: without(draft.reviewers, reviewer) }),
    })),
    ...draft.refundLimits.map((limit) => ({
      line: sentence({ refundLimits: [limit] }),
      remove: () => onChange({ refundLimits: without(draft.refundLimits, limit) }),
    })),
  ]
  if (lines.length === 0) return null
  return (
    <Rows label={text('policy.form.lines')}>
      {lines.map(({ line, remove }) => (
        <Row key={line}>
          <span className="flex flex-wrap items-start justify-between gap-2">
            <span className="min-w-0 wrap-anywhere">{line}</span>
            <Button isCompact aria-label={text('policy.form.remove.of', { line })} onClick={remove}>
              {text('policy.form.remove')}
            </Button>
          </span>
        </Row>
      ))}
    </Rows>
  )
}
