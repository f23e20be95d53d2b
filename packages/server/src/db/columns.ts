import type { SignatureType } from '@countersign/safe'
import { type SQL, sql } from 'drizzle-orm'
import { bigint, customType, type PgColumn, text, timestamp } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { type Address, getAddress, type Hex } from 'viem'

/** Addresses that were read last: a page has hundreds, mostly the same. */
const MAX_CHECKSUMMED = 20_000

/** The driver brings hex for bytes: as PostgreSQL writes them, or as it does where `bytea_output` says so. */
const parseBytes: (text: string) => Buffer = pg.types.getTypeParser(pg.types.builtins.BYTEA)
pg.types.setTypeParser(
  pg.types.builtins.BYTEA,
  (text): Hex => (text.startsWith('\\x') ? `0x${text.slice(2)}` : `0x${parseBytes(text).toString('hex')}`),
)

/** Converts hex to the driver's form. */
export function toBytes(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

/** In arrays the driver brings bytes as such. */
function decodeHex(brought: Hex | Buffer): Hex {
  return typeof brought === 'string' ? brought : `0x${brought.toString('hex')}`
}

const checksummed = new Map<Hex, Address>()

/** Parses an address in the driver's form. */
export function decodeAddress(brought: Hex | Buffer): Address {
  const bytes = decodeHex(brought)
  const known = checksummed.get(bytes)
  if (known) return known
  const address = getAddress(bytes)
  if (checksummed.size >= MAX_CHECKSUMMED) checksummed.clear()
  checksummed.set(bytes, address)
  return address
}

/** 20 bytes in the database, a checksummed address in the program. */
export const address = customType<{ data: Address; driverData: Hex | Buffer }>({
  dataType: () => 'bytea',
  toDriver: toBytes,
  fromDriver: decodeAddress,
})

/** Reads a column of addresses in lower case: of thousands at a time a checksum of each would be most of the work. */
export function lowerCaseOf(column: PgColumn): SQL<Address> {
  return sql`'0x' || encode(${column}, 'hex')`
}

/** Names a value of a statement that is built once and given its values later, for a column that may be null. */
export function laterOrNull(name: string, column: PgColumn): SQL {
  const mapToDriverValue = (value: unknown) => (value === null ? null : column.mapToDriverValue(value))
  return sql`${sql.param(sql.placeholder(name), { mapToDriverValue })}`
}

/** A set of addresses, in the order of the chain. */
export const addressList = customType<{ data: Address[]; driverData: (Hex | Buffer)[] }>({
  dataType: () => 'bytea[]',
  toDriver: (list) => list.map(toBytes),
  fromDriver: (list) => list.map(decodeAddress),
})

function bytes() {
  return customType<{ data: Hex; driverData: Hex | Buffer }>({
    dataType: () => 'bytea',
    toDriver: toBytes,
    fromDriver: decodeHex,
  })
}

/** Bytes of any length; lower-case hex in the program. */
export const hex = bytes()

/** 32 bytes. */
export const hash = bytes()

/** Unsigned 256-bit integer: bigint in the program. */
export const uint256 = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78, 0)',
  toDriver: (value) => value.toString(),
  fromDriver: (text) => BigInt(text),
})

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const chainId = () => bigint('chain_id', { mode: 'number' }).notNull()
export const blockNumber = (name: string) => bigint(name, { mode: 'number' })

/** Columns of an owner's signature on a transaction or a message. */
export const ownerSignature = () => ({
  owner: address('owner').notNull(),
  signature: hex('signature').notNull(),
  signatureType: text('signature_type').$type<SignatureType>().notNull(),
  submissionDate: moment('submission_date').notNull(),
})
