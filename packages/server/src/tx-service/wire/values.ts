import { type Hex, zeroAddress } from 'viem'

/** ISO 8601, UTC, with microseconds where there is a fraction of a second. */
export function toDate(moment: Date): string
export function toDate(moment: Date | null): string | null
export function toDate(moment: Date | null): string | null {
  if (moment === null) return null
  return moment.toISOString().replace(/\.(\d{3})Z$/, (_, digits: string) => (digits === '000' ? 'Z' : `.${digits}000Z`))
}

/** No bytes are `null` where calls are told. */
export function toData(data: Hex | null): Hex | null {
  return data === '0x' ? null : data
}

export function addressOrZero<address>(found: address | null): address | typeof zeroAddress {
  return found ?? zeroAddress
}

/** Gives the origin back as the JSON that its kept text is, written as this wire writes it. */
export function toOrigin(origin: string | null): string {
  if (origin === null || origin === '') return '{}'
  try {
    const parsed: unknown = JSON.parse(origin)
    return typeof parsed === 'string' ? parsed : writeJson(parsed)
  } catch {
    return origin
  }
}

/** JSON with a space after commas and colons, and everything outside ASCII escaped. */
function writeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeJson).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, member]) => `${writeJson(key)}: ${writeJson(member)}`)
      .join(', ')}}`
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Reads a part of a row. Null where that throws: one row never takes a whole list with it. */
export function orNull<part>(read: () => part): part | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** `execution_date__gte` as this wire names it in errors. */
export function fieldName(parameter: string): string {
  return parameter.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
