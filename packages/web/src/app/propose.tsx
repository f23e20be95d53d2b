import { useSearch } from '@tanstack/react-router'
import type { Address } from 'viem'
import { ProposePage } from '../features/compose/propose-page.tsx'

/** Composing, alone, against the proposal that the address names, or to approve what another Safe is to do. */
export function Propose(place: { chainId: number; safeAddress: Address }) {
  const { nonce, cancel, approve, of } = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/new' })
  return (
    <ProposePage
      {...place}
      nonce={nonce === undefined ? null : BigInt(nonce)}
      isCancellation={cancel === true}
      approval={approve === undefined || of === undefined ? null : { parent: of, hash: approve }}
    />
  )
}
