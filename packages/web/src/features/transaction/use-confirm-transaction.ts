import { confirmTransaction } from '@countersign/contract'
import { encodeSignatures } from '@countersign/safe-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import type { ImportedSignature } from '../../review/imported-signature.ts'
import { useReviewLists } from '../../review/review-lists.ts'
import { type SigningStep, signSafeTx } from '../../review/sign-safe-tx.ts'
import { checkAgain } from '../../review/use-review.ts'
import { fail } from '../../text/fail.ts'
import { useSigner } from '../../wallet/index.ts'

/** Stores what owners signed elsewhere, by the same verb. Whose it is was checked here; the server checks it again. */
export function useImportConfirmations(place: { chainId: number; safeAddress: Address; safeTxHash: Hex }) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (signed: readonly ImportedSignature[]) => {
      const { chainId, safeTxHash } = place
      return api(confirmTransaction, { chainId, safeTxHash, signature: encodeSignatures(signed), isImported: true })
    },
    onSettled: () => {
      for (const queryKey of keysOutdatedBy({ kind: 'transaction', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Confirms what was reviewed: checks everything once more, asks the wallet, verifies its answer, stores it. */
export function useConfirmTransaction(place: { chainId: number; safeAddress: Address; safeTxHash: Hex }) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(place.chainId, place.safeAddress)
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    /** @param shownSafeTxHash the hash that the person has seen, computed in this browser */
    mutationFn: async (shownSafeTxHash: Hex) => {
      if (!signer) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
      setStep('checking')
      const again = await checkAgain(queryClient, { ...place, account: signer.account, lists }, shownSafeTxHash)
      setStep('wallet')
      const signature = await signSafeTx(signer, again)
      setStep('sending')
      return api(confirmTransaction, { chainId: place.chainId, safeTxHash: place.safeTxHash, signature })
    },
    onSettled: () => {
      for (const queryKey of keysOutdatedBy({ kind: 'transaction', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return { ...mutation, step }
}
