import type { MultisigTransaction } from '@countersign/contract'
import { Address } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { text } from './text.ts'
import { TransactionHash } from './transaction-hash.tsx'

/** What the chain says about an executed transaction. */
export function ExecutedFacts({ transaction }: { transaction: MultisigTransaction }) {
  const { chainId, transactionHash, executor, blockNumber, executionDate, isSuccessful } = transaction
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
                <Address address={executor} />
              </Fact>
            )}
            {blockNumber !== null && <Fact label={text('execute.block')}>{blockNumber}</Fact>}
            {executionDate && (
              <Fact label={text('execute.date')}>
                <Time value={executionDate} />
              </Fact>
            )}
          </Facts>
        </div>
      </div>
    </Section>
  )
}
