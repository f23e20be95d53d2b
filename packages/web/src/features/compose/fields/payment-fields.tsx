import { isSameAddress } from '@countersign/safe'
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
  const payment = paymentOf(part, parts, facts)
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
        suffix={payment && <AssetUnit payment={payment} onMost={(amount) => set({ amount })} />}
        error={errors.amount}
        warning={payment ? excessWarning(payment) : undefined}
        hint={payment ? amountHint(payment) : text('propose.amount.hint')}
      />
      {payment && payment.amount !== null && (
        <Worth
          chainId={facts.safe.chainId}
          holding={{ token: payment.asset.address, amount: payment.amount, decimals: payment.asset.decimals }}
          isTold
        />
      )}
    </>
  )
}

/** A payment as it is typed: its amount, null until it can be read, and what the Safe has left for it, null if unknown. */
type Payment = { asset: Asset; amount: bigint | null; left: bigint | null }

/** Returns null while the asset is unknown. */
function paymentOf(part: ReadPart, parts: readonly ReadPart[], facts: FormFacts): Payment | null {
  const asset = assetOf(part, facts)
  if (!asset) return null
  const read = parseAmount(part.entry.typed.amount, asset.decimals)
  const others = parts.filter(({ entry }) => entry.id !== part.entry.id)
  return { asset, amount: read.ok ? read.value : null, left: leftFor(asset, others, facts) }
}

function leftFor(asset: Asset, others: readonly ReadPart[], facts: FormFacts): bigint | null {
  const balance = balanceOf(asset, facts)
  if (balance === undefined || balance === null) return null
  const spent = spentBy(others, asset)
  return balance > spent ? balance - spent : 0n
}

/** The symbol of the asset, and a button that pays all that is left. */
function AssetUnit({ payment: { asset, left }, onMost }: { payment: Payment; onMost: (amount: string) => void }) {
  return (
    <span className="flex items-center gap-2">
      {showUntrusted(asset.symbol, 20)}
      {left !== null && left > 0n && (
        <Button isCompact variant="quiet" onClick={() => onMost(exactAmount(left, asset.decimals))}>
          {text('compose.max')}
        </Button>
      )}
    </span>
  )
}

function excessWarning({ asset, amount, left }: Payment): string | undefined {
  if (amount === null || left === null || amount <= left) return undefined
  return text('propose.amount.over', { amount: withUnit(left, asset), missing: withUnit(amount - left, asset) })
}

function amountHint({ asset, amount, left }: Payment): string {
  if (left === null) return text('propose.amount.hint')
  if (amount !== null) return text('compose.left', { amount: withUnit(left - amount, asset) })
  return `${text('propose.balance', { amount: withUnit(left, asset) })} ${text('propose.amount.hint')}`
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
    return intent?.kind === 'send-erc20' && isSameAddress(intent.token, address) ? sum + intent.amount : sum
  }, 0n)
}

function withUnit(value: bigint, { decimals, symbol }: Asset): string {
  return `${formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
}
