import { addSafe, nameAddress } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import { readTab, writeTab } from '../../device/tab-storage.ts'
import type { PlannedSafe } from './creation-draft.ts'
import { type RefusedName, saveNames, type TypedName } from './save-names.ts'

const SAVE_ATTEMPTS = 3

type SavedFor = { account: Address | null; names: readonly TypedName[] }

/** Whether this tab has saved the Safe and these names for the account, or the user has discarded the remaining names. */
export function isSavedInTab({ safeAddress }: PlannedSafe, chainId: number, savedFor: SavedFor): boolean {
  return readTab(keyOf(chainId, safeAddress)) === recordOf(savedFor)
}

const keyOf = (chainId: number, safeAddress: Address) => `countersign.creation.${chainId}.${safeAddress}.saved`
const recordOf = ({ account, names }: SavedFor) =>
  JSON.stringify([account, names.map(({ address, name }) => [address, name])])

/**
 * Adds a created Safe to My Safes with its names: at once if this account created it, otherwise when the person asks for it.
 */
export function useSaveCreation(
  planned: PlannedSafe,
  {
    chainId,
    account,
    names,
    isCreated,
    isSentByAccount,
  }: SavedFor & { chainId: number; isCreated: boolean; isSentByAccount: boolean },
) {
  const queryClient = useQueryClient()
  const { safeAddress } = planned
  const wasSaved = isSavedInTab(planned, chainId, { account, names })
  const keepSaved = () => writeTab(keyOf(chainId, safeAddress), recordOf({ account, names }))
  const [isDiscarded, setIsDiscarded] = useState(false)
  const save = useMutation({
    mutationFn: (chosen: readonly TypedName[]) => saveSafe(planned, chainId, chosen),
    onSuccess: (refused) => {
      if (refused.length === 0) keepSaved()
    },
    onSettled: async () => {
      const outdated = (['safe', 'team'] as const).flatMap((kind) => keysOutdatedBy({ kind, chainId, safeAddress }))
      await Promise.all(outdated.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
    },
  })
  const { mutate, mutateAsync, reset, isIdle } = save
  const isUnsaved = isCreated && isIdle && !wasSaved
  const saveAll = useEffectEvent(() => mutate(names))
  const isAutomatic = isUnsaved && isSentByAccount
  useEffect(() => {
    if (isAutomatic) saveAll()
  }, [isAutomatic])
  const actions = {
    /** Saves what is missing. */
    start: () => mutate(save.data ?? save.variables ?? names),
    discard: () => {
      keepSaved()
      setIsDiscarded(true)
    },
  }
  const refused = save.data ?? []
  const isSaved = (isCreated && wasSaved) || (save.isSuccess && refused.length === 0)
  const offered = isUnsaved && !isSentByAccount ? names : []
  const isNothingLeft = isUnsaved && !isSentByAccount && names.length === 0
  const saving: Saving = isDiscarded
    ? { isPending: save.isPending, error: null, refused: [], offered: [], isDone: true }
    : {
        isPending: save.isPending || isAutomatic,
        error: save.error,
        refused,
        offered,
        isDone: isSaved || isNothingLeft,
      }
  return { mutateAsync, reset, saving: { ...saving, ...actions } }
}

/** Where saving a created Safe stands. */
type Saving = {
  isPending: boolean
  error: Error | null
  /** Names that were not written, and why. */
  refused: readonly RefusedName[]
  /** Names that are written when the person asks for it. */
  offered: readonly TypedName[]
  isDone: boolean
}

/** Adds a Safe to My Safes with these names: by its creation, until the server's node sees the Safe. */
async function saveSafe(
  { safeAddress, factory, data }: PlannedSafe,
  chainId: number,
  names: readonly TypedName[],
): Promise<RefusedName[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      await api(addSafe, { chainId, address: safeAddress, creation: { factory, data } })
      break
    } catch (error) {
      if (attempt === SAVE_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, 700 * attempt))
    }
  }
  return saveNames(names, ({ address, name }) => api(nameAddress, { chainId, safeAddress, address, name }))
}
