import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

/*
 * Answers of the routes, as strict readers of the Safe Transaction Service's wire check them: with one other value they
 * refuse the whole page. Nothing may be missing; nothing else may be there. The OpenAPI document is written from these,
 * and tests check the answers with them.
 */

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .refine((text) => isAddress(text) && getAddress(text) === text, 'no checksummed address')
const hex = z.string().regex(/^0x(?:[0-9a-f]{2})*$/)
const hash = z.string().regex(/^0x[0-9a-f]{64}$/)
const decimal = z.string().regex(/^\d+$/)
const count = z.number().int().nonnegative()
/** All digits stand in the answer: these may be more than a number of JavaScript holds. */
const integer = z.number().nonnegative().refine(Number.isInteger, 'no integer')
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
const dataDecoded = z.strictObject({ method: z.string(), parameters: z.array(parameter) })

function pageOf(item: z.ZodType) {
  return z.strictObject({ count, next: url.nullable(), previous: url.nullable(), results: z.array(item) })
}

const known = { address, name: z.string(), symbol: z.string(), logoUri: url, trusted: z.boolean() }
const token = z.discriminatedUnion('type', [
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
const transfer = z.discriminatedUnion('type', [
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

const confirmation = z.strictObject({
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
const fieldsOf = { v1: multisigFields(integer), v2: multisigFields(decimal) }
const multisig = { v1: z.strictObject(fieldsOf.v1), v2: z.strictObject(fieldsOf.v2) }

function multisigPage(version: 'v1' | 'v2') {
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
const moduleTransaction = z.strictObject(moduleFields)

function anyTransaction(version: 'v1' | 'v2') {
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

const transaction = { v1: anyTransaction('v1'), v2: anyTransaction('v2') }

const safeInfo = z.strictObject({
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

const safeState = z.strictObject({
  address,
  nonce: integer,
  threshold: count,
  owners: z.array(address),
  masterCopy: address,
  fallbackHandler: address,
  guard: address.nullable(),
  moduleGuard: address.nullable(),
  enabledModules: z.array(address),
})

const safeList = z.strictObject({ safes: z.array(address) })

const creation = z.strictObject({
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
const balance = z.union([
  z.strictObject({ tokenAddress: z.null(), token: z.null(), balance: decimal }),
  z.strictObject({ tokenAddress: address, token: held, balance: decimal }),
])

const collectible = z.strictObject({
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

const exportRow = z.strictObject({
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
const delegate = {
  v1: z.strictObject(named),
  v2: z.strictObject({ ...named, expiryDate: date.nullable() }),
}
const addedDelegate = {
  v1: delegate.v1.extend({ signature: hex }),
  v2: delegate.v2.extend({ signature: hex }),
}

const typedData = z.strictObject({
  domain: z.record(z.string(), z.unknown()),
  primaryType: z.string(),
  types: z.record(z.string(), z.array(z.strictObject({ name: z.string(), type: z.string() }))),
  message: z.record(z.string(), z.unknown()),
})
const message = z.strictObject({
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

const contract = z.strictObject({
  address,
  name: z.string(),
  displayName: z.string(),
  logoUri: url.nullable(),
  contractAbi: z
    .strictObject({ abi: z.array(z.record(z.string(), z.unknown())), description: z.string(), relevance: count })
    .nullable(),
  trustedForDelegateCall: z.boolean(),
})

const singletons = z.array(
  z.strictObject({
    address,
    version: z.string(),
    deployer: z.string(),
    deployedBlockNumber: count,
    lastIndexedBlockNumber: count,
    l2: z.boolean(),
  }),
)

const indexing = z.strictObject({
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

const about = z.strictObject({
  name: z.string(),
  version: z.string(),
  api_version: z.literal('v1'),
  secure: z.boolean(),
  host: z.string(),
  headers: z.array(z.string()),
  settings: z.record(z.string(), z.unknown()),
})

const node = z.strictObject({
  version: z.string(),
  block_number: count,
  chain_id: count,
  chain: z.string(),
  syncing: z.boolean(),
})

const deployments = z.array(
  z.strictObject({
    version: z.string(),
    contracts: z.array(z.strictObject({ contractName: z.string(), address })),
  }),
)

const estimation = z.strictObject({ safeTxGas: decimal })

/** Why a request is refused; some refusals have no body. */
const refusal = z.union([
  z.strictObject({ detail: z.string() }),
  z.strictObject({ nonFieldErrors: z.array(z.string()) }),
  z.strictObject({ code: count, message: z.string(), arguments: z.array(z.string()) }),
  z.array(z.string()),
  z.record(z.string(), z.array(z.string())),
])

/** Each answer by its name in the OpenAPI document. Names end with the version where the versions differ. */
export const wireSchemas = {
  About: about,
  Balance: balance,
  BalancesV1: z.array(balance),
  BalancesV2: pageOf(balance),
  Collectible: collectible,
  Collectibles: pageOf(collectible),
  Confirmation: confirmation,
  Confirmations: pageOf(confirmation),
  Contract: contract,
  Contracts: pageOf(contract),
  Creation: creation,
  DataDecoded: dataDecoded,
  DelegateV1: delegate.v1,
  DelegateV2: delegate.v2,
  DelegatesV1: pageOf(delegate.v1),
  DelegatesV2: pageOf(delegate.v2),
  AddedDelegateV1: addedDelegate.v1,
  AddedDelegateV2: addedDelegate.v2,
  Deployments: deployments,
  Estimation: estimation,
  Export: pageOf(exportRow),
  ExportRow: exportRow,
  Indexing: indexing,
  Message: message,
  Messages: pageOf(message),
  ModuleTransaction: moduleTransaction,
  ModuleTransactions: pageOf(moduleTransaction),
  MultisigTransactionV1: multisig.v1,
  MultisigTransactionV2: multisig.v2,
  MultisigTransactionsV1: multisigPage('v1'),
  MultisigTransactionsV2: multisigPage('v2'),
  Node: node,
  Refusal: refusal,
  SafeInfo: safeInfo,
  SafeState: safeState,
  SafesV1: safeList,
  SafesV2: pageOf(safeState),
  Signature: z.strictObject({ signature: hex }),
  Singletons: singletons,
  Token: token,
  TokenLists: pageOf(z.never()),
  Tokens: pageOf(token),
  TransactionV1: transaction.v1,
  TransactionV2: transaction.v2,
  TransactionsV1: pageOf(transaction.v1),
  TransactionsV2: pageOf(transaction.v2),
  Transfer: transfer,
  Transfers: pageOf(transfer),
}

/** Writes the schemas as the OpenAPI document has them, each where `placeOf` says. */
export function writeSchemas(placeOf: (name: string) => string): Record<string, object> {
  const registry = z.registry<{ id: string }>()
  const named = { Address: address, DateTime: date, Decimal: decimal, Hash: hash, Hex: hex, ...wireSchemas }
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    uri: placeOf,
    override: ({ zodSchema, jsonSchema }) => {
      delete jsonSchema.$id
      delete jsonSchema.$schema
      if (zodSchema === integer) jsonSchema.type = 'integer'
    },
  })
  return schemas
}
