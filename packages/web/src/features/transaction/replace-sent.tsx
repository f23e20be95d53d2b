import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address, Hex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import type { Offer } from '../../review/sign/offer.ts'
import { OfferedButton } from '../../review/sign/offered-button.tsx'
import { TransactionHash } from '../../safe/transaction-hash.tsx'
import { fail } from '../../text/fail.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useSigner } from '../../wallet/signing.ts'
import { readRaisedFees } from './raised-fees.ts'
import { text } from './text.ts'

/**
 * Ways of the account that sent an execution while it waits: sending it again with a higher fee, or using up its account nonce
 * by an empty transaction to itself. Both go by the wallet, at the nonce of the one that waits.
 */
export function ReplaceSent({
  chainId,
  account,
  transactionHash,
  effect,
  offer,
  acknowledge,
  busy,
  onSpeedUp,
}: {
  chainId: number
  account: Address
  transactionHash: Hex
  effect: string
  offer: Extract<Offer, { kind: 'offered' | 'acknowledge' | 'refused' }>
  acknowledge: ReactNode
  busy: string | undefined
  onSpeedUp: (() => void) | null
}) {
  const signer = useSigner()
  const cancel = useMutation({
    mutationFn: async () => {
      if (!signer) throw fail('WALLET_NOT_CONNECTED', { reason: 'none' })
      const replacing = await readRaisedFees(chainRequest(chainId), transactionHash)
      return signer.sendTransaction({ chainId, to: account, data: '0x', value: 0n, replacing })
    },
  })
  return (
    <Fold title={text('execute.slow')}>
      <div className="grid gap-3">
        {acknowledge}
        <OfferedButton
          effect={effect}
          offer={offer}
          busy={busy}
          explanation={text('execute.speedUp.explanation')}
          label={text('execute.speedUp')}
          onAct={onSpeedUp}
        />
        {cancel.data ? (
          <Notice isAnnounced>
            <p>{text('execute.cancelled')}</p>
            <TransactionHash chainId={chainId} transactionHash={cancel.data} />
          </Notice>
        ) : (
          <>
            <Button busy={cancel.isPending ? text('execute.step.wallet') : undefined} onClick={() => cancel.mutate()}>
              {text('execute.cancel')}
            </Button>
            <p className="text-small text-ink-soft">{text('execute.cancel.explanation')}</p>
          </>
        )}
        {cancel.error && <Problem error={cancel.error} />}
      </div>
    </Fold>
  )
}
