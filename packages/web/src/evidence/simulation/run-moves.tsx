import { type BalanceChange, countedBalances, type ExecutedRun } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import type { Address as AddressType } from 'viem'
import { zeroAddress } from 'viem'
import { AboutItem } from '../../safe/items/about-item.tsx'
import { currencyOf, type Names, nameOf, tokenAt } from '../../safe/names/names.ts'
import { text } from '../../safe/words/finding-text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { StoryRow } from '../../ui/row/story-row.tsx'
import { Details } from '../../ui/section.tsx'
import { type NodeWord, RunLine } from './run-line.tsx'

/** Accounts that stand open; those of the Safe come first. */
const SHOWN = 4

/** Assets in and out by account, as the balances are before and after the run. */
export function RunMoves(shown: { run: ExecutedRun; names: Names; node?: NodeWord }) {
  return (
    <StoryRow title={text('run.moves')}>
      <MovedAssets {...shown} />
    </StoryRow>
  )
}

/** Lists the accounts and what they get or give, without a title. */
export function MovedAssets({ run, names, node }: { run: ExecutedRun; names: Names; node?: NodeWord }) {
  const accounts = byAccount(countedBalances(run, names.safeAddress), names.safeAddress)
  const isFailed = run.outcome.kind !== 'success'
  const isComplete = !run.gaps.includes('balances')
  return (
    <>
      {accounts.length === 0 ? (
        <p data-run-moves={isComplete ? 'none' : 'unknown'}>
          {text(isComplete ? 'run.moves.none' : 'run.moves.unknown')}
        </p>
      ) : (
        <>
          <Accounts accounts={accounts.slice(0, SHOWN)} names={names} />
          {accounts.length > SHOWN && (
            <Details
              hasRule={false}
              isLazy={accounts.length > 20}
              summary={text('run.moves.more', { count: accounts.length - SHOWN })}
            >
              <Accounts accounts={accounts.slice(SHOWN)} names={names} />
            </Details>
          )}
        </>
      )}
      {isFailed && <p className="font-semibold text-warning">{text('run.moves.failed')}</p>}
      <RunLine run={run} node={node}>
        {accounts.length > 0 && run.gaps.length === 0 && `${text('run.moves.else')} `}
      </RunLine>
    </>
  )
}

type OfAccount = { account: AddressType; changes: BalanceChange[] }

function Accounts({ accounts, names }: { accounts: readonly OfAccount[]; names: Names }) {
  return (
    <ul className="grid gap-2.5">
      {accounts.map(({ account, changes }) => (
        <li key={account} data-moves-of={account}>
          {isSameAddress(account, names.safeAddress) ? (
            <span className="font-semibold">{text('name.self')}</span>
          ) : (
            <Address address={account} name={nameOf(account, names)} hasAvatar={false} isCopyable={false} />
          )}
          <ul className="grid gap-0.5">
            {changes.map((change) => (
              <Change
                key={`${change.token} ${change.tokenId}`}
                change={change}
                names={names}
                isOwn={isSameAddress(account, names.safeAddress)}
              />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** One asset: the amount that comes or goes, large; before and after next to it. */
function Change({
  change,
  names,
  isOwn,
}: {
  change: BalanceChange
  names: Names
  /** Whether it is the Safe's own: only then the page describes an NFT. */
  isOwn: boolean
}) {
  const { token, tokenId, before, after } = change
  const isRead = before !== null && after !== null
  const isKnown = token === zeroAddress || tokenAt(token, names.chain) !== undefined
  return (
    <li
      className="flex flex-wrap items-baseline gap-x-3"
      data-move={token}
      data-delta={isRead ? (after - before).toString() : 'unread'}
    >
      {isRead ? (
        <ChangedAmount {...change} before={before} after={after} chain={names.chain} />
      ) : (
        <span className="font-semibold text-warning">{text('run.moves.unread')}</span>
      )}
      {tokenId !== null && <span className="text-small">{text('run.moves.item', { tokenId })}</span>}
      {!isKnown && <Address address={token} name={nameOf(token, names)} hasAvatar={false} isCopyable={false} />}
      {isOwn && <ItemDetails change={change} chain={names.chain} />}
    </li>
  )
}

/** The difference, and both balances, unless it is a single NFT. */
function ChangedAmount({
  token,
  standard,
  before,
  after,
  chain,
}: BalanceChange & { before: bigint; after: bigint; chain: Names['chain'] }) {
  const known = token === zeroAddress ? currencyOf(chain) : tokenAt(token, chain)
  const unit = known
    ? showUntrusted(known.symbol, 20)
    : text(standard === 'erc20' ? 'effect.baseUnits' : 'run.moves.items')
  const isLess = after < before
  const amount = (value: bigint) => formatAmount(value, known?.decimals ?? 0)
  return (
    <>
      <span className={`font-semibold tabular-nums ${isLess ? '' : 'text-accent'}`}>
        {isLess ? '−' : '+'}
        {amount(isLess ? before - after : after - before)} {unit}
      </span>
      {standard !== 'erc721' && (
        <span className="text-small text-ink-faint tabular-nums max-sm:hidden">
          {text('run.moves.from-to', { before: amount(before), after: amount(after) })}
        </span>
      )}
    </>
  )
}

/** Describes an NFT by what its contract says. */
function ItemDetails({ change, chain }: { change: BalanceChange; chain: Names['chain'] }) {
  const { token, tokenId, standard } = change
  if (!chain || tokenId === null || (standard !== 'erc721' && standard !== 'erc1155')) return null
  return (
    <div className="basis-full text-small">
      <Details hasRule={false} isLazy summary={text('run.moves.item.about')}>
        <AboutItem chainId={chain.chainId} item={{ address: token, kind: standard, tokenId }} />
      </Details>
    </div>
  )
}

function byAccount(changes: readonly BalanceChange[], safeAddress: string): OfAccount[] {
  const accounts = new Map<string, OfAccount>()
  for (const change of changes) {
    const key = change.account.toLowerCase()
    const known = accounts.get(key)
    if (known === undefined) accounts.set(key, { account: change.account, changes: [change] })
    else known.changes.push(change)
  }
  const isOwn = ({ account }: OfAccount) => isSameAddress(account, safeAddress)
  return [...accounts.values()].toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)))
}
