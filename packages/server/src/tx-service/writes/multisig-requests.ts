import type { ErrorCode } from '@countersign/contract'
import { CountersignError, type SafeTx, splitSignatures } from '@countersign/safe'
import { deleteRequestHashes } from '@countersign/safe/service'
import { type Address, type Hex, zeroAddress } from 'viem'
import { confirm } from '../../features/transactions/confirm.ts'
import { deleteProposal } from '../../features/transactions/delete.ts'
import { propose } from '../../features/transactions/propose.ts'
import { recoverConfirmationOwner } from '../../signatures/recover.ts'
import { findMultisig } from '../lists/multisig-queries.ts'
import { answer, refuse, refuseDetail, refuseFields, refuseTogether } from '../wire/answers.ts'
import { parseFields } from '../wire/body-fields.ts'
import { ctxOf } from '../wire/caller.ts'
import { parseHash, pathAddress } from '../wire/fields.ts'
import { type CallOfViewer, readBody, type TxService } from '../wire/service.ts'

const HASH_BYTES = 32
const MAX_DATA_BYTES = 131_072
const MAX_ORIGIN = 200
const MIN_SIGNATURE_BYTES = 65
const MAX_SIGNATURE_BYTES = 5_000

/** Proposing, confirming and deleting. */
export function multisigRequestRoutes({ write }: TxService): void {
  for (const version of ['v1', 'v2'] as const) {
    write('POST', `/${version}/safes/{safe}/multisig-transactions`, 'propose', proposeByWire)
    write('DELETE', `/${version}/multisig-transactions/{safeTxHash}`, 'propose', deleteByWire)
  }
  write('POST', '/v1/multisig-transactions/{safeTxHash}/confirmations', 'confirm', confirmByWire)
}

async function proposeByWire(call: CallOfViewer) {
  const safeAddress = pathAddress(call, 'safe')
  const { chainId, viewer } = call
  const proposal = parseProposal(await readBody(call))
  const { safeTx, safeTxHash, sender } = proposal
  await propose(ctxOf(call), { ...proposal, chainId, safeAddress, account: viewer.address }).catch((error: unknown) => {
    if (!(error instanceof CountersignError)) throw error
    const { data } = error
    const executedIn = `in tx-hash=${data.transactionHash ?? 'None'}`
    const sentence = sentenceOf(error, {
      SAFE_TX_HASH_MISMATCH: `Contract-transaction-hash=${data.expected} does not match provided contract-tx-hash=${safeTxHash}`,
      TRANSACTION_ALREADY_EXECUTED: `Tx with safe-tx-hash=${safeTxHash} for safe=${safeAddress} was already executed ${executedIn}`,
      NONCE_ALREADY_EXECUTED: `Tx with nonce=${safeTx.nonce} for safe=${safeAddress} already executed ${executedIn}`,
      NOT_A_SAFE: `Could not get Safe ${safeAddress} owners from blockchain, check contract exists on network ${call.chain.settings.name}`,
      NOT_OWNER_OR_DELEGATE: `Sender=${sender} is not an owner or delegate. Current owners=${list(data.owners)}. Delegates=set()`,
      SENDER_MISMATCH: `Signature does not match sender=${sender}. Calculated owners=${list(data.signers)}`,
      SIGNATURE_NOT_FROM_OWNER: `Signer=${data.signer} is not an owner or delegate. Current owners=${list(data.owners)}`,
      DELEGATE_SIGNATURE_NOT_ALONE: 'Just one signature is expected if using delegates',
      UNKNOWN_SINGLETON: error.message,
      TOO_MANY: error.message,
      TOO_MANY_PROPOSALS: error.message,
    })
    if (sentence === undefined) throw error
    return refuseTogether(sentence, 422)
  })
  return answer(201)
}

function parseProposal(body: Record<string, unknown>) {
  const fields = parseFields(body)
  const size = { min: HASH_BYTES, max: HASH_BYTES }
  const operation = fields.integer('operation')
  if (operation !== null && operation > 2n) fields.fault('operation', 'Unknown operation')
  const sender = fields.address('sender')
  const safeTxHash = fields.hex('contractTransactionHash', size)
  const signatures = fields.hex('signature', { optional: true, min: MIN_SIGNATURE_BYTES })
  const origin = fields.text('origin', { optional: true, max: MAX_ORIGIN })
  const safeTx = parseSafeTx(fields, operation)
  fields.done(422)
  // The missing fields were named above.
  if (!sender || !safeTxHash) return refuse(422)
  if (operation === 2n) refuseTogether('Operation CREATE not supported. Please use Safe CreateLib', 422)
  return { safeTx, safeTxHash, sender, signatures, origin }
}

function parseSafeTx(fields: ReturnType<typeof parseFields>, operation: bigint | null): SafeTx {
  return {
    to: fields.address('to', { allows: ['zero', 'marker'] }) ?? zeroAddress,
    value: fields.integer('value') ?? 0n,
    data: fields.hex('data', { optional: true, max: MAX_DATA_BYTES, isBlankAllowed: true }) ?? '0x',
    operation: operation === 1n ? 1 : 0,
    safeTxGas: fields.integer('safeTxGas') ?? 0n,
    baseGas: fields.integer('baseGas') ?? 0n,
    gasPrice: fields.integer('gasPrice') ?? 0n,
    gasToken: fields.address('gasToken', { optional: true, allows: ['zero'] }) ?? zeroAddress,
    refundReceiver: fields.address('refundReceiver', { optional: true, allows: ['zero'] }) ?? zeroAddress,
    nonce: fields.integer('nonce') ?? 0n,
  }
}

async function confirmByWire(call: CallOfViewer) {
  const safeTxHash = parseHash(call.params('safeTxHash')) ?? refuseDetail(404, 'Not found.')
  const fields = parseFields(await readBody(call))
  const signatures = fields.hex('signature', { min: MIN_SIGNATURE_BYTES, max: MAX_SIGNATURE_BYTES })
  fields.done()
  if (!signatures) return refuse(400)
  const { chainId, viewer } = call
  const asked = { chainId, safeTxHash, signatures, account: viewer.address, mustSign: null }
  await confirm(ctxOf(call), asked).catch((error: unknown) => {
    if (!(error instanceof CountersignError)) throw error
    if (error.code === 'TRANSACTION_NOT_FOUND')
      return refuseDetail(404, `Multisig transaction with safe-tx-hash=${safeTxHash} was not found`)
    const sentence = sentenceOf(error, {
      TRANSACTION_ALREADY_EXECUTED: `Transaction with safe-tx-hash=${safeTxHash} was already executed`,
      NONCE_ALREADY_EXECUTED: error.message,
      SAFE_TX_HASH_MISMATCH: error.message,
      SIGNATURE_NOT_FROM_OWNER: `Signer=${error.data.signer} is not an owner. Current owners=${list(error.data.owners)}`,
    })
    if (sentence === undefined) throw error
    return refuseFields({ signature: [sentence] })
  })
  return answer(201, { signature: signatures })
}

/** By a signature with the hour in it: of the proposer, or of the delegate who proposed. */
async function deleteByWire(call: CallOfViewer) {
  const safeTxHash = parseHash(call.params('safeTxHash'))
  if (!safeTxHash)
    return refuseFields({ safeTxHash: [`"${call.params('safeTxHash')}" keccak256 hash should be 32 bytes.`] })
  const fields = parseFields(await readBody(call))
  const signature = fields.hex('signature', { min: MIN_SIGNATURE_BYTES, max: MAX_SIGNATURE_BYTES })
  fields.done()
  if (!signature) return refuse(400)
  const found = await findMultisig(call, safeTxHash)
  if (!found) return refuseDetail(404, 'Multisig transaction not found')
  const { proposer, proposedByDelegate, safeAddress, isExecuted } = found
  if (isExecuted) return refuseTogether('Executed transactions cannot be deleted')
  if (proposer === null) return refuseTogether('Old transactions without proposer cannot be deleted')
  const { chainId } = call
  const hashes = deleteRequestHashes({ chainId, safeAddress, safeTxHash }, call.deps.clock().getTime() / 1000)
  const account = await signerOf(signature, hashes, [proposer, proposedByDelegate])
  await deleteProposal(ctxOf(call), { chainId, safeTxHash, account }).catch((error: unknown) => {
    if (!(error instanceof CountersignError)) throw error
    if (error.code === 'NOT_PROPOSER' || error.code === 'TRANSACTION_NOT_FOUND') return refuseTogether(NOT_PROPOSER)
    if (error.code === 'TRANSACTION_ALREADY_EXECUTED') return refuseTogether('Executed transactions cannot be deleted')
    throw error
  })
  return answer(204)
}

const NOT_PROPOSER = 'Provided signer is not the proposer or the delegate user who proposed the transaction'

async function signerOf(
  signature: Hex,
  hashes: readonly Hex[],
  allowed: readonly (Address | null)[],
): Promise<Address> {
  const all = [...splitSignatures(signature)]
  const [only] = all
  if (!only || all.length > 1) return refuseTogether(`1 owner signature was expected, ${all.length} received`)
  if (only.signatureType !== 'EOA' && only.signatureType !== 'ETH_SIGN')
    return refuseTogether('Only EOA and ETH_SIGN signatures are supported')
  for (const hash of hashes) {
    // A signature that no key can have made is not the proposer's.
    const signed = await recoverConfirmationOwner(hash, only.signature).catch(() => null)
    if (signed && allowed.includes(signed.owner)) return signed.owner
  }
  return refuseTogether(NOT_PROPOSER)
}

/** Gives the sentence for a verb's error that clients of this wire know; undefined: it passes through as it is. */
function sentenceOf(error: CountersignError, words: Partial<Record<ErrorCode, string>>): string | undefined {
  const { owner, signature } = error.data
  const sentences: Partial<Record<string, string>> = {
    SIGNATURE_MALFORMED: error.message,
    SIGNATURE_KIND_NOT_SUPPORTED: error.message,
    SIGNATURE_INVALID: owner ? `Signature=${signature} for owner=${owner} is not valid` : error.message,
    SIGNATURE_DUPLICATED: `Signature for owner=${owner} is duplicated`,
    ...words,
  }
  return sentences[error.code]
}

/** A list as these clients read it. */
function list(values: unknown): string {
  return `[${Array.isArray(values) ? values.map((value) => `'${value}'`).join(', ') : ''}]`
}
