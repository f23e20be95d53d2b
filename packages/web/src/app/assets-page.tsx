import type { Address } from 'viem'
import { SafeAssets } from '../features/assets/safe-assets.tsx'
import { text } from '../text/safe.ts'
import { SafeSection } from './safe-section.tsx'

/** Section *Assets* of a Safe. */
export function AssetsPage(place: { chainId: number; safeAddress: Address }) {
  return (
    <SafeSection {...place} title={text('safe.screens.assets')}>
      {({ state, isListed }) => <SafeAssets state={state} isListed={isListed} />}
    </SafeSection>
  )
}
