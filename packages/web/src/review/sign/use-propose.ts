import { proposeMessage, proposeTransaction, type Reviewed } from '@countersign/contract'
import { type DeclaredEffects, type Effects, effectsTypedData, isOfAuthor } from '@countersign/review'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { useReviewLists } from '../../evidence/attribution/review-lists.ts'
import { madePack } from '../../evidence/proof-pack/made-packs.ts'
import type { Place } from '../../safe/queries.ts'
import { outdate } from '../../safe/queries.ts'
import { fail } from '../../text/fail.ts'
import { type Signer, useSigner } from '../../wallet/signing.ts'
import type { ReviewRequest } from '../subject.ts'
import { checkRequestAgain, type Shown } from './check-again.ts'
import { reportOf } from './report.ts'
import { requireSigner, type SigningStep, signSubject } from './sign.ts'

type ProposalToSend = {
  request: ReviewRequest
  shown: Shown
  effects: Effects | null
  /** Checks what the request was made of; it throws when that is no longer so. */
  checkFirst?: (() => Promise<void>) | undefined
}

/** Proposes what was reviewed, signed by the proposer. */
export function usePropose(chainId: number, safeAddress: Address) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(chainId, safeAddress)
  const [step, setStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    mutationFn: async ({ request, shown, effects, checkFirst }: ProposalToSend) => {
      const by = requireSigner(signer)
      setStep('checking')
      await checkFirst?.()
      const again = await checkRequestAgain(queryClient, { ...request, account: by.account }, lists, shown)
      setStep('wallet')
      const signature = await signSubject(by, again)
      const place = { chainId, safeAddress, safeTxHash: again.review.hash }
      const declaredEffects = effects ? await declare(by, place, effects) : undefined
      setStep('sending')
      const reviewed = reportOf({ ...again, pack: madePack(by.account, again.review.hash) })
      return propose(request, { hash: again.review.hash, sender: by.account, signature, reviewed, declaredEffects })
    },
    onSuccess: (place) => outdate(queryClient, place),
  })
  return { ...mutation, step }
}

/** Asks the wallet to sign the changes to expect, and believes nothing: they must be the account's own word. */
async function declare(by: Signer, place: EffectsPlace, effects: Effects): Promise<DeclaredEffects> {
  const signature = await by.signTypedData(effectsTypedData(place, effects))
  const declared: DeclaredEffects = { ...effects, version: 1, author: by.account, signature }
  if (await isOfAuthor(place, declared)) return declared
  throw fail('SIGNER_IS_NOT_ACCOUNT', { reason: 'nobody', wallet: by.walletName, account: by.account })
}

type EffectsPlace = { chainId: number; safeAddress: Address; safeTxHash: Hex }
type Signed = {
  hash: Hex
  sender: Address
  signature: Hex
  reviewed: Reviewed
  declaredEffects: DeclaredEffects | undefined
}

async function propose(request: ReviewRequest, { hash, sender, declaredEffects, ...signed }: Signed): Promise<Place> {
  const { subject, origin } = request
  const { kind, chainId, safeAddress } = subject
  if ('json' in request) {
    const content = request.json
    await api(proposeMessage, { chainId, safeAddress, content, origin, safeMessageHash: hash, ...signed })
  } else {
    const { safeTx } = request.subject
    await api(proposeTransaction, {
      chainId,
      safeAddress,
      safeTx,
      safeTxHash: hash,
      sender,
      origin,
      declaredEffects,
      ...signed,
    })
  }
  return { kind, chainId, safeAddress, hash }
}
