import { type PolicyVersion, withdrawPolicyEntry } from '@countersign/contract'
import { type AllowEntry, hashAllowEntry, type PolicyState, withdrawalTypedData } from '@countersign/review'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { requireSigner } from '../../review/sign/sign.ts'
import { signAsAccount } from '../../safe/sign-as-account.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Details, Row, Rows, Section } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { useSigner, Writing } from '../../wallet/signing.ts'
import { LimitMeters } from './limit-meters.tsx'
import type { Place } from './policy-words.ts'
import { entryLine, restrictionLines } from './policy-words.ts'
import { text } from './text.ts'

type State = Extract<PolicyState, { status: 'in-force' }>
type By = { place: Place; account: AddressType | null }

/** The version in force: what it allows and restricts, who approved it, and its hash to compare. */
export function InForce({ place, account, state, version }: By & { state: State; version: PolicyVersion }) {
  const chain = useListedChain(place.chainId)
  const { policy, hash, approvers, required, isProven, isLapsed, lowersCritical } = state
  const restrictions = restrictionLines(policy, chain)
  return (
    <div data-in-force={policy.number}>
      <Section
        title={text('policy.inForce', { number: policy.number })}
        aside={text('policy.approvers', { count: approvers.length, required })}
      >
        <p className="mb-3 text-ink-soft">
          {version.inForceSince && <Time value={version.inForceSince} />} · <Hash hash={hash} />
        </p>
        <p className="max-w-prose text-small text-ink-soft">{text('policy.compare')}</p>
        {!isProven && <Notice tone="warning">{text('policy.unproven')}</Notice>}
        {isLapsed && policy.allowed.length > 0 && <Notice tone="warning">{text('policy.lapsed')}</Notice>}
        {!lowersCritical && policy.allowed.length > 0 && <Notice tone="warning">{text('policy.alone')}</Notice>}
      </Section>
      {policy.amountLimits.length > 0 && <LimitMeters place={place} limits={policy.amountLimits} />}
      <Section title={text('policy.allowed')} aside={text('policy.allowed.aside')}>
        {policy.allowed.length === 0 && <p className="text-ink-soft">{text('policy.allowed.empty')}</p>}
        <Rows label={text('policy.allowed')}>
          {policy.allowed.map((entry) => (
            <Row key={hashAllowEntry(entry)}>
              <Entry entry={entry} place={place} account={account} state={state} />
            </Row>
          ))}
        </Rows>
      </Section>
      <Section title={text('policy.restrictions')} aside={text('policy.restrictions.aside')}>
        {restrictions.length === 0 && <p className="text-ink-soft">{text('policy.restrictions.empty')}</p>}
        <Rows label={text('policy.restrictions')}>
          {restrictions.map(({ key, sentence }) => (
            <Row key={key}>{sentence}</Row>
          ))}
        </Rows>
        {policy.recipients.length > 0 && (
          <Details summary={text('policy.recipients', { count: policy.recipients.length })}>
            <ul className="grid gap-2">
              {policy.recipients.map((recipient) => (
                <li key={recipient}>
                  <Address address={recipient} />
                </li>
              ))}
            </ul>
          </Details>
        )}
      </Section>
    </div>
  )
}

function Entry({ entry, place, account, state }: By & { entry: AllowEntry; state: State }) {
  const isWithdrawn = state.withdrawn.includes(entry)
  const holds = state.allowed.includes(entry)
  return (
    <div data-entry={entry.address} className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{entryLine(entry)}</span>
        {isWithdrawn && <Tag tone="warning">{text('policy.entry.withdrawn')}</Tag>}
        {!isWithdrawn && !holds && <Tag tone="warning">{text('policy.entry.lapsed')}</Tag>}
      </p>
      <Address address={entry.address} hasAvatar={false} />
      <p className="text-small text-ink-soft">
        {text('policy.entry.code')} <Hash hash={entry.codeHash} />
      </p>
      {entry.implementation && entry.implementationCodeHash && (
        <p className="text-small text-ink-soft">
          {text('policy.entry.implementation')} <Address address={entry.implementation} hasAvatar={false} />{' '}
          <Hash hash={entry.implementationCodeHash} />
        </p>
      )}
      {account && !isWithdrawn && <Withdraw entry={entry} place={place} policyHash={state.hash} />}
    </div>
  )
}

function Withdraw({ entry, place, policyHash }: { entry: AllowEntry; place: Place; policyHash: State['hash'] }) {
  const signer = useSigner()
  const withdrawal = useTeamChange(place, async () => {
    const given = { ...place, policyHash, entryHash: hashAllowEntry(entry) }
    const signature = await signAsAccount(requireSigner(signer), withdrawalTypedData(given))
    return api(withdrawPolicyEntry, { ...given, signature })
  })
  return (
    <Writing>
      <SureButton
        label={text('policy.withdraw')}
        name={text('policy.withdraw.of', { name: entry.name })}
        sentence={text('policy.withdraw.sure')}
        yes={text('policy.withdraw.yes')}
        no={text('policy.cancel')}
        busy={withdrawal.isPending ? text('policy.signing') : undefined}
        error={withdrawal.error}
        onSure={() => withdrawal.mutate(undefined)}
      />
    </Writing>
  )
}
