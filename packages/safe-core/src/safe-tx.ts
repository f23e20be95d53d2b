import { type Address, concatHex, encodeAbiParameters, type Hex, hashStruct, keccak256, zeroAddress } from 'viem'

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
  /** What owners sign: keccak256(0x1901 ‖ domainHash ‖ messageHash). */
  safeTxHash: Hex
}

function isBefore(version: string, major: number, minor: number): boolean {
  const [first = 0, second = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return first < major || (first === major && second < minor)
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
      { name: isBefore(version, 1, 0) ? 'dataGas' : 'baseGas', type: 'uint256' },
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
 * The chain id is in the domain from Safe 1.3.0.
 */
export function safeTxTypedData({ chainId, safeAddress, version, safeTx }: SafeTxContext) {
  const { baseGas, ...fields } = safeTx
  return {
    domain: isBefore(version, 1, 3)
      ? { verifyingContract: safeAddress }
      : { chainId: BigInt(chainId), verifyingContract: safeAddress },
    types: safeTxTypes(version),
    primaryType: 'SafeTx' as const,
    message: { ...fields, [isBefore(version, 1, 0) ? 'dataGas' : 'baseGas']: baseGas },
  }
}

const CHAIN_DOMAIN_TYPE_HASH = '0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218'
const PLAIN_DOMAIN_TYPE_HASH = '0x035aff83d86937d35b32e04f0ddc6ff469290eef2f1b692d8a815c89404d4749'

/** The domain separator of a Safe, as `domainSeparator()` of the contract returns it. */
export function hashSafeDomain({ chainId, safeAddress, version }: Omit<SafeTxContext, 'safeTx'>): Hex {
  return keccak256(
    isBefore(version, 1, 3)
      ? encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [PLAIN_DOMAIN_TYPE_HASH, safeAddress])
      : encodeAbiParameters(
          [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
          [CHAIN_DOMAIN_TYPE_HASH, BigInt(chainId), safeAddress],
        ),
  )
}

/**
 * Computes the three hashes of a transaction from its fields alone, as Safe.sol `getTransactionHash` does.
 *
 * @example
 * hashSafeTx({ chainId: 1, safeAddress, version: '1.4.1', safeTx }).safeTxHash
 */
export function hashSafeTx(context: SafeTxContext): SafeTxHashes {
  const { types, primaryType, message } = safeTxTypedData(context)
  const domainHash = hashSafeDomain(context)
  const messageHash = hashStruct({ types, primaryType, data: message })
  return { domainHash, messageHash, safeTxHash: keccak256(concatHex(['0x1901', domainHash, messageHash])) }
}
