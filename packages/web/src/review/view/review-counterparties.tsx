import { counterpartiesOf, type Facts } from '@countersign/review'
import { isSameAddress, lookupDeployment } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address as AddressType } from 'viem'
import { confusedIn, type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { formatNumber } from '../../text/locale.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Fold } from '../../ui/fold.tsx'
import { StoryRow } from '../../ui/row/story-row.tsx'
import { Details } from '../../ui/section.tsx'

/** Rows that stand open; the others unfold. */
const SHOWN = 4

type Codes = Facts['codes']

/** Everybody who is called, paid or given rights, in full. */
export function ReviewCounterparties({ call, codes, names }: { call: Call; codes: Codes; names: Names }) {
  const all = counterpartiesOf(call)
  const list = (part: readonly string[], isFolded: boolean) => (
    <ul aria-label={text('review.counterparties')} className="grid gap-2.5">
      {part.map((address) => (
        <Counterparty key={address} address={address} codes={codes} names={names} isFolded={isFolded} />
      ))}
    </ul>
  )
  return (
    <StoryRow title={text('review.counterparties')}>
      {list(all.slice(0, SHOWN), false)}
      {all.length > SHOWN && (
        <Details
          hasRule={false}
          isLazy={all.length > 20}
          summary={text('review.counterparties.more', { count: all.length - SHOWN })}
        >
          {list(all.slice(SHOWN), true)}
        </Details>
      )}
    </StoryRow>
  )
}

function Counterparty({
  address,
  codes,
  names,
  isFolded,
}: {
  address: string
  codes: Codes
  names: Names
  /** A long list is laid out where it is looked at. */
  isFolded: boolean
}) {
  const code = codes?.[address.toLowerCase()]
  const release = code && lookupDeployment(address as AddressType, code.codeHash)
  return (
    <li className={isFolded ? '[content-visibility:auto] [contain-intrinsic-size:auto_4rem]' : ''}>
      <Address
        address={address}
        name={
          nameOf(address, names) ??
          (release
            ? text('review.counterparties.release', { name: release.name, version: release.version })
            : text('review.counterparties.unnamed'))
        }
      />
      {confusedIn(names.team).has(address.toLowerCase()) && (
        <p data-confused className="text-small font-semibold text-warning sm:pl-10">
          {text('review.counterparties.alike')}
        </p>
      )}
      <p className="text-small text-ink-soft sm:pl-10">
        {isSameAddress(address, names.safeAddress)
          ? text('review.counterparties.self')
          : code === undefined
            ? text('review.counterparties.unread')
            : code.size === 0
              ? text('review.counterparties.no-code')
              : text('review.counterparties.code', { size: formatNumber(code.size) })}
      </p>
    </li>
  )
}

/** The code of every contract that takes part, for a comparison with a source that the reader trusts. */
export function ReviewCodes({ call, codes, names }: { call: Call; codes: Codes; names: Names }) {
  const contracts = counterpartiesOf(call).flatMap((address) => {
    const code = codes?.[address.toLowerCase()]
    return code === undefined || code.size === 0 ? [] : [{ address, code }]
  })
  if (contracts.length === 0) return null
  return (
    <Fold
      title={text('review.codes')}
      result={text('review.codes.result', { count: contracts.length })}
      isLazy={contracts.length > 20}
    >
      <ul className="grid gap-3">
        {contracts.map(({ address, code }) => (
          <li key={address}>
            <Address address={address} name={nameOf(address, names)} hasAvatar={false} />
            <p className="text-small text-ink-soft">
              {text('review.counterparties.code', { size: formatNumber(code.size) })}
            </p>
            <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-faint">
              {text('code.hash')} <Hash hash={code.codeHash} />
            </p>
          </li>
        ))}
      </ul>
    </Fold>
  )
}
