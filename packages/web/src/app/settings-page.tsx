import type { Address } from 'viem'
import { ImportSection } from '../features/import/import-section.tsx'
import { SafeFacts } from '../features/settings/safe-facts.tsx'
import { SafeNameForm } from '../features/settings/safe-name-form.tsx'
import { useRole } from '../safe/safe.ts'
import { text } from '../text/safe.ts'
import { SafeSection } from './safe-section.tsx'

/** Section *Settings* of a Safe: its name here, its configuration on the chain, and what is to be brought. */
export function SettingsPage(place: { chainId: number; safeAddress: Address }) {
  const role = useRole(place.chainId, place.safeAddress)
  return (
    <SafeSection
      {...place}
      title={text('safe.screens.settings')}
      before={(hasTransactions) => hasTransactions && <SafeNameForm {...place} />}
    >
      {({ state, readAgain, isReading }) => (
        <>
          <SafeFacts state={state} onReadAgain={readAgain} isReading={isReading} />
          {(role === 'owner' || role === 'proposer') && <ImportSection state={state} />}
        </>
      )}
    </SafeSection>
  )
}
