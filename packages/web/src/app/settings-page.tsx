import type { Address } from 'viem'
import { SafeFacts } from '../features/settings/safe-facts.tsx'
import { SafeNameForm } from '../features/settings/safe-name-form.tsx'
import { text } from '../text/safe.ts'
import { SafeSection } from './safe-section.tsx'

/** Section *Settings* of a Safe: its name here, and its configuration on the chain. */
export function SettingsPage(place: { chainId: number; safeAddress: Address }) {
  return (
    <SafeSection
      {...place}
      title={text('safe.screens.settings')}
      before={(hasTransactions) => hasTransactions && <SafeNameForm {...place} />}
    >
      {({ state, account, readAgain, isReading }) => (
        <SafeFacts state={state} account={account} onReadAgain={readAgain} isReading={isReading} />
      )}
    </SafeSection>
  )
}
