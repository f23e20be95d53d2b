import { confirmMessage, confirmTransaction, type Reviewed } from '@countersign/contract'
import { encodeSignatures } from '@countersign/safe-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hex } from 'viem'
import { api } from '../api/client.ts'
import { useSigner } from '../wallet/signing.ts'
import { checkAgain, type Shown } from './check-again.ts'
import type { ImportedSignature } from './import/imported-signature.ts'
import { madePack } from './proof-pack/made-packs.ts'
import { outdate } from './queries.ts'
import { reportOf } from './report.ts'
import { useReviewLists } from './review-lists.ts'
import { requireSigner, type SigningStep, signSubject } from './sign.ts'
import type { Place } from './subject.ts'

/** Confirms what was reviewed: checks everything once more, asks the wallet, verifies its answer, stores it. */
export function useConfirm(place: Place) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(place.chainId, place.safeAddress, place.kind)
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    /** @param shown the hash that the person has seen, computed in this browser, and the answers to its review */
    mutationFn: async (shown: Shown) => {
      const by = requireSigner(signer)
      setStep('checking')
      const again = await checkAgain(queryClient, place, { account: by.account, lists }, shown)
      setStep('wallet')
      const signature = await signSubject(by, again)
      setStep('sending')
      const pack = madePack(by.account, again.review.hash)
      await confirm(place, { signature, reviewed: reportOf({ ...again, pack }) })
    },
    onSettled: () => outdate(queryClient, place),
  })
  return { ...mutation, step }
}

/**
 * Stores what owners signed elsewhere, by the same verb and after the same check: a signature that lies here counts like
 * one that is made here. Whose it is was checked before; the server checks it again.
 */
export function useImport(place: Place) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(place.chainId, place.safeAddress, place.kind)
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    mutationFn: async ({ signed, shown }: { signed: readonly ImportedSignature[]; shown: Shown }) => {
      const { account } = requireSigner(signer)
      setStep('checking')
      await checkAgain(queryClient, place, { account, lists }, shown)
      setStep('sending')
      // A message takes one signature at a time.
      const parts = place.kind === 'message' ? signed.map((signature) => [signature]) : [signed]
      for (const part of parts) await confirm(place, { signature: encodeSignatures(part), isImported: true })
    },
    onSettled: () => outdate(queryClient, place),
  })
  return { ...mutation, step }
}

type Signed = { signature: Hex; reviewed: Reviewed } | { signature: Hex; isImported: true }

async function confirm({ kind, chainId, hash }: Place, signed: Signed): Promise<void> {
  if (kind === 'message') await api(confirmMessage, { chainId, safeMessageHash: hash, ...signed })
  else await api(confirmTransaction, { chainId, safeTxHash: hash, ...signed })
}
