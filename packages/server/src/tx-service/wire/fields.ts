import { type SQL, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { refuseCode, refuseDetail, refuseFields } from './answers.ts'
import type { Call } from './service.ts'
import { fieldName } from './values.ts'

/** Checksummed, and nothing else: lower case is refused here. */
export function isChecksummed(text: string): text is Address {
  return isAddress(text) && getAddress(text) === text
}

/** An address of the path. */
export function pathAddress(
  { params }: Pick<Call, 'params'>,
  name: string,
  message = 'Checksum address validation failed',
): Address {
  const text = params(name)
  return isChecksummed(text) ? text : refuseCode(422, 1, message, [text])
}

/** A hash of the path: 0x is optional, any case. What is none names nothing. */
export function pathHash({ params }: Pick<Call, 'params'>, name: string): Hex {
  return parseHash(params(name)) ?? refuseDetail(404, 'Not found.')
}

export function parseHash(text: string): Hex | null {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim()) ?? []
  return digits ? `0x${digits.toLowerCase()}` : null
}

/** An odd digit at the front counts as a byte. */
function toWholeBytes(text: string): Hex | undefined {
  const [, digits] = /^\s*(?:0x)?([0-9a-f]+)\s*$/i.exec(text) ?? []
  return digits === undefined ? undefined : `0x${'0'.repeat(digits.length % 2)}${digits.toLowerCase()}`
}

/**
 * The parameters of a list: absent or empty ones are undefined. All that are wrong are named at once, when `done` is
 * called.
 */
export function parseFilters({ query }: Pick<Call, 'query'>) {
  const faults: Record<string, string[]> = {}
  function read<value>(name: string, parse: (text: string) => value | undefined, message: (text: string) => string) {
    const text = query.get(name)
    if (text === null || text === '') return undefined
    const found = parse(text)
    if (found === undefined) faults[fieldName(name)] = [message(text)]
    return found
  }
  return {
    address: (name: string) =>
      read(
        name,
        (text) => (isChecksummed(text) ? text : undefined),
        () => 'Enter a valid checksummed Ethereum Address.',
      ),
    hash: (name: string) =>
      read(
        name,
        (text) => parseHash(toWholeBytes(text) ?? '') ?? undefined,
        (text) => {
          const bytes = toWholeBytes(text)?.slice(0, 100)
          return bytes === undefined
            ? `"${text.slice(0, 100)}" is not a valid keccak256 hash.`
            : `"${bytes}" keccak256 hash should be 32 bytes.`
        },
      ),
    /** As text in decimal: nothing is so large as not to be compared. */
    number: (name: string) =>
      read(
        name,
        (text) => /^\s*\+?(-?(?:\d{1,78}(?:\.\d{0,78})?|\.\d{1,78})(?:e[+-]?\d{1,2})?)\s*$/i.exec(text)?.[1],
        () => 'Enter a number.',
      ),
    choice: (name: string, choices: readonly string[]) =>
      read(
        name,
        (text) => choices.find((choice) => choice === text),
        (text) => `Select a valid choice. ${text.slice(0, 100)} is not one of the available choices.`,
      ),
    moment: (name: string) => read(name, parseMoment, () => 'Enter a valid date/time.'),
    text: (name: string) =>
      read(
        name,
        // PostgreSQL has no text with this character.
        (text) => (text.includes('\0') ? undefined : text),
        () => 'Null characters are not allowed.',
      ),
    /** Any other value counts as not given. */
    boolean: (name: string): boolean | undefined => {
      const text = query.get(name)?.toLowerCase()
      if (text === 'true' || text === '1') return true
      return text === 'false' || text === '0' ? false : undefined
    },
    done: () => {
      if (Object.keys(faults).length > 0) refuseFields(faults)
    },
  }
}

export type Filters = ReturnType<typeof parseFilters>

type Ordering<name> = { name: name; isDescending: boolean }

/**
 * The order that is asked for: by the first of the names after `ordering` that the list has. Clients write several, and
 * some that no list has: `nonce,submissionDate`.
 */
export function parseOrdering<const name extends string>(
  { query }: Pick<Call, 'query'>,
  names: readonly name[],
  usual: Ordering<name>,
): Ordering<name> {
  for (const term of (query.get('ordering') ?? '').split(',')) {
    const [, minus, given] = /^\s*(-?)(\w+)\s*$/.exec(term) ?? []
    const name = names.find((each) => each === given)
    if (name) return { name, isDescending: minus === '-' }
  }
  return usual
}

const comparisons = [
  ['', sql`=`],
  ['__lt', sql`<`],
  ['__gt', sql`>`],
  ['__lte', sql`<=`],
  ['__gte', sql`>=`],
] as const

/** `name`, `name__lt` and so on, of a number. */
export function compareNumbers(filters: Filters, name: string, expression: SQL): SQL[] {
  return comparisons.flatMap(([suffix, sign]) => {
    const value = filters.number(`${name}${suffix}`)
    return value === undefined ? [] : [sql`${expression} ${sign} ${value}::numeric`]
  })
}

/** Compares a column with the times of a filter. */
export function compareMoments(filters: Filters, name: string, expression: SQL): SQL[] {
  return comparisons.flatMap(([suffix, sign]) => {
    const value = filters.moment(`${name}${suffix}`)
    return value === undefined ? [] : [sql`${expression} ${sign} ${value.toISOString()}::timestamptz`]
  })
}

const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?([Zz]|[+-]\d\d:?\d\d)?)?$/

/** ISO 8601; without a zone it is UTC. A plus that was not escaped in the query arrives as a space. */
export function parseMoment(text: string): Date | undefined {
  const [, day, time = '00:00', fraction = '', zone = 'Z'] = MOMENT.exec(text.replace(/ (?=\d\d:?\d\d$)/, '+')) ?? []
  const found = new Date(
    `${day}T${time}${fraction && `${time.length === 5 ? ':00' : ''}${fraction.slice(0, 4)}`}${zone}`,
  )
  // PostgreSQL has no year 0, and reads no year of more than four digits.
  const year = found.getUTCFullYear()
  return day !== undefined && year >= 1 && year <= 9999 ? found : undefined
}
