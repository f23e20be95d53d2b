import { useState } from 'react'
import { parseAmount, parseNonce } from '../../../safe/worth/amount.ts'
import { formatNumber } from '../../../text/locale.ts'
import { Fold } from '../../../ui/fold.tsx'
import { Field } from '../../../ui/form/field.tsx'
import type { ChosenFees } from '../../../wallet/signing.ts'
import { text } from '../text.ts'

const GWEI_DECIMALS = 9

/** Fields as they were typed; an empty one leaves it to the wallet. */
export type TypedFees = { most: string; tip: string; gas: string; nonce: string }
export const noFees: TypedFees = { most: '', tip: '', gas: '', nonce: '' }

type FeeErrors = Partial<Record<keyof TypedFees, string>>

/** Reads what was typed, or says at each field what is wrong. */
export function parseFees(typed: TypedFees): { fees: ChosenFees; errors: FeeErrors } {
  const errors: FeeErrors = {}
  const gwei = (name: 'most' | 'tip') => {
    if (typed[name].trim() === '') return undefined
    const read = parseAmount(typed[name], GWEI_DECIMALS)
    if (read.ok) return read.value
    if (read.problem === 'zero') return 0n
    errors[name] = text('execute.fees.malformed')
    return undefined
  }
  const whole = (name: 'gas' | 'nonce', most: bigint) => {
    if (typed[name].trim() === '') return undefined
    const read = parseNonce(typed[name])
    if (read !== null && read <= most) return read
    errors[name] = text('execute.fees.whole', { most: formatNumber(Number(most)) })
    return undefined
  }
  const [most, tip] = [gwei('most'), gwei('tip')]
  const [gas, nonce] = [whole('gas', MAX_GAS), whole('nonce', BigInt(Number.MAX_SAFE_INTEGER))]
  if (most !== undefined && tip !== undefined && tip > most) errors.tip = text('execute.fees.tip.above')
  const fees: ChosenFees = {
    ...(most === undefined ? {} : { maxFeePerGas: most }),
    ...(tip === undefined ? {} : { maxPriorityFeePerGas: tip }),
    ...(gas === undefined ? {} : { gas }),
    ...(nonce === undefined ? {} : { nonce: Number(nonce) }),
  }
  return { fees, errors }
}

/** Keeps the fees that a person chooses. `areValid` is false while a field has an error. */
export function useChosenFees() {
  const [typed, change] = useState(noFees)
  const { fees, errors } = parseFees(typed)
  return { typed, change, fees, areValid: Object.keys(errors).length === 0 }
}

/** No block holds more. */
const MAX_GAS = 1_000_000_000n

/** Fees and account nonce of an execution, for those who want to choose them; of several the fees alone, as each has its own gas. */
export function FeesFold({
  typed,
  onChange,
  isOfSeveral = false,
}: {
  typed: TypedFees
  onChange: (typed: TypedFees) => void
  isOfSeveral?: boolean
}) {
  const { errors } = parseFees(typed)
  const field = (name: keyof TypedFees, suffix?: string) => (
    <Field
      label={text(`execute.fees.${name}`)}
      inputMode={name === 'most' || name === 'tip' ? 'decimal' : 'numeric'}
      value={typed[name]}
      onChange={({ target }) => onChange({ ...typed, [name]: target.value })}
      autoComplete="off"
      suffix={suffix}
      error={errors[name]}
      hint={text(`execute.fees.${name}.hint`)}
    />
  )
  return (
    <Fold title={text(isOfSeveral ? 'execute.fees.several' : 'execute.fees')}>
      <div className="grid gap-3">
        <p className="text-small text-ink-soft">{text('execute.fees.what')}</p>
        {field('most', 'gwei')}
        {field('tip', 'gwei')}
        {!isOfSeveral && field('gas')}
        {!isOfSeveral && field('nonce')}
      </div>
    </Fold>
  )
}
