import type { Chain } from '@countersign/contract'
import type { TeamPolicy } from '@countersign/review'
import { useState } from 'react'
import { type Address, zeroAddress } from 'viem'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/form/field.tsx'
import { assetOf, parseLimitAmount } from './policy-words.ts'
import { text } from './text.ts'

const DAY_S = 86_400
const kinds = ['amount', 'reviewer', 'refund'] as const

/** Adds an amount limit, a required reviewer or a refund limit, in units of the native coin or of a listed token. */
export function AddLimit({
  chain,
  owners,
  draft,
  onChange,
}: {
  chain: Chain | undefined
  owners: readonly Address[]
  draft: TeamPolicy
  onChange: (part: Partial<TeamPolicy>) => void
}) {
  const [kind, setKind] = useState<(typeof kinds)[number]>('amount')
  const [asset, setAsset] = useState<Address>(zeroAddress)
  const [typed, setTyped] = useState('')
  const [days, setDays] = useState('7')
  const [reviewer, setReviewer] = useState<Address | undefined>(owners[0])
  const [isWrong, setIsWrong] = useState(false)
  const add = () => {
    const amount = parseLimitAmount(typed, assetOf(asset, chain).decimals)
    const isRead = amount !== null && /^[1-9]\d{0,3}$/.test(days)
    setIsWrong(!isRead)
    if (!isRead) return
    const others = <Item extends { asset: Address | null }>(items: readonly Item[]) =>
      items.filter((item) => item.asset !== asset)
    if (kind === 'amount')
      onChange({ amountLimits: [...others(draft.amountLimits), { asset, amount, period: Number(days) * DAY_S }] })
    if (kind === 'refund') onChange({ refundLimits: [...others(draft.refundLimits), { asset, amount }] })
    if (kind === 'reviewer' && reviewer)
      onChange({ reviewers: [...others(draft.reviewers), { reviewer, asset, above: amount }] })
    setTyped('')
  }
  return (
    <div className="grid gap-4">
      <SelectField
        label={text('policy.form.limit')}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((kind) => kind === target.value) ?? 'amount')}
      >
        {kinds.map((choice) => (
          <option key={choice} value={choice}>
            {text('policy.form.limit.of', { kind: choice })}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text('policy.form.asset')}
        value={asset}
        onChange={({ target }) => setAsset(target.value as Address)}
      >
        {[zeroAddress, ...(chain?.tokens ?? []).map(({ address }) => address)].map((asset) => (
          <option key={asset} value={asset}>
            {assetOf(asset, chain).symbol}
          </option>
        ))}
      </SelectField>
      <Field
        label={text('policy.form.amount', { kind })}
        inputMode="decimal"
        isFigures
        value={typed}
        error={isWrong ? text('policy.form.amount.wrong') : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      {kind === 'amount' && (
        <Field
          label={text('policy.form.days')}
          inputMode="numeric"
          isFigures
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
      )}
      {kind === 'reviewer' && (
        <SelectField
          label={text('policy.form.reviewer')}
          value={reviewer}
          onChange={({ target }) => setReviewer(target.value as Address)}
        >
          {owners.map((owner) => (
            <option key={owner} value={owner}>
              {owner}
            </option>
          ))}
        </SelectField>
      )}
      <div>
        <Button isCompact onClick={add}>
          {text('policy.form.limit.add')}
        </Button>
      </div>
    </div>
  )
}
