import type { MultisigTransaction } from '@countersign/contract'
import { useChain } from '../../api/configuration.ts'
import { currencyOf, nameOf } from '../../review/names.ts'
import { text } from '../../review/text.ts'
import { TransactionHash } from '../../review/transaction-hash.tsx'
import { useNames } from '../../review/use-names.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatAmount } from '../../ui/format-amount.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'

/** What the chain says about an executed transaction. */
export function ExecutedFacts({ transaction }: { transaction: MultisigTransaction }) {
  const { chainId, transactionHash, executor, blockNumber, executionDate, isSuccessful, gasUsed, fee } = transaction
  const chain = useChain(chainId)
  const names = useNames(chainId, transaction.safeAddress)
  const isFailed = isSuccessful === false
  return (
    <Section title={text(isFailed ? 'transaction.notice.failed' : 'transaction.notice.executed')}>
      <div data-executed={isFailed ? 'failed' : 'success'}>
        <Notice tone={isFailed ? 'danger' : 'good'} isAnnounced>
          {isFailed ? text('transaction.notice.failed.sentence') : text('transaction.notice.executed.sentence')}
        </Notice>
        <div className="mt-4">
          <Facts>
            {transactionHash && (
              <Fact label={text('execute.transactionHash')}>
                <TransactionHash chainId={chainId} transactionHash={transactionHash} />
              </Fact>
            )}
            {executor && (
              <Fact label={text('execute.executor')}>
                <Address address={executor} name={nameOf(executor, names)} />
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
        </div>
      </div>
    </Section>
  )
}
