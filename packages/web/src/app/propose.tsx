import { useSearch } from '@tanstack/react-router'
import type { Address } from 'viem'
import { ProposePage } from '../features/compose/propose-page.tsx'

/** Composing, alone or against the proposal that the address names. */
export function Propose(place: { chainId: number; safeAddress: Address }) {
  const { nonce, cancel } = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/new' })
  return <ProposePage {...place} nonce={nonce === undefined ? null : BigInt(nonce)} isCancellation={cancel === true} />
}
