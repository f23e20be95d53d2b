import { addSafe } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { keysOutdatedBy } from '../../api/query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Writing } from '../../wallet/signing.ts'
import { text } from './text.ts'

/** Offered to whoever opened the page of a Safe by its address. */
export function AddThisSafe({ chainId, safeAddress }: { chainId: number; safeAddress: Address }) {
  const queryClient = useQueryClient()
  const add = useMutation({
    mutationFn: () => api(addSafe, { chainId, address: safeAddress }),
    onSuccess: () =>
      Promise.all(
        keysOutdatedBy({ kind: 'safe', chainId, safeAddress }).map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
  return (
    <div className="mb-8 grid gap-4">
      <Notice
        title={text('safe.unlisted')}
        actions={
          <Writing>
            <Button onClick={() => add.mutate()} busy={add.isPending ? text('safes.add.busy') : undefined}>
              {text('safe.unlisted.add')}
            </Button>
          </Writing>
        }
      >
        {text('safe.unlisted.sentence')}
      </Notice>
      {add.error && <Problem error={add.error} />}
    </div>
  )
}
