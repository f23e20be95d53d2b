import type { MultisigTransaction } from '@countersign/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useChain } from '../../api/configuration.ts'
import { useRole } from '../../api/safe.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { currencyOf, nameOf } from '../../review/names.ts'
import { proposalsOf, waitsFor } from '../../review/proposals.ts'
import { queueQuery } from '../../review/queries.ts'
import { text } from '../../review/text.ts'
import { transactionTitle } from '../../review/title/transaction-title.ts'
import { TransactionHash } from '../../review/transaction-hash.tsx'
import { useNames } from '../../review/use-names.ts'
import { OutcomeBand } from '../../review/view/verdict-band.tsx'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatAmount } from '../../ui/format-amount.ts'
import { Time } from '../../ui/time.tsx'
import { useSession } from '../../wallet/index.ts'

/** The outcome, in the place of the verdict. */
export function ExecutedBand({ transaction: { isSuccessful } }: { transaction: MultisigTransaction }) {
  const isFailed = isSuccessful === false
  return (
    <div data-executed={isFailed ? 'failed' : 'success'}>
      <OutcomeBand isFailed={isFailed}>
        <p>{text(isFailed ? 'transaction.notice.failed.sentence' : 'transaction.notice.executed.sentence')}</p>
      </OutcomeBand>
    </div>
  )
}

/** The receipt by the chain, and the way on. */
export function ExecutedFacts({ transaction }: { transaction: MultisigTransaction }) {
  const { chainId, safeAddress, transactionHash, executor, blockNumber, executionDate, gasUsed, fee } = transaction
  const chain = useChain(chainId)
  const names = useNames(chainId, safeAddress)
  return (
    <>
      <CardPart title={text('execute.receipt')}>
        <Facts>
          {transactionHash && (
            <Fact label={text('execute.transactionHash')}>
              <TransactionHash chainId={chainId} transactionHash={transactionHash} />
            </Fact>
          )}
          {executor && (
            <Fact label={text('execute.executor')}>
              <Address address={executor} name={nameOf(executor, names)} hasAvatar={false} />
            </Fact>
          )}
          {blockNumber !== null && <Fact label={text('execute.block')}>{blockNumber}</Fact>}
          {executionDate && (
            <Fact label={text('execute.date')}>
              <Time value={executionDate} />
            </Fact>
          )}
          {fee !== null && (
            <Fact
              label={text('execute.fee')}
              hint={gasUsed !== null && text('execute.gasUsed', { gas: formatAmount(gasUsed, 0) })}
            >
              <Amount value={fee} {...currencyOf(chain)} />
            </Fact>
          )}
        </Facts>
      </CardPart>
      <NextStep transaction={transaction} />
    </>
  )
}

/** The next transaction that waits for the reader, or the way back to the queue. */
function NextStep({ transaction: { chainId, safeAddress } }: { transaction: MultisigTransaction }) {
  const { session } = useSession()
  const account = session?.address ?? null
  const names = useNames(chainId, safeAddress)
  const state = useSafeState(chainId, safeAddress).data
  const isOwner = useRole(chainId, safeAddress) === 'owner'
  const queue = useInfiniteQuery({ ...queueQuery(chainId, safeAddress), enabled: isOwner })
  const open = proposalsOf((queue.data?.pages ?? []).flatMap((page) => page.transactions))
  const next = open.find((waiting) => !waiting.isExecuted && waitsFor(waiting, account, state))
  return (
    <CardPart title={text('execute.next')}>
      <div className="grid gap-2">
        {next?.safeTx && (
          <>
            <p className="font-semibold text-pretty wrap-anywhere">{transactionTitle(next.safeTx, names)}</p>
            <ButtonLink
              variant="primary"
              to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
              params={{ chainId, safeAddress, safeTxHash: next.safeTxHash }}
            >
              {text('execute.next.review')}
            </ButtonLink>
          </>
        )}
        <ButtonLink to="/safes/$chainId/$safeAddress" params={{ chainId, safeAddress }}>
          {text('execute.next.queue')}
        </ButtonLink>
      </div>
    </CardPart>
  )
}
