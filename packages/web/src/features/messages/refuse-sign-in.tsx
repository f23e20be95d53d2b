import { refuseSignIn } from '@countersign/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { signInCode, signInNonce } from '../../api/sign-in-link.ts'
import { SureButton } from '../../ui/sure-button.tsx'
import { text } from './text.ts'

/** Lets any owner refuse a sign-in as the Safe, after a confirmation. It also works while the wallet has another account. */
export function RefuseSignIn({
  chainId,
  safeAddress,
  message,
}: {
  chainId: number
  safeAddress: Address
  message: string
}) {
  const queryClient = useQueryClient()
  const refusal = useMutation({
    mutationFn: () => api(refuseSignIn, { chainId, safeAddress, nonce: signInNonce(message) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.signInRequests(chainId, safeAddress) }),
  })
  return (
    <SureButton
      label={text('messages.signIn.refuse')}
      name={text('messages.signIn.refuse.code', { code: signInCode(message) })}
      sentence={text('messages.signIn.refuse.sure')}
      yes={text('messages.signIn.refuse.yes')}
      no={text('messages.signIn.refuse.no')}
      busy={refusal.isPending ? text('messages.signIn.refuse.busy') : undefined}
      error={refusal.error}
      onSure={() => refusal.mutate()}
    />
  )
}
