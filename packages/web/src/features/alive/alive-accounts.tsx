import { groupAlive, type Reach } from '@countersign/review'
import { isSameAddress, type SafeState } from '@countersign/safe'
import type { Address as AddressType } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { Address } from '../../ui/address.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { text } from './text.ts'
import type { Alive } from './use-alive.ts'

/** Shows the same by account: which nonces it has signed for, and how often. */
export function AliveAccounts({ alive, state, names }: { alive: Alive; state: SafeState; names: Names }) {
  const everything: Reach[] = [...alive.transactions, ...alive.messages]
  const former = everything.flatMap((item) => item.former)
  const approvers = alive.hashes.flatMap(({ confirmations }) => confirmations.map(({ owner }) => owner))
  const accounts = [...state.owners, ...former, ...approvers].filter(
    (account, at, all) => all.findIndex((earlier) => isSameAddress(earlier, account)) === at,
  )
  return (
    <Section title={text('alive.accounts')}>
      <Rows label={text('alive.accounts')}>
        {accounts.map((account) => {
          const lines = linesOf(account, alive)
          if (lines.length === 0) return null
          const isOwner = state.owners.some((owner) => isSameAddress(owner, account))
          return (
            <Row key={account}>
              <div data-alive-account={account} className="grid gap-1">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Address address={account} name={nameOf(account, names)} />
                  {!isOwner && <Tag tone="warning">{text('alive.accounts.former')}</Tag>}
                </p>
                <ul className="text-small text-ink-soft">
                  {lines.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </div>
            </Row>
          )
        })}
      </Rows>
    </Section>
  )
}

function linesOf(account: AddressType, { transactions, messages, hashes }: Alive): string[] {
  const isIn = ({ counted, former }: Reach) => [...counted, ...former].some((known) => isSameAddress(known, account))
  const nonces = groupAlive(transactions.filter(isIn))
  const ofMessages = messages.filter(isIn).length
  const ofHashes = hashes.filter(({ confirmations }) =>
    confirmations.some(({ owner }) => isSameAddress(owner, account)),
  ).length
  return [
    ...nonces.map(({ nonce, entries }) => text('alive.accounts.nonce', { nonce, count: entries.length })),
    ...(ofMessages > 0 ? [text('alive.accounts.messages', { count: ofMessages })] : []),
    ...(ofHashes > 0 ? [text('alive.accounts.hashes', { count: ofHashes })] : []),
  ]
}
