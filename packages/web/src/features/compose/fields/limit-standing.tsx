import { isSameAddress, limitModules, type SpendingLimit } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { zeroAddress } from 'viem'
import { limitsQuery } from '../../../safe/spending-limits.ts'
import { showUntrusted } from '../../../text/untrusted.ts'
import { formatAmount } from '../../../ui/amount/format-amount.ts'
import { parseAddress } from '../../../ui/form/parse-address.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { Typed } from '../draft.ts'
import type { FormFacts } from '../form-facts.ts'
import type { ReadPart } from '../read-draft.ts'
import { text } from '../text.ts'

type Standing = Pick<SpendingLimit, 'amount' | 'spent'>

/** The limit that is there for who and what the entry names, and what the entry makes of it. */
export function LimitStanding({ part, facts }: { part: ReadPart; facts: FormFacts }) {
  const { typed } = part.entry
  const [module, delegate] = [parseAddress(typed.module), parseAddress(typed.delegate)]
  const query = limitsQuery(facts.safe.chainId, facts.safe.address, module.ok ? module.address : zeroAddress)
  const { data, isError } = useQuery({ ...query, enabled: module.ok })
  if (isError)
    return (
      <p className="text-small text-warning" data-limit-standing="unread">
        {text('compose.limit.unread')}
      </p>
    )
  const asset = assetOf(typed, facts)
  if (!data || !delegate.ok || !asset) return null
  const token = asset.address ?? zeroAddress
  const now = data.limits.find(
    (limit) => isSameAddress(limit.delegate, delegate.address) && isSameAddress(limit.token, token),
  )
  // A list that is not whole may lack the very limit that is asked for.
  if (now === undefined && !data.isWhole) return null
  const afterwards = standingAfter(part, now)
  const shown = (standing: Standing | undefined) =>
    standing === undefined
      ? text('compose.limit.none')
      : text('compose.limit.spent', {
          spent: formatAmount(standing.spent, asset.decimals),
          amount: formatAmount(standing.amount, asset.decimals),
          symbol: showUntrusted(asset.symbol, 20),
        })
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-3 text-small tabular-nums" data-limit-standing="read">
      <dt className="label">{text('compose.limit.now')}</dt>
      <dd>{shown(now)}</dd>
      {afterwards !== null && (
        <>
          <dt className="label">{text('compose.limit.afterwards')}</dt>
          <dd>
            {shown(afterwards)}
            {afterwards !== undefined && afterwards.spent > 0n && ` ${text('compose.limit.kept')}`}
          </dd>
        </>
      )}
    </dl>
  )
}

/** Warns of limits that an Allowance Module kept while it was disabled: enabled, it lets them be spent again. */
export function KeptLimits({ module, facts: { safe } }: { module: string; facts: FormFacts }) {
  const read = parseAddress(module)
  const [known] = read.ok ? limitModules([read.address]) : []
  const { data } = useQuery({
    ...limitsQuery(safe.chainId, safe.address, known ?? zeroAddress),
    enabled: known !== undefined,
  })
  if (known === undefined || !data || data.limits.length === 0) return null
  return (
    <Notice tone="warning" isAnnounced>
      {text('compose.limit.revived', { count: data.limits.length })}
    </Notice>
  )
}

/** Null as long as the entry says no amount. The module keeps what is spent when it is told a new amount. */
function standingAfter({ entry, intent }: ReadPart, now: Standing | undefined): Standing | undefined | null {
  if (entry.kind === 'delete-limit') return undefined
  if (entry.kind === 'reset-limit') return now && { amount: now.amount, spent: 0n }
  return intent?.kind === 'set-limit' ? { amount: intent.amount, spent: now?.spent ?? 0n } : null
}

function assetOf({ asset, tokenAddress }: Typed, { currency, tokens }: FormFacts) {
  if (asset === 'native') return { address: null, ...currency }
  return tokens.get((asset === 'other' ? tokenAddress.trim() : asset).toLowerCase())
}
