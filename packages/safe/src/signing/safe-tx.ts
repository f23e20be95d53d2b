import { type Address, concatHex, type Hex, keccak256, zeroAddress } from 'viem'
import { addressWord, hashBytes, hashWords, uintWord } from '../abi/abi-word.ts'
import { isVersionBefore } from '../safe/safe-version.ts'

/** The ten fields that owners sign, as in the EIP-712 type `SafeTx` of Safe.sol. */
export type SafeTx = {
  to: Address
  /** wei */
  value: bigint
  data: Hex
  /** 0 call, 1 delegatecall */
  operation: 0 | 1
  safeTxGas: bigint
  baseGas: bigint
  gasPrice: bigint
  gasToken: Address
  refundReceiver: Address
  nonce: bigint
}

/** Which Safe, in which version, is to execute a transaction: together with the ten fields this decides the hash. */
export type SafeTxContext = {
  chainId: number
  safeAddress: Address
  /** `1.4.1`, or `1.4.1+L2`: the suffix makes no difference. */
  version: string
  safeTx: SafeTx
}

/** The three hashes of a SafeTx. Hardware wallets show the first two. */
export type SafeTxHashes = {
  /** Hash of the EIP-712 domain: chain and Safe. */
  domainHash: Hex
  /** Hash of the ten fields. */
  messageHash: Hex
  /** Hash that owners sign: keccak256(0x1901 ‖ domainHash ‖ messageHash). */
  safeTxHash: Hex
}

function safeTxTypes(version: string) {
  return {
    SafeTx: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
      { name: 'operation', type: 'uint8' },
      { name: 'safeTxGas', type: 'uint256' },
      // Safe 0.x called it dataGas; the name is part of the type hash.
      { name: isVersionBefore(version, 1, 0) ? 'dataGas' : 'baseGas', type: 'uint256' },
      { name: 'gasPrice', type: 'uint256' },
      { name: 'gasToken', type: 'address' },
      { name: 'refundReceiver', type: 'address' },
      { name: 'nonce', type: 'uint256' },
    ],
  }
}

/**
 * A SafeTx with zeros in every field that is not given: a call, without value, data or refund.
 *
 * @param fields - `to` and `nonce`, and whatever else differs from zero. `value` is in wei.
 * @example
 * newSafeTx({ to, value: 10n ** 18n, nonce: 4n })
 */
export function newSafeTx(fields: Partial<SafeTx> & Pick<SafeTx, 'to' | 'nonce'>): SafeTx {
  return {
    value: 0n,
    data: '0x',
    operation: 0,
    safeTxGas: 0n,
    baseGas: 0n,
    gasPrice: 0n,
    gasToken: zeroAddress,
    refundReceiver: zeroAddress,
    ...fields,
  }
}

/**
 * The EIP-712 typed data that a wallet is asked to sign (Safe.sol `SAFE_TX_TYPEHASH`, `DOMAIN_SEPARATOR_TYPEHASH`).
 * The chain id is in the domain from Safe 1.3.0. The fields are not checked here: {@link hashSafeTx} does.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the chain id is impossible.
 * @example
 * const signature = await wallet.signTypedData(safeTxTypedData({ chainId: 1, safeAddress, version: '1.4.1', safeTx }))
 */
export function safeTxTypedData({ chainId, safeAddress, version, safeTx }: SafeTxContext) {
  const { baseGas, ...fields } = safeTx
  return {
    domain: isVersionBefore(version, 1, 3)
      ? { verifyingContract: safeAddress }
      : { chainId: BigInt(uintWord('chainId', chainId)), verifyingContract: safeAddress },
    types: safeTxTypes(version),
    primaryType: 'SafeTx' as const,
    message: { ...fields, [isVersionBefore(version, 1, 0) ? 'dataGas' : 'baseGas']: baseGas },
  }
}

/** keccak256 of `EIP712Domain(uint256 chainId,address verifyingContract)` */
const CHAIN_DOMAIN_TYPE_HASH = '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218'
/** keccak256 of `EIP712Domain(address verifyingContract)` */
const PLAIN_DOMAIN_TYPE_HASH = '0x035aff83d86937d35b32e04f0ddc6ff469290eef2f1b692d8a815c89404d4749'
/** keccak256 of the type `SafeTx` with `baseGas` */
const SAFE_TX_TYPE_HASH = '0xbb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8'
/** Type hash before 1.0.0, with `dataGas` */
const OLD_SAFE_TX_TYPE_HASH = '0x14d461bc7412367e924637b363c7bf29b8f47e2f84869f4426e5633d8af47b20'

/**
 * The domain separator of a Safe, as `domainSeparator()` of the contract returns it. Before 1.3.0 the contract keeps
 * it in storage slot 6, where a delegatecall can change it: compare.
 *
 * @throws CountersignError `FIELD_MALFORMED` when chain id or address are impossible.
 * @example
 * hashSafeDomain({ chainId: 1, safeAddress, version: '1.4.1' })
 */
export function hashSafeDomain({ chainId, safeAddress, version }: Omit<SafeTxContext, 'safeTx'>): Hex {
  const safe = addressWord('safeAddress', safeAddress)
  return isVersionBefore(version, 1, 3)
    ? hashWords([domainTypeHash(version), safe])
    : hashWords([domainTypeHash(version), uintWord('chainId', chainId), safe])
}

/** The hash of the domain's type: from Safe 1.3.0 on with the chain. */
export function domainTypeHash(version: string): Hex {
  return isVersionBefore(version, 1, 3) ? PLAIN_DOMAIN_TYPE_HASH : CHAIN_DOMAIN_TYPE_HASH
}

/** The hash of the type `SafeTx`, which had another name for `baseGas` before Safe 1.0.0. */
export function safeTxTypeHash(version: string): Hex {
  return isVersionBefore(version, 1, 0) ? OLD_SAFE_TX_TYPE_HASH : SAFE_TX_TYPE_HASH
}

/**
 * The ten fields as words, `data` by its hash, in the order of the type.
 *
 * @throws CountersignError `FIELD_MALFORMED` for the first field that is impossible.
 */
export function safeTxWords(safeTx: SafeTx, dataHash?: Hex): Hex[] {
  return [
    addressWord('to', safeTx.to),
    uintWord('value', safeTx.value),
    dataHash ?? hashBytes('data', safeTx.data),
    uintWord('operation', safeTx.operation, 8),
    uintWord('safeTxGas', safeTx.safeTxGas),
    uintWord('baseGas', safeTx.baseGas),
    uintWord('gasPrice', safeTx.gasPrice),
    addressWord('gasToken', safeTx.gasToken),
    addressWord('refundReceiver', safeTx.refundReceiver),
    uintWord('nonce', safeTx.nonce),
  ]
}

function hashFields({ version, safeTx }: Pick<SafeTxContext, 'version' | 'safeTx'>, dataHash?: Hex): Hex {
  return hashWords([safeTxTypeHash(version), ...safeTxWords(safeTx, dataHash)])
}

/**
 * The 66 bytes whose hash owners sign: `0x1901 ‖ domainHash ‖ messageHash`, as `encodeTransactionData` of the contract
 * returns them. Safes up to 1.4.1 hand them to an owner that is a contract.
 *
 * @param dataHash keccak256 of `data`, if the caller has computed it; `data` itself is then not read
 * @throws CountersignError `FIELD_MALFORMED` for the first field that is impossible.
 * @example
 * keccak256(encodeSafeTxPreimage(context)) === hashSafeTx(context).safeTxHash
 */
export function encodeSafeTxPreimage(context: SafeTxContext, dataHash?: Hex): Hex {
  return concatHex(['0x1901', hashSafeDomain(context), hashFields(context, dataHash)])
}

/**
 * Computes the three hashes of a transaction from its fields alone, as Safe.sol `getTransactionHash` does.
 * An `operation` over 1 is hashed as it stands: no Safe executes it.
 *
 * @throws CountersignError `FIELD_MALFORMED` for the first field that is impossible.
 * @example
 * hashSafeTx({ chainId: 1, safeAddress, version: '1.4.1', safeTx }).safeTxHash
 */
export function hashSafeTx(context: SafeTxContext): SafeTxHashes {
  const domainHash = hashSafeDomain(context)
  const messageHash = hashFields(context)
  return { domainHash, messageHash, safeTxHash: keccak256(concatHex(['0x1901', domainHash, messageHash])) }
}

/**
 * Computes the safeTxHash of the same nine fields for any number of nonces, of which each costs the same however long
 * `data` is: for whoever looks for the nonce of an execution.
 *
 * @returns what {@link hashSafeTx} returns as `safeTxHash` for a nonce.
 * @throws CountersignError `FIELD_MALFORMED` for the first field that is impossible; the returned function for the nonce.
 * @example
 * const hashAt = safeTxHasher({ chainId: 1, safeAddress, version: '1.4.1', safeTx })
 * const isNext = hashAt(nonce) === safeTxHash
 */
export function safeTxHasher({
  version,
  safeTx,
  ...domain
}: Omit<SafeTxContext, 'safeTx'> & { safeTx: Omit<SafeTx, 'nonce'> }): (nonce: bigint) => Hex {
  const domainHash = hashSafeDomain({ version, ...domain })
  const typeHash = safeTxTypeHash(version)
  const words = safeTxWords({ ...safeTx, nonce: 0n }).slice(0, -1)
  return (nonce) =>
    keccak256(concatHex(['0x1901', domainHash, hashWords([typeHash, ...words, uintWord('nonce', nonce)])]))
}
