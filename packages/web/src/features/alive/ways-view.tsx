import type { Names } from '../../safe/names/names.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { TextLink } from '../../ui/text-link.tsx'
import type { AliveWay } from './alive-ways.ts'
import { Accounts } from './reach.tsx'
import { text } from './text.ts'
import type { Alive, VerifiedTransaction } from './use-alive.ts'

/** Says of one transaction or message which others complete it once they are executed, and who can do that. */
export function WaysView({
  ways = [],
  alive,
  names,
}: {
  ways: readonly AliveWay[] | undefined
  alive: Alive
  names: Names
}) {
  return ways.map(({ by, after, open }) => {
    const first = after.flatMap((hash) => alive.transactions.filter(({ transaction }) => transaction.hash === hash))
    return (
      <div key={`${by} ${after}`} data-together={by === null ? 'anyone' : 'accounts'} className="grid gap-1">
        <p className={open === 0n ? 'font-semibold text-danger' : 'text-warning'}>
          {text(by === null ? 'alive.together.anyone' : 'alive.together.accounts', { count: after.length })}
        </p>
        <ol className="text-small">
          {first.map(({ transaction }) => (
            <li key={transaction.hash} className="wrap-anywhere">
              <Step transaction={transaction} names={names} />
            </li>
          ))}
        </ol>
        {open > 0n && (
          <p className="text-small text-ink-soft">{text('alive.together.open', { count: Number(open) })}</p>
        )}
        {by !== null && <Accounts label={text('alive.together.by')} accounts={by} names={names} />}
      </div>
    )
  })
}

/** A deleted one has no page of its own. */
function Step({ transaction, names }: { transaction: VerifiedTransaction; names: Names }) {
  const { signed, hash, nonce, subject } = transaction
  const title = text('alive.together.step', { nonce, title: transactionTitle(subject.safeTx, names) })
  if (signed.isDeleted) return title
  const { chainId, safeAddress } = subject
  return (
    <TextLink
      to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
      params={{ chainId, safeAddress, safeTxHash: hash }}
    >
      {title}
    </TextLink>
  )
}
