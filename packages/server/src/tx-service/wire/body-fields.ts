import { type Address, type Hex, zeroAddress } from 'viem'
import { refuseFields } from './answers.ts'
import { isChecksummed, parseMoment } from './fields.ts'

const MAX_UINT256 = (1n << 256n) - 1n
const ONE: Address = '0x0000000000000000000000000000000000000001'

type Optional = { optional?: boolean }

/**
 * The fields of a body, each by the rule and with the texts of this wire. Null: not given, or given as nothing. All that
 * are wrong are named at once, when `done` is called: what was read until then is not to be used before.
 */
export function parseFields(body: Record<string, unknown>) {
  const faults: Record<string, string[]> = {}
  function fault(name: string, message: string): null {
    faults[name] ??= [message]
    return null
  }
  function read<value>(
    name: string,
    { optional }: Optional,
    parse: (given: NonNullable<unknown>) => value | null,
  ): value | null {
    const given = body[name]
    if (given === undefined) return optional ? null : fault(name, 'This field is required.')
    if (given === null) return optional ? null : fault(name, 'This field may not be null.')
    return parse(given)
  }
  return {
    fault,
    /** The zero address and the marker 0x…01 are nobody: each is allowed where it is named. */
    address: (name: string, options: Optional & { allows?: readonly ('zero' | 'marker')[] } = {}) =>
      read(name, options, (given): Address | null => {
        const text = String(given)
        if (!isChecksummed(text)) return fault(name, `Address ${text.slice(0, 100)} is not checksumed`)
        if (text === zeroAddress && !options.allows?.includes('zero')) return fault(name, '0x0 address is not allowed')
        if (text === ONE && !options.allows?.includes('marker')) return fault(name, '0x1 address is not allowed')
        return text
      }),
    /** Bytes; `min` and `max` in bytes. An odd digit at the front counts as a byte. */
    hex: (name: string, options: Optional & { min?: number; max?: number; isBlankAllowed?: boolean } = {}) =>
      read(name, options, (given): Hex | null => {
        if (typeof given !== 'string') return fault(name, `${inPython(given)} is not a hexadecimal value.`)
        const digits = given.trim().replace(/^0x/i, '')
        if (digits === '')
          return options.isBlankAllowed || !options.min ? '0x' : fault(name, 'This field may not be blank.')
        if (!/^[0-9a-f]+$/i.test(digits)) return fault(name, `${digits.slice(0, 100)} is not a hexadecimal value.`)
        const bytes = Math.ceil(digits.length / 2)
        if (options.min && bytes < options.min)
          return fault(name, `Ensure this field has at least ${options.min} hexadecimal chars (not counting 0x).`)
        if (options.max && bytes > options.max)
          return fault(name, `Ensure this field has no more than ${options.max} hexadecimal chars (not counting 0x).`)
        return `0x${digits.toLowerCase().padStart(2 * bytes, '0')}`
      }),
    /** A JSON number or decimal text. */
    integer: (name: string, options: Optional = {}) =>
      read(name, options, (given): bigint | null => {
        const text = typeof given === 'number' && Number.isSafeInteger(given) ? String(given) : given
        if (typeof text !== 'string') return fault(name, 'A valid integer is required.')
        if (text.length > 1_000) return fault(name, 'String value too large.')
        const [, sign, digits] = /^\s*(-?)(\d+)(?:\.0*)?\s*$/.exec(text) ?? []
        if (digits === undefined) return fault(name, 'A valid integer is required.')
        const value = BigInt(digits)
        if (sign && value > 0n) return fault(name, 'Ensure this value is greater than or equal to 0.')
        return value > MAX_UINT256 ? fault(name, `Ensure this value is less than or equal to ${MAX_UINT256}.`) : value
      }),
    text: (name: string, options: Optional & { max?: number } = {}) =>
      read(name, options, (given): string | null => {
        if (typeof given !== 'string' && typeof given !== 'number') return fault(name, 'Not a valid string.')
        const text = String(given).trim()
        if (text === '') return fault(name, 'This field may not be blank.')
        return options.max && [...text].length > options.max
          ? fault(name, `Ensure this field has no more than ${options.max} characters.`)
          : text
      }),
    moment: (name: string, options: Optional = {}) =>
      read(
        name,
        options,
        (given): Date | null =>
          parseMoment(String(given)) ??
          fault(
            name,
            'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
          ),
      ),
    done(status = 400): void {
      if (Object.keys(faults).length > 0) refuseFields(faults, status)
    },
  }
}

/** A value that is no text, as the service names it in errors. */
function inPython(given: NonNullable<unknown>): string {
  if (typeof given === 'boolean') return given ? 'True' : 'False'
  return JSON.stringify(given).slice(0, 100)
}
