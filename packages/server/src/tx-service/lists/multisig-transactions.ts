import { countSignatures } from '@countersign/safe'
import { size } from 'viem'
import { notFound, toInteger } from '../wire/answers.ts'
import { decodeCall, MAX_BYTES_IN_LISTS } from '../wire/decoded.ts'
import { pathAddress, pathHash } from '../wire/fields.ts'
import { parseWindow, toPage } from '../wire/page.ts'
import type { Call, TxService } from '../wire/service.ts'
import { orNull, toData, toDate, toOrigin } from '../wire/values.ts'
import { findMultisigPage } from './multisig-page.ts'
import { findConfirmations, findMultisig, type MultisigRow, toConfirmation } from './multisig-queries.ts'

type Version = 'v1' | 'v2'

/** Transactions of owners: the list of a Safe, one of them, its confirmations. */
export function multisigRoutes({ read }: TxService): void {
  for (const version of ['v1', 'v2'] as const) {
    read('GET', `/${version}/safes/{safe}/multisig-transactions`, async (call) => {
      const safeAddress = pathAddress(call, 'safe')
      const window = parseWindow(call)
      const { uniqueNonces, ...found } = await findMultisigPage(call, safeAddress, window)
      return { ...toPage(call, window, found, (row) => toMultisig(row, version)), countUniqueNonce: uniqueNonces }
    })
    read('GET', `/${version}/multisig-transactions/{safeTxHash}`, async (call) => {
      const found = await findMultisig(call, pathHash(call, 'safeTxHash'))
      return found ? toMultisig(found, version, Number.POSITIVE_INFINITY) : notFound('MultisigTransaction')
    })
  }
  read('GET', '/v1/multisig-transactions/{safeTxHash}/confirmations', readConfirmations)
}

async function readConfirmations(call: Call) {
  const window = parseWindow(call)
  const found = await findConfirmations(call, pathHash(call, 'safeTxHash'), window)
  return toPage(call, window, found, writeConfirmation)
}

function writeConfirmation(stored: Parameters<typeof toConfirmation>[0]) {
  const { submissionDate, ...rest } = toConfirmation(stored)
  return { ...rest, submissionDate: toDate(submissionDate) }
}

/** On this wire no price at all is null. */
function price(wei: bigint | null): string | null {
  return wei ? wei.toString() : null
}

/** In v1 three of the numbers are JSON numbers, whatever their size; in v2 they are text. */
export function toMultisig(row: MultisigRow, version: Version, mostBytes = MAX_BYTES_IN_LISTS) {
  const count = (value: bigint | null) =>
    value === null ? null : version === 'v1' ? toInteger(value) : value.toString()
  return {
    safe: row.safeAddress,
    to: row.to,
    value: row.value?.toString() ?? null,
    data: toData(row.data),
    operation: row.operation,
    gasToken: row.gasToken,
    safeTxGas: count(row.safeTxGas),
    baseGas: count(row.baseGas),
    gasPrice: row.gasPrice?.toString() ?? null,
    refundReceiver: row.refundReceiver,
    nonce: count(row.nonce),
    executionDate: toDate(row.executionDate),
    submissionDate: toDate(row.submissionDate),
    modified: toDate(row.modifiedDate),
    blockNumber: row.blockNumber,
    transactionHash: row.transactionHash,
    safeTxHash: row.safeTxHash,
    proposer: row.proposer,
    proposedByDelegate: row.proposedByDelegate,
    executor: row.executor,
    isExecuted: row.isExecuted,
    isSuccessful: row.isSuccessful,
    ethGasPrice: row.fee !== null && row.gasUsed ? price(row.fee / row.gasUsed) : null,
    maxFeePerGas: price(row.maxFeePerGas),
    maxPriorityFeePerGas: price(row.maxPriorityFeePerGas),
    gasUsed: row.gasUsed === null ? null : Number(row.gasUsed),
    fee: row.fee?.toString() ?? null,
    payment: row.payment?.toString() ?? null,
    origin: toOrigin(row.origin),
    dataDecoded: row.data === null || size(row.data) > mostBytes ? null : decodeCall(row),
    // Readers take a number alone: where nobody knows how many it needed, as many as its execution carried.
    confirmationsRequired: row.confirmationsRequired ?? orNull(() => countSignatures(row.signatures ?? '0x')) ?? 0,
    confirmations: row.confirmations.map(writeConfirmation),
    trusted: row.isTrusted,
    signatures: row.signatures,
  }
}
