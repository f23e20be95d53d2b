import type { SafeState } from '@countersign/safe'
import { useRole } from '../../safe/safe.ts'
import { Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { Writing } from '../../wallet/signing.ts'
import { BringDelegates } from './bring-delegates.tsx'
import { BringMessages } from './bring-messages.tsx'
import { BringNames } from './bring-names.tsx'
import { BringQueue } from './bring-queue.tsx'
import { text } from './text.ts'

/** Everything that can be taken over from elsewhere for this Safe. */
export function BringSection({ state }: { state: SafeState }) {
  const { chainId, address: safeAddress, version } = state
  const { session } = useSession()
  const isOwner = useRole(chainId, safeAddress) === 'owner'
  return (
    <Section title={text('bring.title')}>
      <Writing>
        {version !== null && <BringQueue state={state} />}
        {version !== null && isOwner && <BringMessages state={state} />}
        {isOwner && session && <BringDelegates state={state} account={session.address} />}
        <BringNames chainId={chainId} safeAddress={safeAddress} />
      </Writing>
    </Section>
  )
}
