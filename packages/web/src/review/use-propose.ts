import { proposeMessage, proposeTransaction, type Reviewed } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../api/client.ts'
import { useSigner } from '../wallet/index.ts'
import { checkRequestAgain, type Shown } from './check-again.ts'
import { outdate } from './queries.ts'
import { reportOf } from './report.ts'
import { useReviewLists } from './review-lists.ts'
import { requireSigner, type SigningStep, signSubject } from './sign.ts'
import type { Place, ReviewRequest } from './subject.ts'

/** Proposes what was reviewed, signed by the proposer. */
export function usePropose(chainId: number, safeAddress: Address) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(chainId, safeAddress)
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    mutationFn: async ({ request, shown }: { request: ReviewRequest; shown: Shown }) => {
      const by = requireSigner(signer)
      setStep('checking')
      const again = await checkRequestAgain(queryClient, { ...request, account: by.account }, lists, shown)
      setStep('wallet')
      const signature = await signSubject(by, again)
      setStep('sending')
      const reviewed = reportOf(again)
      return propose(request, { hash: again.review.hash, sender: by.account, signature, reviewed })
    },
    onSuccess: (place) => outdate(queryClient, place),
  })
  return { ...mutation, step }
}

async function propose(
  request: ReviewRequest,
  { hash, sender, ...signed }: { hash: Hex; sender: Address; signature: Hex; reviewed: Reviewed },
): Promise<Place> {
  const { subject, origin } = request
  const { kind, chainId, safeAddress } = subject
  if ('json' in request) {
    const content = request.json
    await api(proposeMessage, { chainId, safeAddress, content, origin, safeMessageHash: hash, ...signed })
  } else {
    const { safeTx } = request.subject
    await api(proposeTransaction, { chainId, safeAddress, safeTx, safeTxHash: hash, sender, origin, ...signed })
  }
  return { kind, chainId, safeAddress, hash }
}
