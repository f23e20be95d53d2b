import { useNavigate } from '@tanstack/react-router'
import type { Address, Hex } from 'viem'

/** Opens the page of what was proposed. `replace`: Back leads to where it was written, and not to its review. */
export function useOpenProposed({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const navigate = useNavigate()
  return (safeTxHash: Hex, { replace = false } = {}): void =>
    void navigate({
      to: '/safes/$chainId/$safeAddress/transactions/$safeTxHash',
      params: { chainId, safeAddress, safeTxHash },
      replace,
    })
}
