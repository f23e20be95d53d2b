import { hashSubject, readSafeTxFile } from '@countersign/safe-core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hex } from 'viem'
import { queryKeys } from '../../api/query-keys.ts'
import { safeStateQuery } from '../../api/safe-state.ts'
import { fail } from '../../text/fail.ts'
import { Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { text } from '../text.ts'
import { keepGivenFile } from './given-files.ts'

/** Takes the transaction that an approved hash stands for, from a reader who was given it elsewhere. */
export function GiveApproved({ chainId, hash }: { chainId: number; hash: Hex }) {
  const queryClient = useQueryClient()
  const [written, setWritten] = useState('')
  const give = useMutation({
    mutationFn: async (given: string) => {
      const file = readSafeTxFile(given, chainId)
      const state = await queryClient.fetchQuery(safeStateQuery(file.chainId, file.safeAddress))
      const computed = hashSubject({ kind: 'transaction', ...file }, state).hash
      if (file.chainId !== chainId || computed !== hash)
        throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', expected: computed, received: hash })
      keepGivenFile(chainId, hash, given)
      await queryClient.invalidateQueries({ queryKey: queryKeys.nested })
    },
  })
  return (
    <form
      data-give-approved={hash}
      className="grid max-w-xl gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        give.mutate(written)
      }}
    >
      <p>{text('nested.give.what')}</p>
      <p>
        {text('nested.give.hash')} <Hash hash={hash} />
      </p>
      <TextField
        label={text('nested.give.label')}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
        rows={4}
      />
      <label className="grid gap-1 text-small">
        {text('nested.give.file')}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => void target.files?.[0]?.text().then((given) => give.mutate(given))}
        />
      </label>
      {give.error && <Problem error={give.error} />}
      <div>
        <Button type="submit" busy={give.isPending ? text('nested.give.reading') : undefined}>
          {text('nested.give.read')}
        </Button>
      </div>
    </form>
  )
}
