import { useParams } from '@tanstack/react-router'
import type { Address } from 'viem'

export type Place = { chainId: number; safeAddress: Address }

/** The Safe that the present page is about; null where it is about none. */
export function usePlace(): Place | null {
  const { chainId, safeAddress } = useParams({ strict: false })
  // The parameters of an address that names no Safe stay as they were written.
  return typeof chainId === 'number' && safeAddress !== undefined ? { chainId, safeAddress } : null
}
