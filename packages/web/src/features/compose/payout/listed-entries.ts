import { addEntry, type Draft, type Typed } from '../draft.ts'
import { exactAmount } from '../exact-amount.ts'
import type { ListAsset, ListedPayment } from './payment-list.ts'

/** Puts the payments of a short list into a draft, as entries that can be seen, changed and moved. */
export function withPayments(draft: Draft, payments: readonly ListedPayment[], assets: readonly ListAsset[]): Draft {
  return payments.reduce((before, payment) => {
    const { kind, typed } = entryOf(payment, assets)
    return addEntry(before, kind, typed).draft
  }, draft)
}

function entryOf({ intent }: ListedPayment, assets: readonly ListAsset[]) {
  const recipient = intent.to
  if ('collection' in intent) {
    const item = { recipient, collection: intent.collection, tokenId: intent.tokenId.toString() }
    const typed: Partial<Typed> =
      intent.kind === 'send-erc1155'
        ? { ...item, standard: 'erc1155', amount: intent.amount.toString() }
        : { ...item, standard: 'erc721' }
    return { kind: 'item' as const, typed }
  }
  const token = intent.kind === 'send-erc20' ? intent.token : null
  const asset = assets.find(({ address }) => address === token)
  const amount = exactAmount(intent.amount, asset?.decimals ?? 0)
  const typed: Partial<Typed> =
    token === null
      ? { asset: 'native', recipient, amount }
      : asset?.isListed
        ? { asset: token, recipient, amount }
        : { asset: 'other', tokenAddress: token, recipient, amount }
  return { kind: 'transfer' as const, typed }
}
