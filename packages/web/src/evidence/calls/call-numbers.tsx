import type { DecodedValue } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { useQuery } from '@tanstack/react-query'
import { computedQuery } from '../../api/computed-query.ts'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { type NamedNumber, namedNumbers } from './named-numbers.ts'
import { readNamedValues } from './named-values.ts'

/** Numbers of a call that stand for something else: each by the name that the registry gives it, or the enum of the ABI. */
export function CallNumbers({ call, names }: { call: Call; names: Names }) {
  const { to, name: signature, described, implementation, kind } = call
  const contracts = [to, described?.implementation, implementation?.address].flatMap((address) => address ?? [])
  const asked = { chainId: names.chain?.chainId ?? 0, contracts, signature: signature ?? '' }
  // Calls that move tokens or change the Safe are told in a sentence, and have no such numbers.
  const isEnabled = names.chain !== undefined && signature !== null && kind === 'unknown' && hasNumber(call)
  const named = useQuery({ ...computedQuery('named-values', asked, readNamedValues), enabled: isEnabled }).data ?? []
  const numbers = namedNumbers(call.args, named)
  if (numbers.length === 0) return null
  return (
    <ul className="mt-1 grid gap-1 text-small text-ink-soft" data-call-numbers={numbers.length}>
      {numbers.map((number) => (
        <li key={number.place} className="wrap-anywhere">
          {numberText(number)}
        </li>
      ))}
    </ul>
  )
}

function hasNumber({ args }: Call): boolean {
  const holds = ({ kind, value }: DecodedValue): boolean =>
    kind === 'number' || ((kind === 'list' || kind === 'tuple') && value.some(holds))
  return args.some(({ decoded }) => holds(decoded))
}

function numberText({ place, value, name, enumName }: NamedNumber): string {
  const what = { place: showUntrusted(place, 200), value: value.toString() }
  return name === null
    ? text('call.number.enum', { ...what, enum: showUntrusted(enumName ?? '', 200) })
    : text('call.number.named', { ...what, name: showUntrusted(name, 100) })
}
