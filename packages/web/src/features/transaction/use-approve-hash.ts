import { safeAbi } from '@countersign/safe'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { pendingStateOf, readObservation } from '../../api/sent-transaction.ts'
import { serverNow } from '../../device/server-time.ts'
import { useReviewLists } from '../../evidence/attribution/review-lists.ts'
import { checkAgain, type Shown } from '../../review/sign/check-again.ts'
import { requireSigner } from '../../review/sign/sign.ts'
import { estimateExecution } from '../../safe/execution/encode-execution.ts'
import { outdate } from '../../safe/queries.ts'
import { useSigner } from '../../wallet/signing.ts'

const POLL_MS = 1_500

type Place = { chainId: number; safeAddress: Address; safeTxHash: Hex }
type Sent = { transactionHash: Hex; executor: Address; submissionDate: string; accountNonce: null }

/** Confirms what was reviewed by `approveHash` of the Safe: checks everything once more, then the wallet sends it. */
export function useApproveHash({ chainId, safeAddress, safeTxHash }: Place) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(chainId, safeAddress)
  const [step, setStep] = useState<'checking' | 'estimating' | 'wallet'>('checking')
  const place = { kind: 'transaction', chainId, safeAddress, hash: safeTxHash } as const
  const mutation = useMutation({
    /** @param shown the hash that the person has seen, computed in this browser, and the answers to its review */
    mutationFn: async (shown: Shown): Promise<Sent> => {
      const { account, sendTransaction } = requireSigner(signer)
      setStep('checking')
      const { review } = await checkAgain(queryClient, place, { account, lists }, shown)
      const data = encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [review.hash] })
      setStep('estimating')
      const gas = await estimateExecution(chainRequest(chainId), { from: account, to: safeAddress, data })
      setStep('wallet')
      const transactionHash = await sendTransaction({ chainId, to: safeAddress, data, value: 0n, gas })
      const submissionDate = new Date(serverNow()).toISOString()
      return { transactionHash, executor: account, submissionDate, accountNonce: null }
    },
  })
  const sent = mutation.data
  const progress = useQuery({
    queryKey: ['approval', place, sent],
    queryFn: async () => {
      if (!sent) return 'waiting'
      const seen = await readObservation(chainRequest(place.chainId), sent)
      if (!seen.receipt) return pendingStateOf(sent, seen)
      // The index sees it a moment later; the page asks until it does.
      outdate(queryClient, place)
      return seen.receipt.status === 'success' ? 'approved' : 'reverted'
    },
    enabled: sent !== undefined,
    refetchInterval: ({ state: { data } }) => (data === 'reverted' ? false : POLL_MS),
    staleTime: 0,
  })
  return { ...mutation, step, sent, progress: progress.data ?? 'waiting', progressError: progress.error }
}
