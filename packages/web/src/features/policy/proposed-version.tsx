import { approvePolicy, discardPolicy } from '@countersign/contract'
import { hashPolicy, policyStanding, policyTypedData, type TeamPolicy } from '@countersign/review'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import type { VerifiedVersion } from '../../evidence/policy/verified-version.ts'
import { requireSigner } from '../../review/sign/sign.ts'
import { signAsAccount } from '../../safe/sign-as-account.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { useListedChain } from '../../safe/worth/listed-tokens.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { SureButton } from '../../ui/sure-button.tsx'
import { useSigner, Writing } from '../../wallet/signing.ts'
import type { Place } from './policy-words.ts'
import { differencesOf } from './policy-words.ts'
import { text } from './text.ts'

/** The version that waits for approvals: what it changes, who approved it, and the buttons of an owner. */
export function ProposedVersion({
  place,
  owners,
  threshold,
  account,
  proposed: { policy, signers, version },
  before,
}: {
  place: Place
  owners: readonly AddressType[]
  threshold: number
  account: AddressType | null
  proposed: VerifiedVersion
  before: TeamPolicy | null
}) {
  const chain = useListedChain(place.chainId)
  const { approvers, required } = policyStanding(policy, { owners, threshold, signers, withdrawnHashes: [] })
  const hash = hashPolicy(policy)
  return (
    <div data-proposed={policy.number}>
      <Section
        title={text('policy.proposed', { number: policy.number })}
        aside={text('policy.approvers', { count: approvers.length, required })}
      >
        {policy.reason !== '' && <p className="mb-2 max-w-prose">“{showUntrusted(policy.reason, 280)}”</p>}
        <p className="mb-3 text-small text-ink-soft">
          <Hash hash={hash} />
        </p>
        <h3 className="font-semibold">{text('policy.changes')}</h3>
        <Rows label={text('policy.changes')}>
          {differencesOf(policy, before, chain).map(({ kind, sentence }) => (
            <Row key={`${kind} ${sentence}`}>
              <span data-difference={kind} className="wrap-anywhere">
                {text('policy.difference', { kind, sentence })}
              </span>
            </Row>
          ))}
        </Rows>
        <h3 className="mt-4 font-semibold">{text('policy.approved.by')}</h3>
        <ul className="my-2 grid gap-2">
          {approvers.map((owner) => (
            <li key={owner}>
              <Address address={owner} />
            </li>
          ))}
        </ul>
        {account && (
          <Writing>
            <Decide
              place={place}
              policy={policy}
              policyHash={version.hash}
              isApprovable={!approvers.includes(account) && version.hash === hash}
            />
          </Writing>
        )}
      </Section>
    </div>
  )
}

function Decide({
  place,
  policy,
  policyHash,
  isApprovable,
}: {
  place: Place
  policy: TeamPolicy
  policyHash: `0x${string}`
  isApprovable: boolean
}) {
  const signer = useSigner()
  const approval = useTeamChange(place, async () => {
    const signature = await signAsAccount(requireSigner(signer), policyTypedData(policy))
    return api(approvePolicy, { ...place, policyHash, signature })
  })
  const removal = useTeamChange(place, () => api(discardPolicy, { ...place, policyHash }))
  return (
    <div className="grid gap-3">
      {approval.error && <Problem error={approval.error} />}
      {isApprovable && (
        <div>
          <Button
            variant="primary"
            busy={approval.isPending ? text('policy.signing') : undefined}
            onClick={() => approval.mutate(undefined)}
          >
            {text('policy.approve', { number: policy.number })}
          </Button>
        </div>
      )}
      <SureButton
        label={text('policy.discard')}
        name={text('policy.discard')}
        sentence={text('policy.discard.sure')}
        yes={text('policy.discard.yes')}
        no={text('policy.cancel')}
        busy={removal.isPending ? text('policy.discard.busy') : undefined}
        error={removal.error}
        onSure={() => removal.mutate(undefined)}
      />
    </div>
  )
}
