import { deleteTransaction } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Address, Hex } from 'viem'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import { text } from '../../safe/text.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'

/** Names a deletion that is under way: the page then no longer asks for what is about to be gone. */
export function deletionKey(safeTxHash: Hex) {
  return ['delete-transaction', safeTxHash]
}

/** Takes a proposal back, once it was said twice: what was signed may live on elsewhere. */
export function DeleteButton({
  chainId,
  safeAddress,
  safeTxHash,
}: {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
}) {
  const [isSure, setIsSure] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const deletion = useMutation({
    mutationKey: deletionKey(safeTxHash),
    mutationFn: () => api(deleteTransaction, { chainId, safeTxHash }),
    onSuccess: async () => {
      await navigate({ to: '/safes/$chainId/$safeAddress/queue', params: { chainId, safeAddress } })
      for (const queryKey of keysOutdatedBy({ kind: 'transaction', chainId, safeAddress, safeTxHash }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
  if (!isSure)
    return (
      <div>
        <Button variant="quiet" onClick={() => setIsSure(true)}>
          {text('instead.delete')}
        </Button>
      </div>
    )
  return (
    <div className="grid gap-3">
      {deletion.error && <Problem error={deletion.error} />}
      <Notice
        tone="warning"
        isAnnounced
        actions={
          <>
            <Button
              variant="danger"
              autoFocus
              busy={deletion.isPending ? text('instead.delete.busy') : undefined}
              onClick={() => deletion.mutate()}
            >
              {text('instead.delete.yes')}
            </Button>
            <Button onClick={() => setIsSure(false)}>{text('instead.delete.no')}</Button>
          </>
        }
      >
        {text('instead.delete.sure')}
      </Notice>
    </div>
  )
}
