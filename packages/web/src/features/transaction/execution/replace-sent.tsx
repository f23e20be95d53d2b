import { isSameAddress } from '@countersign/safe'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import type { ButtonOffer } from '../../../review/sign/offer.ts'
import { OfferedButton } from '../../../review/sign/offered-button.tsx'
import { TransactionHash } from '../../../safe/transaction-hash.tsx'
import { fail } from '../../../text/fail.ts'
import { Button } from '../../../ui/button.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { useSigner } from '../../../wallet/signing.ts'
import { text } from '../text.ts'
import { readRaisedFees } from './raised-fees.ts'
import type { FollowedExecution } from './use-execute-transaction.ts'

type ReplaceSentProps = {
  chainId: number
  account: Address | null
  followed: FollowedExecution
  effect: string
  offer: ButtonOffer
  acknowledge: ReactNode
  busy: string | undefined
  onSpeedUp: (() => void) | null
}

/** Lets the account that sent an execution replace it while it waits, once the node has shown its account nonce. */
export function ReplaceSent(props: ReplaceSentProps) {
  const { account, followed } = props
  const { sent, progress, accountNonce } = followed
  if (progress.step !== 'waiting' || accountNonce === null || account === null) return null
  if (!isSameAddress(account, sent.executor)) return null
  return <Replacements key={sent.transactionHash} {...props} account={account} />
}

/**
 * Offers to send an execution again with a higher fee, or to use its account nonce for an empty transaction of the account to
 * itself. The wallet sends both at the account nonce of the execution that waits.
 */
function Replacements({
  chainId,
  account,
  followed: {
    sent: { transactionHash },
  },
  effect,
  offer,
  acknowledge,
  busy,
  onSpeedUp,
}: ReplaceSentProps & { account: Address }) {
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
