import { type DecodedValue, type NamedValues, namesAt } from '@countersign/safe'
import type { CallArgument } from '@countersign/safe/calls'

/**
 * A number of a call that stands for something else: its place such as `order.side` or `sides[2]`, the enum that the ABI says
 * it is a member of, and its name by a descriptor; null where nobody says.
 */
export type NamedNumber = { place: string; value: bigint; enumName: string | null; name: string | null }

/** More than a screen has room for. */
const MAX_NUMBERS = 50

/**
 * Numbers among the arguments of a call that are members of an enum, or have names in the registry.
 *
 * @example
 * namedNumbers(call.args, borrow.named) // [{ place: 'interestRateMode', value: 2n, enumName: null, name: 'variable' }]
 */
export function namedNumbers(args: readonly CallArgument[], named: readonly NamedValues[]): NamedNumber[] {
  const found: NamedNumber[] = []
  const visit = (decoded: DecodedValue, place: string, path: readonly number[]) => {
    if (found.length >= MAX_NUMBERS) return
    if (decoded.kind === 'list') {
      for (const [index, member] of decoded.value.entries()) visit(member, `${place}[${index}]`, [...path, index])
    } else if (decoded.kind === 'tuple') {
      for (const [index, member] of decoded.value.entries())
        visit(member, `${place}.${member.name || index}`, [...path, index])
    } else if (decoded.kind === 'number') {
      const { value, enumName = null } = decoded
      const name = namesAt(named, path)?.get(value.toString()) ?? null
      if (name !== null || enumName !== null) found.push({ place, value, enumName, name })
    }
  }
  for (const [index, { name, decoded }] of args.entries()) visit(decoded, name || String(index), [index])
  return found
}
