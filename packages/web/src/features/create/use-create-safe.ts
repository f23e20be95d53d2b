import { addSafe, nameAddress } from '@countersign/contract'
import { readSafeState } from '@countersign/safe'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { keysOutdatedBy, queryKeys } from '../../api/query-keys.ts'
import { pendingStateOf, readObservation } from '../../api/sent-transaction.ts'
import { serverNow } from '../../api/server-time.ts'
import type { Shown } from '../../review/check-again.ts'
import { type CreationRequest, checkCreationAgain } from '../../review/creation/use-creation-review.ts'
import { estimateExecution } from '../../review/execution.ts'
import { isSame } from '../../review/names.ts'
import { readTab, writeTab } from '../../review/tab-storage.ts'
import { fail } from '../../text/fail.ts'
import { useSigner } from '../../wallet/signing.ts'
import type { PlannedSafe } from './creation-draft.ts'

const POLL_MS = 1_500
const FILING_TRIES = 3

type Sent = { transactionHash: Hex; executor: Address; submissionDate: string; accountNonce: number | null }

/** Where a creation stands: not sent, on its way, or how it ended. */
export type CreationProgress = 'none' | 'waiting' | 'replaced' | 'dropped' | 'reverted' | 'created'

/** Creates a Safe on one chain: checks once more, estimates, lets the wallet send, waits, and adds it to My Safes. */
export function useCreateSafe(planned: PlannedSafe, chainId: number) {
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

  /** Keeps the call instead of sending it, after the same review: the Safe can be used from now on. */
  const keep = useMutation({
    mutationFn: async ({ request, shown }: { request: CreationRequest; shown: Shown }) => {
      await checkCreationAgain(queryClient, request, shown)
      await fileSafe(planned, chainId)
      const event = { kind: 'safe', chainId, safeAddress: planned.safeAddress } as const
      for (const queryKey of keysOutdatedBy(event)) await queryClient.invalidateQueries({ queryKey })
    },
  })

  const progress = useQuery({
    queryKey: ['creation', chainId, planned, sent],
    queryFn: () => readProgress(planned, chainId, sent),
    refetchInterval: ({ state }) => (sent === null || state.data === 'created' ? false : POLL_MS),
    refetchIntervalInBackground: true,
    retry: false,
  }).data

  const file = useMutation({ mutationFn: () => fileSafe(planned, chainId) })
  const isCreated = progress === 'created'
  const { mutate, isIdle } = file
  useEffect(() => {
    if (!isCreated || sent === null || !isIdle) return
    mutate(undefined, { onSettled: () => void queryClient.invalidateQueries({ queryKey: queryKeys.safes }) })
  }, [isCreated, sent, isIdle, mutate, queryClient])

  return { send, keep, step, sent, progress: progress ?? (sent ? 'waiting' : 'none'), file }
}

/** A Safe of these owners at the address is the one, whoever created it. */
async function readProgress(planned: PlannedSafe, chainId: number, sent: Sent | null): Promise<CreationProgress> {
  const request = chainRequest(chainId)
  const state = await readSafeState(request, planned.safeAddress, chainId).catch(() => null)
  const isIt =
    state?.threshold === planned.threshold &&
    state.owners.length === planned.owners.length &&
    state.owners.every((owner) => planned.owners.some((other) => isSame(owner, other)))
  if (isIt) return 'created'
  if (sent === null) return 'none'
  const seen = await readObservation(request, sent)
  if (seen.receipt?.status === 'reverted') return 'reverted'
  return seen.receipt ? 'waiting' : pendingStateOf(sent, seen)
}

/** Adds it to My Safes with its names, by its creation until the server's node sees the Safe. */
async function fileSafe({ safeAddress, factory, data, name, names }: PlannedSafe, chainId: number): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await api(addSafe, { chainId, address: safeAddress, creation: { factory, data } })
      break
    } catch (error) {
      if (attempt === FILING_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 700 * attempt))
    }
  }
  const all = name === '' ? names : [{ address: safeAddress, name }, ...names]
  for (const named of all) await api(nameAddress, { chainId, safeAddress, ...named })
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
