import { deleteMessage } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { keysOutdatedBy, queryKeys } from '../../api/query-keys.ts'
import type { Place } from '../../safe/queries.ts'
import { Button } from '../../ui/button.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Writing } from '../../wallet/signing.ts'
import { text } from './text.ts'

/** Takes back what the reader proposed. */
function useDeleteMessage({ chainId, safeAddress, hash: safeMessageHash }: Place) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api(deleteMessage, { chainId, safeMessageHash }),
    onSuccess: () => {
      queryClient.removeQueries({ queryKey: queryKeys.message(chainId, safeMessageHash) })
      for (const queryKey of keysOutdatedBy({ kind: 'message', chainId, safeAddress, safeMessageHash }))
        void queryClient.invalidateQueries({ queryKey })
    },
  })
}

/** In two steps: it is gone for everybody. */
export function DeleteMessage({ place }: { place: Place }) {
  const [isAsked, setIsAsked] = useState(false)
  const navigate = useNavigate()
  const remove = useDeleteMessage(place)
  const { chainId, safeAddress } = place
  const act = () =>
    remove.mutate(undefined, {
      onSuccess: () => void navigate({ to: '/safes/$chainId/$safeAddress/messages', params: { chainId, safeAddress } }),
    })
  return (
    <CardPart title={text('message.delete.title')}>
      <div className="grid gap-3">
        {remove.error && !remove.isPending && <Problem error={remove.error} />}
        <p className="text-small text-ink-soft">{text('message.delete.sentence')}</p>
        <Writing>
          <div className="flex flex-wrap gap-2">
            {isAsked ? (
              <>
                <Button
                  variant="danger"
                  busy={remove.isPending ? text('message.delete.busy') : undefined}
                  onClick={act}
                >
                  {text('message.delete.really')}
                </Button>
                <Button onClick={() => setIsAsked(false)}>{text('message.delete.keep')}</Button>
              </>
            ) : (
              <Button onClick={() => setIsAsked(true)}>{text('message.delete')}</Button>
            )}
          </div>
        </Writing>
      </div>
    </CardPart>
  )
}
