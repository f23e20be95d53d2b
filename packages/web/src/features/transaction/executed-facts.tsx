import type { MultisigTransaction } from '@countersign/contract'
import { Suspense } from 'react'
import { useChain } from '../../api/configuration.ts'
import { OutcomeBand } from '../../review/view/verdict-band.tsx'
import { currencyOf, nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useRole } from '../../safe/safe.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { TransactionHash } from '../../safe/transaction-hash.tsx'
import { withTexts } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { Time } from '../../ui/text/time.tsx'
import { NextStep } from './next-step.tsx'
import { text } from './text.ts'

const ExecutedRun = lazyPart(async () => (await withTexts(() => import('./executed/executed-run.tsx'))).ExecutedRun)
/** Blocks whose state every node keeps, as a rule. */
const BLOCKS_KEPT = 120

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

/** The way on, and the receipt by the chain. */
export function ExecutedFacts({ transaction }: { transaction: MultisigTransaction }) {
  const { chainId, safeAddress, transactionHash, executor, blockNumber, executionDate, gasUsed, fee } = transaction
  const chain = useChain(chainId)
  const names = useNames(chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  const head = useSafeState(chainId, safeAddress).data?.blockNumber
  const { safeTx, safeTxHash, isSuccessful } = transaction
  return (
    <>
      <CardPart title={text('execute.next')}>
        <div className="grid gap-2">
          <NextStep transaction={transaction} />
          {safeTx && (role === 'owner' || role === 'proposer') && (
            <ButtonLink
              to="/safes/$chainId/$safeAddress/new"
              params={{ chainId, safeAddress }}
              search={{ again: safeTxHash }}
            >
              {text('execute.next.again')}
            </ButtonLink>
          )}
        </div>
      </CardPart>
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
      {safeTx && transactionHash && head !== undefined && (
        <CardPart title={text('executed.title')}>
          <Suspense fallback={<p className="text-small text-ink-soft">{text('executed.asking')}</p>}>
            <ExecutedRun
              execution={{ chainId, safeAddress, safeTx, safeTxHash, transactionHash }}
              isRecent={blockNumber !== null && head - BigInt(blockNumber) <= BLOCKS_KEPT}
              isSuccessful={isSuccessful}
              names={names}
            />
          </Suspense>
        </CardPart>
      )}
    </>
  )
}
