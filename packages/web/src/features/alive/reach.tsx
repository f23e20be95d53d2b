import type { GivenSignature, Reach } from '@countersign/review'
import type { Address as AddressType } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { Address } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { text } from './text.ts'

/** How far signatures reach, in a sentence, and whose they are. `waits` null: a message, which waits for nothing. */
export function ReachView({
  reach,
  waits,
  confirmations,
  names,
}: {
  reach: Reach
  waits: bigint | null
  confirmations: readonly GivenSignature[]
  names: Names
}) {
  const { counted, former, missing, missingIfAddedBack } = reach
  const unchecked = confirmations.filter(({ isChecked }) => !isChecked).length
  return (
    <div className="grid gap-1" data-missing={missing}>
      <p className={missing === 0 ? 'font-semibold text-danger' : undefined}>{reachSentence(missing, waits)}</p>
      {counted.length > 0 && <Accounts label={text('alive.counted')} accounts={counted} names={names} />}
      {former.length > 0 && (
        <>
          <Accounts label={text('alive.former')} accounts={former} names={names} />
          {missing > 0 && (
            <p className="text-small text-warning">
              {text(missingIfAddedBack === 0 ? 'alive.former.enough' : 'alive.former.more', {
                count: former.length,
                missing: missingIfAddedBack,
              })}
            </p>
          )}
        </>
      )}
      {unchecked > 0 && <Notice tone="warning">{text('alive.unchecked', { count: unchecked })}</Notice>}
    </div>
  )
}

function reachSentence(missing: number, waits: bigint | null): string {
  if (waits === null)
    return missing === 0 ? text('alive.reach.message.enough') : text('alive.reach.message.more', { missing })
  const kind = missing === 0 ? 'enough' : missing === 1 ? 'one' : 'more'
  return waits === 0n
    ? text(`alive.reach.${kind}`, { missing })
    : text(`alive.reach.${kind}.ahead`, { missing, count: Number(waits) })
}

/** Accounts in full, each with its name. */
export function Accounts({
  label,
  accounts,
  names,
}: {
  label: string
  accounts: readonly AddressType[]
  names: Names
}) {
  return (
    <div className="text-small text-ink-soft">
      <span>{label}</span>
      <ul>
        {accounts.map((account) => (
          <li key={account}>
            <span className="mr-2 text-ink">{nameOf(account, names)}</span>
            <Address address={account} hasAvatar={false} isCopyable={false} />
          </li>
        ))}
      </ul>
    </div>
  )
}
