import { isSameAddress, readSafeState } from '@countersign/safe'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { pendingStateOf, readObservation } from '../../api/sent-transaction.ts'
import { serverNow } from '../../device/server-time.ts'
import { readTab, writeTab } from '../../device/tab-storage.ts'
import type { Shown } from '../../review/sign/check-again.ts'
import { type CreationRequest, checkCreationAgain } from '../../review/use-creation-review.ts'
import { estimateExecution } from '../../safe/execution/encode-execution.ts'
import { fail } from '../../text/fail.ts'
import { useSigner } from '../../wallet/signing.ts'
import type { PlannedSafe } from './creation-draft.ts'
import type { TypedName } from './save-names.ts'
import { useSaveCreation } from './use-save-creation.ts'

const POLL_MS = 1_500

type Sent = { transactionHash: Hex; executor: Address; submissionDate: string; accountNonce: number | null }

/** Where a creation stands: not sent, on its way, or how it ended. */
export type CreationProgress = 'none' | 'waiting' | 'replaced' | 'dropped' | 'reverted' | 'created'

/**
 * Creates a Safe on one chain: checks once more, estimates, lets the wallet send, waits, and adds it to My Safes with these
 * names. A Safe that this account did not send is added when the person asks for it.
 */
export function useCreateSafe(
  planned: PlannedSafe,
  chainId: number,
  { account, names }: { account: Address | null; names: readonly TypedName[] },
) {
  const queryClient = useQueryClient()
  const signer = useSigner()
  const [step, setStep] = useState<'checking' | 'estimating' | 'wallet'>('checking')
  const key = `countersign.creation.${chainId}.${planned.safeAddress}`
  const [sent, setSent] = useState<Sent | null>(() => readSent(key))

  const send = useMutation({
    mutationFn: async ({ request, shown }: { request: CreationRequest; shown: Shown }) => {
      if (!signer) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
      const { account } = signer
      setStep('checking')
      await checkCreationAgain(queryClient, { ...request, account }, shown)
      const call = { to: planned.factory, data: planned.data }
      setStep('estimating')
      const gas = await estimateExecution(chainRequest(chainId), { from: account, ...call })
      setStep('wallet')
      const transactionHash = await signer.sendTransaction({ chainId, ...call, value: 0n, gas })
      const submissionDate = new Date(serverNow()).toISOString()
      const now = { transactionHash, executor: account, submissionDate, accountNonce: null }
      writeTab(key, JSON.stringify(now))
      setSent(now)
    },
  })

  const progress = useQuery({
    queryKey: ['creation', chainId, planned, sent],
    queryFn: () => readProgress(planned, chainId, sent),
    refetchInterval: ({ state }) => (sent === null || state.data === 'created' ? false : POLL_MS),
    refetchIntervalInBackground: true,
    retry: false,
  }).data

  const isSentByAccount = sent !== null && account !== null && isSameAddress(sent.executor, account)
  const save = useSaveCreation(planned, {
    chainId,
    account,
    names,
    isCreated: progress === 'created',
    isSentByAccount,
  })

  /** Keeps the call instead of sending it, after the same review: the Safe can be used from now on. */
  const keep = useMutation({
    mutationFn: async ({ request, shown }: { request: CreationRequest; shown: Shown }) => {
      await checkCreationAgain(queryClient, request, shown)
      await save.mutateAsync(names)
    },
    // Otherwise a Safe that is created afterwards would not be saved.
    onError: () => save.reset(),
  })

  return { send, keep, step, sent, progress: progress ?? (sent ? 'waiting' : 'none'), saving: save.saving }
}

/** A Safe of these owners at the address is the one, whoever created it. */
async function readProgress(planned: PlannedSafe, chainId: number, sent: Sent | null): Promise<CreationProgress> {
  const request = chainRequest(chainId)
  const state = await readSafeState(request, planned.safeAddress, chainId).catch(() => null)
  const isIt =
    state?.threshold === planned.threshold &&
    state.owners.length === planned.owners.length &&
    state.owners.every((owner) => planned.owners.some((other) => isSameAddress(owner, other)))
  if (isIt) return 'created'
  if (sent === null) return 'none'
  const seen = await readObservation(request, sent)
  if (seen.receipt?.status === 'reverted') return 'reverted'
  return seen.receipt ? 'waiting' : pendingStateOf(sent, seen)
}

function readSent(key: string): Sent | null {
  try {
    const sent: unknown = JSON.parse(readTab(key) ?? 'null')
    // Written by this page alone.
    return typeof sent === 'object' ? (sent as Sent | null) : null
  } catch {
    return null
  }
}
