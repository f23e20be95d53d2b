import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

/*
 * Schemas of strict readers of the Safe Transaction Service's wire: one other value, and they refuse the whole page.
 * Nothing may be missing; nothing else may be there.
 */

const address = z.string().refine((text) => isAddress(text) && getAddress(text) === text, 'no checksummed address')
const hex = z.string().regex(/^0x(?:[0-9a-f]{2})*$/)
const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const decimal = z.string().regex(/^\d+$/)
const count = z.number().int().nonnegative()
const date = z.iso.datetime()
const operation = z.union([z.literal(0), z.literal(1)])
const url = z.url({ protocol: /^https?$/ })
const signatureType = z.enum(['EOA', 'ETH_SIGN', 'APPROVED_HASH', 'CONTRACT_SIGNATURE'])

const parameter = z.strictObject({
  name: z.string(),
  type: z.string(),
  value: z.union([z.string(), z.array(z.unknown())]),
  valueDecoded: z
    .union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown()))])
    .nullable()
    .optional(),
})
export const dataDecoded = z.strictObject({ method: z.string(), parameters: z.array(parameter) })

export function pageOf(item: z.ZodType) {
  return z.strictObject({ count, next: url.nullable(), previous: url.nullable(), results: z.array(item) })
}

const known = { address, name: z.string(), symbol: z.string(), logoUri: url, trusted: z.boolean() }
export const token = z.discriminatedUnion('type', [
  z.strictObject({ ...known, type: z.literal('ERC20'), decimals: count.nullable() }),
  z.strictObject({ ...known, type: z.literal('ERC721'), decimals: count.nullable() }),
])

const moved = {
  executionDate: date,
  blockNumber: count,
  transactionHash: hash,
  to: address,
  from: address,
  transferId: z.string().regex(/^(?:e[0-9a-f]{64}\d+|i[0-9a-f]{64}(?:\d+(?:,\d+)*)?)$/),
}
export const transfer = z.discriminatedUnion('type', [
  z.strictObject({
    ...moved,
    type: z.literal('ETHER_TRANSFER'),
    value: decimal,
    tokenId: z.null(),
    tokenAddress: z.null(),
    tokenInfo: z.null(),
  }),
  z.strictObject({
    ...moved,
    type: z.literal('ERC20_TRANSFER'),
    value: decimal,
    tokenId: z.null(),
    tokenAddress: address,
    tokenInfo: token.nullable(),
  }),
  z.strictObject({
    ...moved,
    type: z.literal('ERC721_TRANSFER'),
    value: z.null(),
    tokenId: decimal,
    tokenAddress: address,
    tokenInfo: token.nullable(),
  }),
])

export const confirmation = z.strictObject({
  owner: address,
  submissionDate: date,
  transactionHash: hash.nullable(),
  signature: hex,
  signatureType,
})

function multisigFields(number: z.ZodType) {
  return {
    safe: address,
    to: address,
    value: decimal,
    data: hex.nullable(),
    operation,
    gasToken: address,
    safeTxGas: number,
    baseGas: number,
    gasPrice: decimal,
    refundReceiver: address,
    nonce: number,
    executionDate: date.nullable(),
    submissionDate: date,
    modified: date,
    blockNumber: count.nullable(),
    transactionHash: hash.nullable(),
    safeTxHash: hash,
    proposer: address.nullable(),
    proposedByDelegate: address.nullable(),
    executor: address.nullable(),
    isExecuted: z.boolean(),
    isSuccessful: z.boolean().nullable(),
    ethGasPrice: decimal.nullable(),
    maxFeePerGas: decimal.nullable(),
    maxPriorityFeePerGas: decimal.nullable(),
    gasUsed: count.nullable(),
    fee: decimal.nullable(),
    payment: decimal.nullable(),
    origin: z.string(),
    dataDecoded: dataDecoded.nullable(),
    confirmationsRequired: count,
    confirmations: z.array(confirmation),
    trusted: z.boolean(),
    signatures: hex.nullable(),
  }
}
const fieldsOf = { v1: multisigFields(count), v2: multisigFields(decimal) }
export const multisig = { v1: z.strictObject(fieldsOf.v1), v2: z.strictObject(fieldsOf.v2) }

export function multisigPage(version: 'v1' | 'v2') {
  return pageOf(multisig[version]).extend({ countUniqueNonce: count })
}

const moduleFields = {
  created: date,
  executionDate: date,
  blockNumber: count,
  isSuccessful: z.boolean(),
  transactionHash: hash,
  safe: address,
  module: address,
  to: address,
  value: decimal,
  data: hex.nullable(),
  operation,
  dataDecoded: dataDecoded.nullable(),
  moduleTransactionId: z.string().regex(/^i[0-9a-f]{64}\d+(?:,\d+)*$/),
}
export const moduleTransaction = z.strictObject(moduleFields)

export function anyTransaction(version: 'v1' | 'v2') {
  const transfers = z.array(transfer)
  return z.discriminatedUnion('txType', [
    z.strictObject({ ...fieldsOf[version], transfers, txType: z.literal('MULTISIG_TRANSACTION') }),
    z.strictObject({ ...moduleFields, transfers, txType: z.literal('MODULE_TRANSACTION') }),
    z.strictObject({
      executionDate: date,
      to: address.nullable(),
      from: address,
      data: hex.nullable(),
      txHash: hash,
      blockNumber: count,
      transfers,
      txType: z.literal('ETHEREUM_TRANSACTION'),
    }),
  ])
}

export const safeInfo = z.strictObject({
  address,
  nonce: decimal,
  threshold: count,
  owners: z.array(address),
  masterCopy: address,
  modules: z.array(address),
  fallbackHandler: address,
  guard: address,
  moduleGuard: address,
  version: z.string().nullable(),
})

export const safeState = z.strictObject({
  address,
  nonce: count,
  threshold: count,
  owners: z.array(address),
  masterCopy: address,
  fallbackHandler: address,
  guard: address.nullable(),
  moduleGuard: address.nullable(),
  enabledModules: z.array(address),
})

export const safeList = z.strictObject({ safes: z.array(address) })

export const creation = z.strictObject({
  created: date,
  creator: address,
  transactionHash: hash,
  factoryAddress: address,
  masterCopy: address.nullable(),
  setupData: hex.nullable(),
  saltNonce: decimal.nullable(),
  dataDecoded: dataDecoded.nullable(),
  userOperation: z.null(),
})

const held = z.strictObject({ name: z.string(), symbol: z.string(), decimals: count, logoUri: url })
export const balance = z.union([
  z.strictObject({ tokenAddress: z.null(), token: z.null(), balance: decimal }),
  z.strictObject({ tokenAddress: address, token: held, balance: decimal }),
])

export const collectible = z.strictObject({
  address,
  tokenName: z.string(),
  tokenSymbol: z.string(),
  logoUri: url,
  id: decimal,
  uri: z.string().nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  imageUri: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
})

export const exportRow = z.strictObject({
  safe: address,
  from: address,
  to: address,
  amount: decimal,
  assetType: z.enum(['native', 'erc20', 'erc721']),
  assetAddress: address.nullable(),
  assetSymbol: z.string().nullable(),
  assetDecimals: count.nullable(),
  proposerAddress: address.nullable(),
  proposedAt: date.nullable(),
  executorAddress: address.nullable(),
  executedAt: date,
  note: z.string().nullable(),
  transactionHash: hash,
  contractAddress: address.nullable(),
  nonce: decimal.nullable(),
  gasToken: address.nullable(),
  payment: decimal.nullable(),
  gasTokenSymbol: z.string().nullable(),
  gasTokenDecimals: count.nullable(),
})

const named = { safe: address.nullable(), delegate: address, delegator: address, label: z.string().min(1).max(50) }
export const delegate = {
  v1: z.strictObject(named),
  v2: z.strictObject({ ...named, expiryDate: date.nullable() }),
}

const typedData = z.strictObject({
  domain: z.record(z.string(), z.unknown()),
  primaryType: z.string(),
  types: z.record(z.string(), z.array(z.strictObject({ name: z.string(), type: z.string() }))),
  message: z.record(z.string(), z.unknown()),
})
export const message = z.strictObject({
  created: date,
  modified: date,
  safe: address,
  messageHash: hash,
  message: z.union([z.string(), typedData]),
  proposedBy: address,
  safeAppId: count.nullable(),
  origin: z.string(),
  preparedSignature: hex.nullable(),
  preparedSignatureEip1271: hex.nullable(),
  confirmations: z.array(
    z.strictObject({ created: date, modified: date, owner: address, signature: hex, signatureType }),
  ),
})

export const contract = z.strictObject({
  address,
  name: z.string(),
  displayName: z.string(),
  logoUri: url.nullable(),
  contractAbi: z
    .strictObject({ abi: z.array(z.record(z.string(), z.unknown())), description: z.string(), relevance: count })
    .nullable(),
  trustedForDelegateCall: z.boolean(),
})

export const singletons = z.array(
  z.strictObject({
    address,
    version: z.string(),
    deployer: z.string(),
    deployedBlockNumber: count,
    lastIndexedBlockNumber: count,
    l2: z.boolean(),
  }),
)

export const indexing = z.strictObject({
  currentBlockNumber: count,
  currentBlockTimestamp: date,
  erc20BlockNumber: count,
  erc20BlockTimestamp: date,
  erc20Synced: z.boolean(),
  masterCopiesBlockNumber: count,
  masterCopiesBlockTimestamp: date,
  masterCopiesSynced: z.boolean(),
  synced: z.boolean(),
})

export const about = z.strictObject({
  name: z.string(),
  version: z.string(),
  api_version: z.literal('v1'),
  secure: z.boolean(),
  host: z.string(),
  headers: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
})

export const estimation = z.strictObject({ safeTxGas: decimal })
