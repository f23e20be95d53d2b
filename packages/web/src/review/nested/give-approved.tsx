import { hashSubject } from '@countersign/review'
import { parseSafeTxFile } from '@countersign/safe'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { queryKeys } from '../../api/query-keys.ts'
import { keepGivenFile } from '../../evidence/approvals/given-files.ts'
import { keepGivenMessage, parseGivenMessage } from '../../evidence/approvals/given-messages.ts'
import { safeStateQuery } from '../../safe/safe-state.ts'
import { text } from '../../safe/text.ts'
import { fail } from '../../text/fail.ts'
import { GiveForm } from './give-form.tsx'

/** Takes the transaction, or the message, that a hash stands for, from a reader who was given it elsewhere. */
export function GiveApproved({ chainId, hash, isMessage }: { chainId: number; hash: Hex; isMessage: boolean }) {
  const queryClient = useQueryClient()
  const give = useMutation({
    mutationFn: async (given: string) => {
      const message = isMessage ? parseGivenMessage(given, hash) : null
      if (message) keepGivenMessage(hash, message)
      else await takeFile(given)
      await queryClient.invalidateQueries({ queryKey: queryKeys.nested })
    },
  })
  const takeFile = async (given: string) => {
    const file = parseSafeTxFile(given, chainId)
    const state = await queryClient.fetchQuery(safeStateQuery(file.chainId, file.safeAddress))
    const computed = hashSubject({ kind: 'transaction', ...file }, state).hash
    if (file.chainId !== chainId || computed !== hash)
      throw fail('SAFE_TX_HASH_MISMATCH', { reason: 'fields', expected: computed, received: hash })
    keepGivenFile(chainId, hash, given)
  }
  return (
    <GiveForm
      hash={hash}
      what={text('nested.give.what')}
      label={text('nested.give.label')}
      submit={text('nested.give.read')}
      give={give}
    />
  )
}
