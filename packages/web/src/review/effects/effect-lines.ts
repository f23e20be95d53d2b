import { type ApprovalLeft, type AssetChange, type Effects, slotLine } from '@countersign/review'
import { isSameAddress, isUnlimited } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { currencyOf, type Names, tokenAt } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { unlimitedWords } from '../../safe/words/effect-sentence.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'

/** Effects, one line each: amounts in units where the operator lists the token, else in base units. Addresses in full. */
export function effectLines({ assets, approvals, slots }: Effects, names: Names): string[] {
  return [
    ...assets.map((change) => assetWords(change, names)),
    ...approvals.map((left) => approvalWords(left, names)),
    ...slots.map(({ mayDiffer, ...slot }) =>
      mayDiffer ? text('effects.mayDiffer', { line: slotLine(slot) }) : slotLine(slot),
    ),
  ]
}

function assetWords({ account, isOut, ...asset }: AssetChange, names: Names): string {
  return `${account}: ${isOut ? '−' : '+'}${amountWords(asset, names)}`
}

function approvalWords({ owner, spender, ...asset }: ApprovalLeft, names: Names): string {
  return `${owner} → ${spender}: ${amountWords(asset, names)}`
}

function amountWords(
  { token, tokenId, amount }: Pick<AssetChange, 'token' | 'tokenId' | 'amount'>,
  names: Names,
): string {
  if (tokenId !== null) return `${formatAmount(amount, 0)} ${token} #${tokenId}`
  const unit = isSameAddress(token, zeroAddress) ? currencyOf(names.chain) : tokenAt(token, names.chain)
  const place = isSameAddress(token, zeroAddress) ? '' : ` ${token}`
  if (isUnlimited(amount)) return `${unlimitedWords(token, names)}${place}`
  if (unit === undefined) return `${formatAmount(amount, 0)} ${text('effect.baseUnits')}${place}`
  return `${formatAmount(amount, unit.decimals)} ${showUntrusted(unit.symbol, 20)}${place}`
}
