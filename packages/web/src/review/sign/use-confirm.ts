import { confirmMessage, confirmTransaction, type Reviewed } from '@countersign/contract'
import { encodeSignatures } from '@countersign/safe'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hex } from 'viem'
import { api } from '../../api/client.ts'
import { useReviewLists } from '../../evidence/attribution/review-lists.ts'
import { madePack } from '../../evidence/proof-pack/made-packs.ts'
import type { Place } from '../../safe/queries.ts'
import { outdate } from '../../safe/queries.ts'
import { type Signer, useSigner } from '../../wallet/signing.ts'
import { type CheckedAgain, checkAgain, type Shown } from './check-again.ts'
import type { ImportedSignature } from './imported-signature.ts'
import { reportOf } from './report.ts'
import { requireSigner, type SigningStep, signSubject } from './sign.ts'

/** Confirms what was reviewed: checks everything once more, asks the wallet, verifies its answer, stores it. */
export function useConfirm(place: Place) {
  return useSigned(place, async (_: { shown: Shown }, { by, again, onStep }) => {
    onStep('wallet')
    const signature = await signSubject(by, again)
    onStep('sending')
    const pack = madePack(by.account, again.review.hash)
    await confirm(place, { signature, reviewed: reportOf({ ...again, pack }) })
  })
}

/**
 * Stores what owners signed elsewhere, by the same verb and after the same check: a signature that lies here counts like
 * one that is made here. Whose it is was checked before; the server checks it again.
 */
export function useImport(place: Place) {
  type Imported = { signed: readonly ImportedSignature[]; shown: Shown }
  return useSigned(place, async ({ signed }: Imported, { onStep }) => {
    onStep('sending')
    // A message takes one signature at a time.
    const parts = place.kind === 'message' ? signed.map((signature) => [signature]) : [signed]
    for (const part of parts) await confirm(place, { signature: encodeSignatures(part), isImported: true })
  })
}

type Checked = { by: Signer; again: CheckedAgain; onStep: (step: SigningStep) => void }

/**
 * Adds signatures to what lies here: all is checked once more before that, and what the page knows is old afterwards.
 * `shown` is the hash that the person has seen, computed in this browser, and the answers to its review.
 */
function useSigned<Asked extends { shown: Shown }>(
  place: Place,
  store: (asked: Asked, checked: Checked) => Promise<void>,
) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const { lists } = useReviewLists(place.chainId, place.safeAddress, place.kind)
  const [step, onStep] = useState<SigningStep>('checking')
  const mutation = useMutation({
    mutationFn: async (asked: Asked) => {
      const by = requireSigner(signer)
      onStep('checking')
      const again = await checkAgain(queryClient, place, { account: by.account, lists }, asked.shown)
      await store(asked, { by, again, onStep })
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
