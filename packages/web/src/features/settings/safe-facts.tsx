import { limitModules, type SafeState } from '@countersign/safe'
import { useChain } from '../../api/configuration.ts'
import { NamedOwners } from '../../safe/names/named-owners.tsx'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { SpendingLimits } from './spending-limits.tsx'
import { text } from './text.ts'

/** Owners first, then what the Safe is made of. */
export function SafeFacts({
  state,
  onReadAgain,
  isReading,
}: {
  state: SafeState
  onReadAgain: () => void
  isReading: boolean
}) {
  const chain = useChain(state.chainId)
  const count = state.owners.length
  return (
    <>
      <Section title={text('safe.owners')} aside={text('safe.owners.aside', { threshold: state.threshold, count })}>
        <NamedOwners chainId={state.chainId} safeAddress={state.address} owners={state.owners} />
        <OwnerChanges state={state} />
      </Section>
      <Section
        title={text('safe.about')}
        aside={
          <span data-block={state.blockNumber.toString()}>{text('safe.readAt', { block: state.blockNumber })}</span>
        }
      >
        <Facts>
          <Fact label={text('safe.threshold')}>
            <span data-threshold={state.threshold}>
              {text('safe.threshold.value', { threshold: state.threshold, count })}
            </span>
          </Fact>
          <Fact label={text('safe.nonce')} hint={text('safe.nonce.hint')}>
            <span data-safe-nonce={state.nonce.toString()}>{state.nonce.toString()}</span>
          </Fact>
          <Fact label={text('safe.version')} actions={<Changes state={state} kinds={['upgrade']} />}>
            <Version state={state} />
          </Fact>
          <Fact label={text('safe.chain')}>
            {chain ? `${chain.name} (${state.chainId})` : state.chainId}
            {chain?.explorerUrl && (
              <span className="ml-3">
                <ExternalLink href={`${chain.explorerUrl}/address/${state.address}`}>
                  {text('safe.explorer')}
                </ExternalLink>
              </span>
            )}
          </Fact>
          <Fact label={text('safe.singleton')}>
            <Address address={state.singleton} hasAvatar={false} />
            <p className="text-small text-ink-faint">
              {text('code.hash')} <Hash hash={state.singletonCodeHash} />
            </p>
          </Fact>
          <Fact
            label={text('safe.modules')}
            hint={state.modules.length > 0 ? text('safe.modules.hint') : undefined}
            actions={
              <Changes
                state={state}
                kinds={[
                  'enable-module',
                  ...(state.modules.length > 0 ? (['disable-module'] as const) : []),
                  'set-limit',
                ]}
              />
            }
          >
            {state.modules.length === 0
              ? text('safe.modules.none')
              : state.modules.map((module) => <Address key={module} address={module} hasAvatar={false} />)}
          </Fact>
          <Fact label={text('safe.guard')} actions={<Changes state={state} kinds={['set-guard']} />}>
            <AddressOrNone address={state.guard} />
          </Fact>
          <Fact label={text('safe.moduleGuard')}>
            <AddressOrNone address={state.moduleGuard} />
          </Fact>
          <Fact label={text('safe.fallbackHandler')} actions={<Changes state={state} kinds={['set-handler']} />}>
            <AddressOrNone address={state.fallbackHandler} />
          </Fact>
        </Facts>
        <div className="mt-4">
          <Button onClick={onReadAgain} busy={isReading ? text('safe.refreshing') : undefined}>
            {text('safe.refresh')}
          </Button>
        </div>
      </Section>
      {limitModules(state.modules).map((module) => (
        <SpendingLimits key={module} state={state} module={module} />
      ))}
    </>
  )
}

const ownerChanges = ['add-owner', 'swap-owner', 'remove-owner', 'change-threshold'] as const
type Change =
  | (typeof ownerChanges)[number]
  | 'enable-module'
  | 'disable-module'
  | 'set-guard'
  | 'set-handler'
  | 'upgrade'
  | 'set-limit'

/** Ways to propose a change of the Safe: each is a form with the Safe before and after. */
function OwnerChanges({ state: { chainId, address } }: { state: SafeState }) {
  return (
    <ul aria-label={text('safe.change')} className="mt-4 flex flex-wrap gap-2">
      {ownerChanges.map((change) => (
        <li key={change}>
          <ButtonLink
            isCompact
            to="/safes/$chainId/$safeAddress/new"
            params={{ chainId, safeAddress: address }}
            search={{ change }}
          >
            {text(`safe.change.${change}`)}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}

/** Links to forms of changes, beside the fact that they change. */
function Changes({ state: { chainId, address }, kinds }: { state: SafeState; kinds: readonly Change[] }) {
  return (
    <ul
      aria-label={text('safe.change')}
      className="flex shrink-0 flex-wrap gap-x-5 text-small max-sm:-mb-2 @2xl:justify-end"
    >
      {kinds.map((change) => (
        <li key={change} className="max-sm:flex max-sm:min-h-11 max-sm:items-center">
          <TextLink
            look="action"
            to="/safes/$chainId/$safeAddress/new"
            params={{ chainId, safeAddress: address }}
            search={{ change }}
          >
            {text(`safe.change.${change}`)}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}

function AddressOrNone({ address }: { address: string | null }) {
  return address === null ? text('safe.none') : <Address address={address} hasAvatar={false} />
}

/** `1.4.1+L2` is code of version 1.4.1, and the Safe says `1.4.1`. */
function Version({ state: { version, reportedVersion } }: { state: SafeState }) {
  const reported = reportedVersion === null ? null : showUntrusted(reportedVersion, 40)
  if (version === null)
    return (
      <span className="text-danger">
        {reported === null
          ? text('safe.version.unofficial.silent')
          : text('safe.version.unofficial', { version: reported })}
      </span>
    )
  const isLie = reportedVersion !== null && reportedVersion.split('+')[0] !== version.split('+')[0]
  return (
    <>
      {text('safe.version.official', { version })}
      {isLie && <p className="text-danger">{text('safe.version.lies', { reported: reported ?? '' })}</p>}
    </>
  )
}
