import type { SignatureType } from '@countersign/safe-core'
import { bigint, customType, text, timestamp } from 'drizzle-orm/pg-core'
import { type Address, getAddress, type Hex } from 'viem'

/** What the driver sends for hex. */
export function toBytes(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

/** What the driver brought for an address. */
export function readAddress(bytes: Buffer): Address {
  return getAddress(`0x${bytes.toString('hex')}`)
}

/** 20 bytes in the database, a checksummed address in the program. */
export const address = customType<{ data: Address; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: toBytes,
  fromDriver: readAddress,
})

/** A set of addresses, in the order of the chain. */
export const addressList = customType<{ data: Address[]; driverData: Buffer[] }>({
  dataType: () => 'bytea[]',
  toDriver: (list) => list.map(toBytes),
  fromDriver: (list) => list.map(readAddress),
})

function bytes() {
  return customType<{ data: Hex; driverData: Buffer }>({
    dataType: () => 'bytea',
    toDriver: toBytes,
    fromDriver: (found) => `0x${found.toString('hex')}`,
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

/** What an owner signed a transaction or a message with. */
export const ownerSignature = () => ({
  owner: address('owner').notNull(),
  signature: hex('signature').notNull(),
  signatureType: text('signature_type').$type<SignatureType>().notNull(),
  submissionDate: moment('submission_date').notNull(),
})
