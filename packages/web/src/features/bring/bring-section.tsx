import type { SafeState } from '@countersign/safe-core'
import { Section } from '../../ui/section.tsx'
import { Writing } from '../../wallet/signing.ts'
import { BringNames } from './bring-names.tsx'
import { BringQueue } from './bring-queue.tsx'
import { text } from './text.ts'

/** Everything that can be taken over from elsewhere for this Safe. */
export function BringSection({ state }: { state: SafeState }) {
  const { chainId, address: safeAddress, version } = state
  return (
    <Section title={text('bring.title')}>
      <Writing>
        {version !== null && <BringQueue state={state} />}
        <BringNames chainId={chainId} safeAddress={safeAddress} />
      </Writing>
    </Section>
  )
}
