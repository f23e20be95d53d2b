import { confirmMessage, deleteMessage, proposeMessage } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import type { ImportedSignature } from '../../review/imported-signature.ts'
import type { SigningStep } from '../../review/sign-safe-tx.ts'
import { fail } from '../../text/fail.ts'
import { type Signer, useSigner } from '../../wallet/index.ts'
import { signSafeMessage } from './sign-safe-message.ts'
import { checkMessageAgain, checkRequestAgain, type MessageRequest } from './use-message-review.ts'

type Place = { chainId: number; safeAddress: Address; safeMessageHash: Hex }

function connected(signer: Signer | null): Signer {
  if (signer) return signer
  throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
}

/** Confirms what was reviewed: checks everything once more, asks the wallet, verifies its answer, stores it. */
export function useConfirmMessage(place: Place) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    /** @param shown the hash that the person has seen, computed in this browser */
    mutationFn: async (shown: Hex) => {
      const by = connected(signer)
      setStep('checking')
      const again = await checkMessageAgain(queryClient, place, shown)
      setStep('wallet')
      const { safeMessageHash, signature } = await signSafeMessage(by, again)
      setStep('sending')
      return api(confirmMessage, { chainId: place.chainId, safeMessageHash, signature })
    },
    onSettled: () => {
      for (const queryKey of keysOutdatedBy({ kind: 'message', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return { ...mutation, step }
}

/** Proposes what was reviewed, signed by the proposing owner. */
export function useProposeMessage() {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    mutationFn: async ({ request, shown }: { request: MessageRequest; shown: Hex }) => {
      const by = connected(signer)
      setStep('checking')
      const again = await checkRequestAgain(queryClient, request, shown)
      setStep('wallet')
      const signed = await signSafeMessage(by, again)
      setStep('sending')
      const { chainId, safeAddress, content, origin } = request
      return api(proposeMessage, { chainId, safeAddress, content, origin, ...signed })
    },
    onSuccess: ({ chainId, safeAddress, safeMessageHash }) => {
      for (const queryKey of keysOutdatedBy({ kind: 'message', chainId, safeAddress, safeMessageHash }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  return { ...mutation, step }
}

/** Stores what owners signed elsewhere, one by one: a message takes one signature at a time. */
export function useImportMessageConfirmations(place: Place) {
  const queryClient = useQueryClient()
  const { chainId, safeMessageHash } = place
  return useMutation({
    mutationFn: async (signed: readonly ImportedSignature[]) => {
      for (const { signature } of signed)
        await api(confirmMessage, { chainId, safeMessageHash, signature, isImported: true })
    },
    onSettled: () => {
      for (const queryKey of keysOutdatedBy({ kind: 'message', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** Takes back what the reader proposed. */
export function useDeleteMessage(place: Place) {
  const queryClient = useQueryClient()
  const { chainId, safeMessageHash } = place
  return useMutation({
    mutationFn: () => api(deleteMessage, { chainId, safeMessageHash }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: ['message', chainId, safeMessageHash] })
      for (const queryKey of keysOutdatedBy({ kind: 'message', ...place }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}
