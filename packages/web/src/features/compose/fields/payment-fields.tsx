import { isSame } from '../../../safe/names/names.ts'
import { parseAmount } from '../../../safe/worth/amount.ts'
import { Worth } from '../../../safe/worth/worth.tsx'
import { showUntrusted } from '../../../text/untrusted.ts'
import { formatAmount } from '../../../ui/amount/format-amount.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, SelectField } from '../../../ui/form/field.tsx'
import { parseAddress } from '../../../ui/form/parse-address.ts'
import { exactAmount } from '../exact-amount.ts'
import type { FormFacts } from '../form-facts.ts'
import type { ReadPart } from '../read-draft.ts'
import type { Asset } from '../read-entry.ts'
import { text } from '../text.ts'
import type { TokenFacts } from '../token.ts'
import { type FieldsProps, RecipientField } from './address-fields.tsx'

/** The asset: the chain's coin, a listed token, or another one by its address. */
export function AssetFields({ typed, errors, set, facts }: FieldsProps & { facts: FormFacts }) {
  const { chain, currency } = facts
  const other = typed.asset === 'other' ? readingOf(typed.tokenAddress, facts) : undefined
  const isOffered = ['native', 'other', ...(chain?.tokens ?? []).map(({ address }) => address)].includes(typed.asset)
  const { symbol } = facts.tokens.get(typed.asset.toLowerCase()) ?? {}
  return (
    <>
      <SelectField
        label={text('propose.token')}
        value={typed.asset}
        onChange={(event) => set({ asset: event.target.value })}
        error={errors.asset}
      >
        <option value="native">
          {text(
            'propose.token.named',
            plain({ name: currency.symbol, ...chain?.nativeCurrency, symbol: currency.symbol }),
          )}
        </option>
        {chain?.tokens.map((token) => (
          <option key={token.address} value={token.address}>
            {text('propose.token.named', plain(token))}
          </option>
        ))}
        {/* Lists change: a draft may name a token that is listed no more, and the field must not show another one. */}
        {!isOffered && (
          <option value={typed.asset}>
            {symbol === undefined ? typed.asset : text('propose.token.named', plain({ name: typed.asset, symbol }))}
          </option>
        )}
        <option value="other">{text('propose.token.other')}</option>
      </SelectField>
      {typed.asset === 'other' && (
        <Field
          label={text('propose.tokenAddress')}
          isFigures
          value={typed.tokenAddress}
          onChange={(event) => set({ tokenAddress: event.target.value })}
          autoComplete="off"
          spellCheck={false}
          placeholder="0x"
          error={errors.tokenAddress}
          hint={other && text('propose.tokenAddress.found', { ...plain(other), decimals: other.decimals })}
        />
      )}
    </>
  )
}

function readingOf(typed: string, facts: FormFacts): TokenFacts | null | undefined {
  const read = parseAddress(typed)
  return read.ok ? facts.readings.get(read.address.toLowerCase()) : undefined
}

function plain({ name, symbol }: { name: string; symbol: string }): { name: string; symbol: string } {
  return { name: showUntrusted(name, 60), symbol: showUntrusted(symbol, 20) }
}

/** A payment of coin or of an ERC-20 token. */
export function PaymentFields({
  part,
  parts,
  facts,
  ...fields
}: FieldsProps & { part: ReadPart; parts: readonly ReadPart[]; facts: FormFacts }) {
  const { typed, errors, set } = fields
  const asset = assetOf(part, facts)
  const balance = asset && balanceOf(asset, facts)
  const others = asset
    ? spentBy(
        parts.filter(({ entry }) => entry.id !== part.entry.id),
        asset,
      )
    : 0n
  const left = balance === undefined || balance === null ? null : balance > others ? balance - others : 0n
  const amount = asset ? parseAmount(typed.amount, asset.decimals) : null
  const isOver = left !== null && amount?.ok === true && amount.value > left
  return (
    <>
      <AssetFields {...fields} facts={facts} />
      <RecipientField facts={facts} {...fields} />
      <Field
        label={text('propose.amount')}
        inputMode="decimal"
        value={typed.amount}
        onChange={(event) => set({ amount: event.target.value })}
        autoComplete="off"
        suffix={
          asset && (
            <span className="flex items-center gap-2">
              {showUntrusted(asset.symbol, 20)}
              {left !== null && left > 0n && (
                <Button isCompact variant="quiet" onClick={() => set({ amount: exactAmount(left, asset.decimals) })}>
                  {text('compose.max')}
                </Button>
              )}
            </span>
          )
        }
        error={errors.amount}
        warning={
          isOver && asset && amount.ok
            ? text('propose.amount.over', {
                amount: withUnit(left, asset),
                missing: withUnit(amount.value - left, asset),
              })
            : undefined
        }
        hint={
          asset && left !== null
            ? amount?.ok
              ? text('compose.left', { amount: withUnit(left - amount.value, asset) })
              : `${text('propose.balance', { amount: withUnit(left, asset) })} ${text('propose.amount.hint')}`
            : text('propose.amount.hint')
        }
      />
      {asset && amount?.ok && (
        <Worth
          chainId={facts.safe.chainId}
          holding={{ token: asset.address, amount: amount.value, decimals: asset.decimals }}
          isTold
        />
      )}
    </>
  )
}

function assetOf({ entry: { typed } }: ReadPart, facts: FormFacts): Asset | null {
  if (typed.asset === 'native') return { address: null, ...facts.currency }
  const read = parseAddress(typed.asset === 'other' ? typed.tokenAddress : typed.asset.toLowerCase())
  return (read.ok && facts.tokens.get(read.address.toLowerCase())) || null
}

function balanceOf({ address }: Asset, { safe, readings }: FormFacts): bigint | undefined {
  return address === null ? safe.balance : readings.get(address.toLowerCase())?.balance
}

/** Adds up what other entries of the draft pay of the same asset. */
function spentBy(parts: readonly ReadPart[], { address }: Asset): bigint {
  return parts.reduce((sum, { intent }) => {
    if (address === null) return intent?.kind === 'send-native' ? sum + intent.amount : sum
    return intent?.kind === 'send-erc20' && isSame(intent.token, address) ? sum + intent.amount : sum
  }, 0n)
}

function withUnit(value: bigint, { decimals, symbol }: Asset): string {
  return `${formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
}
