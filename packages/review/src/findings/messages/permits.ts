import { encodeType, type MessageTypedData } from '@countersign/safe'
import { type Address, isAddress, maxUint256 } from 'viem'
import { skeletonOf } from '../addresses/confusables.ts'

/** An asset that a permit lets someone take. The amount is null for an NFT. `deadline` is in Unix seconds. */
export type PermittedAsset = {
  token: Address
  amount: bigint | null
  /** Null if the permit does not expire or its expiry cannot be read. */
  deadline: bigint | null
}

/** The values that the verifying contract reads from a permit or an order. */
export type Permit = {
  /** The account that may take the assets. Null if the permit names only their receiver. */
  spender: Address | null
  receiver: Address | null
  /** At least one entry. */
  assets: readonly PermittedAsset[]
  /** Whether it sets an allowance, so that an amount of zero revokes the previous one. */
  isAllowance: boolean
}

type Fields = Readonly<Record<string, unknown>>
type ReadPermit = (message: Fields, contract: unknown) => Permit | null

const allowanceDetails = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const permittedToken = 'TokenPermissions(address token,uint256 amount)'
const authorization = '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
const cancellation = 'CancelAuthorization(address authorizer,bytes32 nonce)'

const readAuthorization: ReadPermit = ({ to, value, validBefore }, contract) =>
  permitOf({ spender: null, receiver: toAddress(to), isAllowance: false }, [readAsset(contract, value, [validBefore])])
const readAllowances: ReadPermit = ({ details, spender, sigDeadline }) =>
  permitOf(
    { spender: toAddress(spender), receiver: null, isAllowance: true },
    entriesOf(details).map(({ token, amount, expiration }) => readAsset(token, amount, [expiration, sigDeadline])),
  )
const readTransfers: ReadPermit = ({ permitted, spender, deadline }) =>
  permitOf(
    { spender: toAddress(spender), receiver: null, isAllowance: false },
    entriesOf(permitted).map(({ token, amount }) => readAsset(token, amount, [deadline])),
  )

/**
 * Readers by the type that the contract hashes, as EIP-712 encodes it. A type that ends with a comma is completed by a witness: one
 * more field, whose type the spender chooses.
 */
const readers: Readonly<Record<string, ReadPermit>> = {
  // ERC-2612
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)': (
    { spender, value, deadline },
    contract,
  ) => readTokenPermit(spender, readAsset(contract, value, [deadline])),
  // DAI allows everything or nothing. With an expiry of zero, it does not expire.
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)': (
    { spender, expiry, allowed },
    contract,
  ) =>
    readTokenPermit(
      spender,
      readAsset(contract, allowed === true ? maxUint256 : 0n, [toUint(expiry) === 0n ? null : expiry]),
    ),
  // ERC-4494
  'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)': ({ spender, deadline }, contract) => {
    const token = toAddress(contract)
    return readTokenPermit(spender, token && { token, amount: null, deadline: toUint(deadline) })
  },
  // ERC-3009
  [`TransferWithAuthorization${authorization}`]: readAuthorization,
  [`ReceiveWithAuthorization${authorization}`]: readAuthorization,
  // Permit2
  [`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${allowanceDetails}`]: readAllowances,
  [`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${allowanceDetails}`]: readAllowances,
  [`PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${permittedToken}`]:
    readTransfers,
  [`PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${permittedToken}`]:
    readTransfers,
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,': readTransfers,
  'PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,':
    readTransfers,
  // CoW Protocol
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)':
    ({ sellToken, sellAmount, feeAmount, receiver, validTo }) => {
      const [sold, fee] = [toUint(sellAmount), toUint(feeAmount)]
      const amount = sold === null || fee === null ? null : sold + fee
      return permitOf({ spender: null, receiver: toAddress(receiver), isAllowance: false }, [
        readAsset(sellToken, amount, [validTo]),
      ])
    },
}

/**
 * Returns the values that the token, Permit2 or the exchange reads from a permit or an order. Null if the contract would not hash
 * exactly this type: nothing then shows which of the values count.
 *
 * @example
 * readPermit(typedData)?.assets // [{ token, amount, deadline }]
 */
export function readPermit(typedData: MessageTypedData): Permit | null {
  return readers[typeToLookUp(typedData)]?.(typedData.message, verifyingContractOf(typedData)) ?? null
}

/**
 * Returns the token and the nonce of a cancelled authorisation (ERC-3009). Null if the typed data is not one.
 *
 * @example
 * readCancellation(typedData)?.nonce
 */
export function readCancellation(typedData: MessageTypedData): { token: Address; nonce: string } | null {
  const token = verifyingContractOf(typedData)
  const { nonce } = typedData.message
  return token !== null && typeof nonce === 'string' && typeToLookUp(typedData) === cancellation
    ? { token, nonce }
    : null
}

const fieldsOfType = (type: string) => type.slice(type.indexOf('(') + 1).replace(/\).*$/, '')
const knownTypes = [...Object.keys(readers), cancellation]
const knownNames = new Set(knownTypes.map((type) => skeletonOf(type.slice(0, type.indexOf('(')))))
const knownFields = knownTypes.map(fieldsOfType)

/**
 * Returns whether a type of the typed data has the name or the fields of a known permit or order. Look-alike letters count as the
 * letters that they imitate.
 *
 * @example
 * resemblesPermit(typedData) && readPermit(typedData) === null
 */
export function resemblesPermit({ primaryType, types }: Pick<MessageTypedData, 'primaryType' | 'types'>): boolean {
  return [primaryType, ...Object.keys(types)].some((name) => {
    const fields = Array.isArray(types[name]) ? fieldsOfType(encodeType({ [name]: types[name] }, name)) : ''
    return (
      knownNames.has(skeletonOf(name.replace(/\(.*$/s, ''))) ||
      knownFields.some((known) => (known.endsWith(',') ? fields.startsWith(known) : fields === known))
    )
  })
}

/** Returns the encoded type, or its fixed start if one field follows as a witness. */
function typeToLookUp({ types, primaryType }: MessageTypedData): string {
  const encoded = encodeType(types, primaryType)
  const start = witnessed.find((known) => known.startsWith(`${primaryType}(`) && encoded.startsWith(known))
  const isWitnessed =
    types[primaryType]?.length === FIELDS_WITH_WITNESS && encodeType(types, 'TokenPermissions') === permittedToken
  return start !== undefined && isWitnessed ? start : encoded
}

const witnessed = Object.keys(readers).filter((type) => type.endsWith(','))
const FIELDS_WITH_WITNESS = 5

/** Returns the verifying contract if the type of the domain has it, because only then is it signed. */
function verifyingContractOf({ domain, types }: MessageTypedData): Address | null {
  const declared = types.EIP712Domain?.find(({ name }) => name === 'verifyingContract')
  const isSigned = types.EIP712Domain === undefined || declared?.type === 'address'
  return isSigned ? toAddress(domain.verifyingContract) : null
}

function permitOf(parties: Omit<Permit, 'assets'>, entries: readonly (PermittedAsset | null)[]): Permit | null {
  const assets = entries.filter((entry) => entry !== null)
  return assets.length === 0 || assets.length < entries.length ? null : { ...parties, assets }
}

/** Reads a permit of the token itself: ERC-2612, DAI, or ERC-4494 for NFTs. */
function readTokenPermit(spender: unknown, asset: PermittedAsset | null): Permit | null {
  return permitOf({ spender: toAddress(spender), receiver: null, isAllowance: true }, [asset])
}

function readAsset(contract: unknown, value: unknown, deadlines: readonly unknown[]): PermittedAsset | null {
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
