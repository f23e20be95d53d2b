import type { MessageTypedData } from '@countersign/safe'
import { type Address, isAddress, maxUint256 } from 'viem'

/** An asset that a permit lets someone take. The amount is null for an NFT. */
export type PermittedAsset = { token: Address; amount: bigint | null }

/** The values that the verifying contract reads from a permit. */
export type Permit = {
  /** The account that may take the assets. Null if the permit names only their receiver. */
  spender: Address | null
  receiver: Address | null
  /** At least one entry. `deadline` is in Unix seconds, and null if the permit does not expire or its expiry cannot be read. */
  assets: readonly (PermittedAsset & { deadline: bigint | null })[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns the values that the token, or Permit2, reads from a permit. These contracts hash fixed names at fixed places. Fields that
 * an attacker adds, such as those of a Permit2 witness, therefore do not count. Null if the form is not known.
 *
 * @example
 * readPermit(typedData)?.assets // [{ token, amount, deadline }]
 */
export function readPermit({ primaryType, domain, message }: MessageTypedData): Permit | null {
  const [spender, contract] = [toAddress(message.spender), domain.verifyingContract]
  switch (primaryType) {
    case 'Permit':
      return permitOf({ spender, receiver: null }, [readTokenPermit(message, contract)])
    case 'TransferWithAuthorization':
    case 'ReceiveWithAuthorization':
      return permitOf({ spender: null, receiver: toAddress(message.to) }, [
        readAsset(contract, message.value, [message.validBefore]),
      ])
    case 'PermitSingle':
    case 'PermitBatch':
      return permitOf(
        { spender, receiver: null },
        entriesOf(message.details).map(({ token, amount, expiration }) =>
          readAsset(token, amount, [expiration, message.sigDeadline]),
        ),
      )
    case 'PermitTransferFrom':
    case 'PermitBatchTransferFrom':
    case 'PermitWitnessTransferFrom':
    case 'PermitBatchWitnessTransferFrom':
      return permitOf(
        { spender, receiver: null },
        entriesOf(message.permitted).map(({ token, amount }) => readAsset(token, amount, [message.deadline])),
      )
    default:
      return null
  }
}

function permitOf(parties: Omit<Permit, 'assets'>, entries: readonly (Permit['assets'][number] | null)[]) {
  const assets = entries.filter((entry) => entry !== null)
  return assets.length === 0 || assets.length < entries.length ? null : { ...parties, assets }
}

/** Reads a permit of the token itself: ERC-2612, DAI, or ERC-4494 for NFTs. */
function readTokenPermit(message: Fields, contract: unknown): Permit['assets'][number] | null {
  const { value, allowed, deadline, expiry, tokenId } = message
  if (value !== undefined) return readAsset(contract, value, [deadline])
  // A DAI permit allows everything or nothing. With an expiry of zero, it does not expire.
  if (typeof allowed === 'boolean')
    return readAsset(contract, allowed ? maxUint256 : 0n, [toUint(expiry) === 0n ? null : expiry])
  const token = toAddress(contract)
  return tokenId === undefined || token === null ? null : { token, amount: null, deadline: toUint(deadline) }
}

function readAsset(contract: unknown, value: unknown, deadlines: readonly unknown[]): Permit['assets'][number] | null {
  const [token, amount] = [toAddress(contract), toUint(value)]
  return token === null || amount === null ? null : { token, amount, deadline: latestOf(deadlines) }
}

/** Returns the latest deadline. Null if one cannot be read, because it could be the latest. */
function latestOf(deadlines: readonly unknown[]): bigint | null {
  const times = deadlines.map(toUint)
  if (times.includes(null)) return null
  return times.filter((time) => time !== null).toSorted((one, other) => (one < other ? 1 : -1))[0] ?? null
}

/** An entry that is not an object has no fields that can be read. */
function entriesOf(value: unknown): readonly Fields[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  return entries.map((entry) => (typeof entry === 'object' && entry !== null ? { ...entry } : {}))
}

/**
 * Returns the address that a value of typed data is, or null.
 *
 * @example
 * toAddress('vitalik.eth') // null
 */
export function toAddress(value: unknown): Address | null {
  return typeof value === 'string' && isAddress(value, { strict: false }) ? value : null
}

/**
 * Returns the number that a value of typed data is: a bigint, a number, or decimal or hex digits. Null if it is not one.
 *
 * @example
 * toUint('0x10') // 16n
 */
export function toUint(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value < 0n ? null : value
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  return typeof value === 'string' && /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/.test(value) ? BigInt(value) : null
}
