import type { SafeState } from '@countersign/safe'
import { useRole } from '../../safe/safe.ts'
import { Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { Writing } from '../../wallet/signing.ts'
import { ImportDelegates } from './import-delegates.tsx'
import { ImportMessages } from './import-messages.tsx'
import { ImportNames } from './import-names.tsx'
import { ImportQueue } from './import-queue.tsx'
import { text } from './text.ts'

/** Everything that can be taken over from elsewhere for this Safe. */
export function ImportSection({ state }: { state: SafeState }) {
  const { chainId, address: safeAddress, version } = state
  const { session } = useSession()
  const isOwner = useRole(chainId, safeAddress) === 'owner'
  return (
    <Section title={text('import.title')}>
      <Writing>
        {version !== null && <ImportQueue state={state} />}
        {version !== null && isOwner && <ImportMessages state={state} />}
        {isOwner && session && <ImportDelegates state={state} account={session.address} />}
        <ImportNames chainId={chainId} safeAddress={safeAddress} />
      </Writing>
    </Section>
  )
}
