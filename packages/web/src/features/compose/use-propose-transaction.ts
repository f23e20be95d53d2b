import { proposeTransaction } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import type { ReviewRequest } from '../../review/review-facts.ts'
import { useReviewLists } from '../../review/review-lists.ts'
import { type SigningStep, signSafeTx } from '../../review/sign-safe-tx.ts'
import { checkRequestAgain } from '../../review/use-review.ts'
import { fail } from '../../text/fail.ts'
import { useSigner } from '../../wallet/index.ts'

/** Proposes what was reviewed, signed by the proposing owner. */
export function useProposeTransaction(chainId: number, safeAddress: Address) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(chainId, safeAddress)
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    mutationFn: async ({ request, shownSafeTxHash }: { request: ReviewRequest; shownSafeTxHash: Hex }) => {
      if (!signer) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
      setStep('checking')
      const again = await checkRequestAgain(
        queryClient,
        { ...request, account: signer.account },
        lists,
        shownSafeTxHash,
      )
      setStep('wallet')
      const signature = await signSafeTx(signer, again)
      setStep('sending')
      const { safeTx, origin } = request
      const { safeTxHash } = again.review.hashes
      return api(proposeTransaction, {
        chainId,
        safeAddress,
        safeTx,
        safeTxHash,
        sender: signer.account,
        signature,
        origin,
      })
    },
    onSuccess: ({ safeAddress, safeTxHash }) => {
      for (const queryKey of keysOutdatedBy({ kind: 'transaction', chainId, safeAddress, safeTxHash }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return { ...mutation, step }
}
